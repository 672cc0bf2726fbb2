// Running reductions of a loop's arrays: each result is the initial value combined with all values up to its place.
#include <cmath>
#include <cstring>
#include <string>

#include "support/copy_memory.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

// Rows [size, inner] of an array; `first` is the row of the first step and `step` the distance to the next one.
struct Scan : Detail {
  RegisterRef to, from, init;
  size_t outer, size, inner, item;
  bool is_reverse;

  size_t elements() const { return size * inner; }
  size_t first_row() const { return is_reverse ? size - 1 : 0; }
  ptrdiff_t step() const { return (is_reverse ? -1 : 1) * static_cast<ptrdiff_t>(inner); }
};

// In the type of the values, from the initial value on.
struct PlainScan : Scan {
  Sweep combine;
  uint32_t scratch;

  void run(unsigned char *registers) const {
    unsigned char *first; // a row of the initial value
    std::memcpy(&first, registers + scratch, sizeof first);
    const unsigned char *value = init.find(registers), *source = from.find(registers);
    unsigned char *target = to.find(registers);
    for (size_t i = 0; i < inner; ++i)
      std::memcpy(first + i * item, value, item);
    const ptrdiff_t bytes = step() * static_cast<ptrdiff_t>(item);
    for (size_t i = 0; i < outer; ++i, source += elements() * item, target += elements() * item) {
      const unsigned char *before = first, *at = source + first_row() * inner * item;
      unsigned char *result = target + first_row() * inner * item;
      for (size_t row = 0; row < size; ++row, at += bytes, result += bytes) {
        combine(result, before, at, nullptr, inner);
        before = result;
      }
    }
  }
};

// Sums or products in f64, rounded once.
struct WideScan : Scan {
  Sweep widen, narrow; // null for f64
  void (*run_column)(const WideScan &scan, double *results, const double *values, double first);
  uint32_t scratch;

  void run(unsigned char *registers) const {
    double *memory;
    std::memcpy(&memory, registers + scratch, sizeof memory);
    double *values = memory, *results = memory + elements(), first = 0;
    const unsigned char *source = from.find(registers);
    unsigned char *target = to.find(registers);
    convert(widen, &first, init.find(registers), 1, item);
    for (size_t i = 0; i < outer; ++i, source += elements() * item, target += elements() * item) {
      convert(widen, values, source, elements(), item);
      for (size_t column = 0; column < inner; ++column) {
        const size_t start = first_row() * inner + column;
        run_column(*this, results + start, values + start, first);
      }
      convert(narrow, target, results, elements(), item);
    }
  }

private:
  static void convert(Sweep sweep, void *target, const void *source, size_t count, size_t item) {
    if (sweep)
      sweep(target, source, nullptr, nullptr, count);
    else
      copy_memory(target, source, count * item);
  }
};

template <bool is_product> void run_plainly(const WideScan &scan, double *results, const double *values, double first) {
  double total = *values;
  const ptrdiff_t step = scan.step();
  for (size_t i = 0;;) {
    *results = is_product ? total * first : total + first;
    if (++i == scan.size)
      return;
    values += step;
    results += step;
    total = is_product ? total * *values : total + *values;
  }
}

// Collects the rounding errors, and adds their sum last.
void run_compensated(const WideScan &scan, double *results, const double *values, double first) {
  double total = *values, errors = 0, corrected = total;
  const ptrdiff_t step = scan.step();
  for (size_t i = 0;;) {
    *results = corrected + first;
    if (++i == scan.size)
      return;
    values += step;
    results += step;
    const double before = total;
    total = before + *values;
    const double added = total - before;
    const double error = (before - (total - added)) + (*values - added);
    errors = i == 1 ? error : errors + error;
    corrected = std::isfinite(errors) ? total + errors : total;
  }
}

template <class Kind> const DecodedInstruction *run_scan(const DecodedInstruction *at, unsigned char *registers) {
  static_cast<const Kind &>(*at->detail).run(registers);
  return at + 1;
}

} // namespace

DecodedArrayOp decode_scan(const Frame &frame, const Instruction &instruction, const Numbers &given) {
  const uint32_t to = instruction.to;
  const ElementType type = frame.types[to];
  for (uint32_t index : {to, instruction.a, instruction.b}) {
    check_whole(frame, index);
    check_same_type(frame, to, index);
  }
  check_apart(to, instruction.a);
  check_apart(to, instruction.b);
  if (is_complex(type))
    throw ProgramError(std::string("a scan must combine real numbers, got ") + name_of(type));
  if (frame.count(instruction.b) != 1)
    throw ProgramError("the initial value of a scan must have 1 element, got " +
                       std::to_string(frame.count(instruction.b)));
  NumberReader numbers(given);
  const auto number = static_cast<int>(numbers.next(0, 1 << 20));
  const Opcode &found = check_operation(frame.types, {number, to, to, to, to});
  if (found.arity != 2)
    throw ProgramError(std::string("a scan must combine by an operation of two operands, got ") + found.name);
  const Sizes sizes = numbers.sizes(3);
  const bool is_reverse = numbers.next(0, 1) != 0, is_wide = numbers.next(0, 1) != 0;
  numbers.end();
  const size_t count = product(sizes, 3);
  if (frame.count(to) != count || frame.count(instruction.a) != count)
    throw ProgramError("operand and result of a scan must have " + std::to_string(count) + " elements, got " +
                       std::to_string(frame.count(instruction.a)) + " and " + std::to_string(frame.count(to)));
  auto fill = [&](auto &scan) {
    scan.to = RegisterRef(frame, to, 0);
    scan.from = RegisterRef(frame, instruction.a, 0);
    scan.init = RegisterRef(frame, instruction.b, 0);
    scan.outer = count ? sizes[0] : 0, scan.size = sizes[1], scan.inner = sizes[2];
    scan.item = size_of(type);
    scan.is_reverse = is_reverse;
    scan.scratch = frame.scratch();
  };
  constexpr size_t elements_of_step = 16; // that sweeps compute meanwhile
  if (!is_wide) {
    auto result = std::make_unique<PlainScan>();
    fill(*result);
    result->combine = kernel_of(number).sweep;
    const size_t work = count + (count ? sizes[0] * sizes[1] * elements_of_step : 0);
    return {run_scan<PlainScan>, std::move(result), work, count ? sizes[2] * size_of(type) : 0};
  }
  const bool is_sum = found.name == std::string("add"), is_product = found.name == std::string("multiply");
  const bool is_float = type == ElementType::f32 || type == ElementType::f64 || type == ElementType::bf16 || type == ElementType::f16;
  if (!is_float || !(is_sum || is_product))
    throw ProgramError("a scan that accumulates in f64 must be a sum or a product of floats");
  auto result = std::make_unique<WideScan>();
  fill(*result);
  constexpr ElementType wide = ElementType::f64;
  result->widen = result->narrow = nullptr;
  if (type != wide) {
    result->widen = kernel_of(find_opcode("convert", wide, type)).sweep;
    result->narrow = kernel_of(find_opcode("convert", type, wide)).sweep;
  }
  result->run_column = is_product ? run_plainly<true> : type == wide ? run_compensated : run_plainly<false>;
  const size_t scratch = count ? 2 * sizeof(double) * sizes[1] * sizes[2] : 0;
  return {run_scan<WideScan>, std::move(result), count * elements_of_step, scratch};
}

} // namespace hlokit::vm
