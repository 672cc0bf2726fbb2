#include "vm/exact/operation.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "vm/exact/field.h"
#include "vm/instruction.h"
#include "vm/opcodes.h"
#include "vm/pointwise/kernel_choice.h"

namespace hlokit::exact {
namespace {

// The elements of a block, whose floats stay in the cache.
constexpr size_t block_size = 256;
// Floats that differ by less than this part of their size could be equal but for rounding.
constexpr double near = 1e-9;
// Products of at most this many factors are the powers by an integer.
constexpr double most_factors = 64;

template <size_t count> size_t index_of(const char *const (&names)[count], std::string_view name) {
  const auto position = std::find(names, names + count, name);
  if (position == names + count)
    throw vm::ProgramError("there is no operation on exact numbers named " + std::string(name));
  return static_cast<size_t>(position - names);
}

// Inverses of `count` numbers: of products of the numbers before each, from that of all.
void invert(const uint64_t *numbers, uint64_t *inverses, size_t count) {
  uint64_t total = 1;
  for (size_t i = 0; i < count; ++i) {
    inverses[i] = total;
    total = numbers[i] == 0 ? total : product(total, numbers[i]);
  }
  total = inverse(total);
  for (size_t i = count; i-- > 0;) {
    inverses[i] = numbers[i] == 0 ? 0 : product(total, inverses[i]);
    total = numbers[i] == 0 ? total : product(total, numbers[i]);
  }
}

// A float to round to an integer: without the rounding errors of a number that is a multiple of 1/2.
double settled(double value, uint64_t residue, bool &is_close) {
  const double halves = std::nearbyint(2 * value) / 2;
  if (!(std::fabs(value) < 0x1p52 && std::fabs(value - halves) <= near * std::max(std::fabs(value), 1.0)))
    return value;
  const bool is_exact = residue == embedded(halves);
  is_close = is_close || !is_exact;
  return is_exact ? halves : value;
}

bool has_multiple_of_half(double value) { return std::isfinite(value) && 2 * value == std::nearbyint(2 * value); }

} // namespace

Formula formula_of(std::string_view name) {
  static const char *const names[] = {"add",    "subtract", "multiply", "divide",   "negate",
                                      "square", "function", "absolute", "extremum", "power",    "rounded",
                                      "remainder", "comparison"};
  return static_cast<Formula>(index_of(names, name));
}

Power power_of(std::string_view name) {
  static const char *const names[] = {"none", "square", "cube", "reciprocal_square"};
  return static_cast<Power>(index_of(names, name));
}

// Elements that one sweep computes.
struct Operation::Block {
  const Number *numbers[2];
  size_t step[2]; // 0 if the operand is one number
  double values[2][block_size], results[block_size];
  uint64_t inverses[block_size];
  size_t count;

  Block(const Operands &operands, size_t start, size_t arity)
      : numbers{}, step{}, count(std::min(block_size, operands.count - start)) {
    for (size_t side = 0; side < arity; ++side) {
      step[side] = operands.is_one[side] ? 0 : 1;
      numbers[side] = operands.numbers[side] + start * step[side];
      for (size_t i = 0; i < count; ++i)
        values[side][i] = of(side, i).value;
    }
  }
  const Number &of(size_t side, size_t i) const { return numbers[side][i * step[side]]; }
  bool is_finite(size_t side, size_t i) const { return std::isfinite(values[side][i]); }

  // Makes floats of equal numbers equal; whether others are equal but for rounding.
  bool tell_apart() {
    bool is_close = false;
    for (size_t i = 0; i < count; ++i) {
      if (!is_finite(0, i) || !is_finite(1, i))
        continue;
      const double one = values[0][i], two = values[1][i];
      if (of(0, i).residue == of(1, i).residue)
        values[1][i] = one;
      else
        is_close = is_close || std::fabs(one - two) <= near * (std::fabs(one) + std::fabs(two));
    }
    return is_close;
  }
};

Operation::Operation(Formula formula, int opcode, uint64_t salt, Power power)
    : formula_(formula), power_(power), salt_(salt) {
  if (opcode < 0 || static_cast<size_t>(opcode) >= vm::opcodes().real_count)
    throw vm::ProgramError("an operation on exact numbers must have an opcode of real numbers");
  const vm::Opcode &row = vm::opcodes().rows[opcode];
  const ElementType result = is_comparison() ? ElementType::i1 : ElementType::f64;
  const bool is_unary = formula == Formula::negate || formula == Formula::square || formula == Formula::absolute ||
                        formula == Formula::rounded;
  const bool has_arity = formula == Formula::function ? row.arity <= 2 : row.arity == (is_unary ? 1 : 2);
  if (row.result != result || !has_arity || !std::all_of(row.operands, row.operands + row.arity, [](ElementType type) {
        return type == ElementType::f64;
      }))
    throw vm::ProgramError("an operation on exact numbers must have an opcode of f64, got " + std::string(row.name));
  arity_ = row.arity;
  sweep_ = vm::kernel_of(opcode).sweep;
  for (unsigned operands = 0; formula == Formula::function && operands < 1u << arity_; ++operands) {
    const double one = operands & 1, two = operands >> 1;
    double value = 0;
    sweep_(&value, &one, &two, nullptr, 1);
    known_[operands] = {has_multiple_of_half(value), embedded(value)};
  }
}

// The number of a root: if the power of its float is the operand, that of this float.
uint64_t Operation::root(uint64_t operand, uint64_t residue, double value) const {
  const uint64_t root = embedded(value), square = product(root, root);
  const uint64_t power = power_ == Power::square ? square
                         : power_ == Power::cube ? product(square, root)
                                                 : inverse(square);
  return std::isfinite(value) && power == operand ? root : residue;
}

// Settles floats to round, and numbers of the quotients that a remainder leaves out; whether rounding decides.
bool Operation::settle(Block &block) const {
  bool is_close = false;
  for (size_t i = 0; i < block.count; ++i) {
    if (formula_ == Formula::rounded) {
      block.values[0][i] = settled(block.values[0][i], block.of(0, i).residue, is_close);
      continue;
    }
    const uint64_t quotient = product(block.of(0, i).residue, block.inverses[i]);
    const double count = std::trunc(settled(block.values[0][i] / block.values[1][i], quotient, is_close));
    block.inverses[i] = embedded(std::isfinite(count) ? count : 0);
  }
  return is_close;
}

// The number of a power: a product, or its inverse, if the exponent is a small integer, else a function.
void Operation::raise(const Number &base, const Number &exponent, Number &result) const {
  const double count = std::fabs(exponent.value);
  if (!(count <= most_factors) || count != std::nearbyint(count) || exponent.residue != embedded(exponent.value)) {
    result.residue = reduced(mixed(mixed(salt_ ^ base.residue) ^ exponent.residue)), result.degree = 1;
    return;
  }
  result.residue = 1, result.degree = 0;
  for (double factor = 0; factor < count; ++factor)
    result.residue = product(result.residue, base.residue), result.degree += base.degree;
  if (exponent.value < 0)
    result.residue = inverse(result.residue), result.degree = 1;
}

// The number of an element of finite operands.
void Operation::number(const Block &block, size_t i, Number &result) const {
  const Number &one = block.of(0, i), &two = arity_ == 2 ? block.of(1, i) : one;
  switch (formula_) {
  case Formula::add:
    result.residue = sum(one.residue, two.residue), result.degree = std::max(one.degree, two.degree);
    return;
  case Formula::subtract:
    result.residue = sum(one.residue, negative(two.residue)), result.degree = std::max(one.degree, two.degree);
    return;
  case Formula::multiply:
  case Formula::square:
    result.residue = product(one.residue, two.residue), result.degree = one.degree + two.degree;
    return;
  case Formula::divide:
    result.residue = product(one.residue, block.inverses[i]), result.degree = one.degree + 1;
    return;
  case Formula::negate:
    result.residue = negative(one.residue), result.degree = one.degree;
    return;
  case Formula::absolute:
    result.residue = one.value < 0 ? negative(one.residue) : one.residue, result.degree = one.degree;
    return;
  case Formula::extremum: {
    const Number &chosen = result.value == block.values[0][i] ? one : two;
    result.residue = chosen.residue, result.degree = chosen.degree;
    return;
  }
  case Formula::rounded:
    result.residue = embedded(result.value), result.degree = 0;
    return;
  case Formula::remainder:
    result.residue = sum(one.residue, negative(product(two.residue, block.inverses[i])));
    result.degree = std::max(one.degree, two.degree);
    return;
  case Formula::power:
    return raise(one, two, result);
  default: {
    if (one.residue <= 1 && two.residue <= 1) {
      const Known &known = known_[one.residue + (arity_ == 2 ? 2 * two.residue : 0)];
      if (known.is_known) {
        result.residue = known.residue, result.degree = 0;
        return;
      }
    }
    const uint64_t state = mixed(salt_ ^ one.residue);
    result.residue = reduced(arity_ == 2 ? mixed(state ^ two.residue) : state), result.degree = 1;
    if (power_ != Power::none) {
      const uint64_t residue = root(one.residue, result.residue, result.value);
      result.degree = residue == result.residue ? 1 : 0;
      result.residue = residue;
    }
  }
  }
}

bool Operation::apply(const Operands &operands, void *to, double &largest_degree) const {
  const bool is_polynomial = formula_ < Formula::function && formula_ != Formula::divide;
  const bool has_choice = formula_ == Formula::extremum || is_comparison();
  bool is_close = false;
  for (size_t start = 0; start < operands.count; start += block_size) {
    Block block(operands, start, arity_);
    for (size_t side = 0; !is_polynomial && side < arity_; ++side)
      for (size_t i = 0; i < block.count; ++i)
        largest_degree = std::max(largest_degree, block.of(side, i).degree);
    is_close |= has_choice && block.tell_apart();
    if (is_comparison()) {
      sweep_(static_cast<unsigned char *>(to) + start, block.values[0], block.values[1], nullptr, block.count);
      continue;
    }
    if (formula_ == Formula::divide || formula_ == Formula::remainder) {
      uint64_t divisors[block_size];
      for (size_t i = 0; i < block.count; ++i)
        divisors[i] = block.of(1, i).residue;
      invert(divisors, block.inverses, block.count);
    }
    if (formula_ == Formula::rounded || formula_ == Formula::remainder)
      is_close |= settle(block);
    sweep_(block.results, block.values[0], block.values[1], nullptr, block.count);
    Number *results = static_cast<Number *>(to) + start;
    for (size_t i = 0; i < block.count; ++i) {
      results[i].value = block.results[i];
      const bool are_finite = block.is_finite(0, i) && (arity_ == 1 || block.is_finite(1, i));
      const bool takes_infinities = formula_ >= Formula::extremum;
      if (std::isfinite(block.results[i]) && (are_finite || takes_infinities))
        number(block, i, results[i]);
      else
        results[i].residue = embedded(block.results[i]), results[i].degree = 0;
    }
  }
  return is_close;
}

} // namespace hlokit::exact
