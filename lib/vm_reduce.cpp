// Reductions of a loop's arrays, by sweeps: one half of the values with the other, until one is left. So sums
// are pairwise, and all of it is vectors.
#include <algorithm>
#include <cstring>

#include "vm_arrays.h"
#include "vm_checks.h"
#include "vm_strided.h"

namespace hlokit::vm {
namespace {

struct Reduce : Detail {
  Side to, from, init;
  // Reductions of `groups`, each of `count` rows of `width` values; `from` reads rows from the operand, unless they
  // lie there as they are needed.
  size_t groups, count, width;
  Block outer, rows; // outer: places of the groups in the operand (`from`) and in the result (`to`)
  bool is_plain;
  size_t item, wide_item;
  Sweep combine, widen = nullptr, narrow = nullptr;
  uint32_t scratch;

  size_t buffer_bytes() const { return (count + 1) * width * 8 + 64; }

  void run(unsigned char *registers) const {
    unsigned char *buffers[4];
    std::memcpy(&buffers[0], registers + scratch, sizeof buffers[0]);
    for (size_t i = 1; i < 4; ++i)
      buffers[i] = buffers[i - 1] + buffer_bytes();
    const unsigned char *first = init.find(registers);
    outer.each_row(to.find(registers), from.find(registers), [&](unsigned char *result, const unsigned char *values, size_t) {
      group(result, values, first, buffers);
    });
  }

  void group(unsigned char *result, const unsigned char *values, const unsigned char *first,
             unsigned char *const *buffers) const {
    const unsigned char *now = values;
    if (!is_plain) {
      rows.copy(buffers[2], values);
      now = buffers[2];
    }
    if (widen) {
      widen(buffers[0], now, nullptr, nullptr, count * width);
      now = buffers[0];
    }
    size_t left = count;
    unsigned char *next = now == buffers[0] ? buffers[1] : buffers[0];
    const size_t row = width * wide_item;
    while (left > 1) {
      const size_t half = left / 2;
      combine(next, now, now + half * row, nullptr, half * width);
      if (left % 2) // the last waits
        std::memcpy(next + half * row, now + (left - 1) * row, row);
      left = half + left % 2;
      now = next;
      next = now == buffers[0] ? buffers[1] : buffers[0];
    }
    // The initial value of all, in the wide type; then once more, to combine.
    unsigned char *init_row = buffers[3];
    fill(init_row, first);
    if (left) {
      combine(next, init_row, now, nullptr, width);
      now = next;
    } else {
      now = init_row;
    }
    if (narrow)
      narrow(result, now, nullptr, nullptr, width);
    else
      std::memcpy(result, now, width * item);
  }

  void fill(unsigned char *row, const unsigned char *first) const {
    alignas(8) unsigned char value[8];
    std::memcpy(value, first, item);
    if (widen) {
      alignas(8) unsigned char wide[8];
      widen(wide, value, nullptr, nullptr, 1);
      std::memcpy(value, wide, 8);
    }
    for (size_t i = 0; i < width; ++i)
      std::memcpy(row + i * wide_item, value, wide_item);
  }
};

const Instruction *step_reduce(const Instruction *at, unsigned char *registers) {
  static_cast<const Reduce &>(*at->detail).run(registers);
  return at + 1;
}

const Operation &convert(Type to, Type from) {
  int number = find_operation("convert", to, from);
  return check_operation({to, from}, {number, 0, 1, 1, 1});
}

} // namespace

Made make_reduce(const Frame &frame, const Source &source, const Numbers &given) {
  for (uint32_t index : {source.to, source.a, source.b})
    check_whole(frame, index);
  const Type type = frame.types[source.to];
  check_type(frame.types, source.a, type);
  check_type(frame.types, source.b, type);
  check_apart(source.to, source.a);
  check_apart(source.to, source.b);
  if (frame.count(source.b) != 1)
    throw ProgramError("a reduction must begin with one value");

  NumberReader numbers(given);
  auto result = std::make_unique<Reduce>();
  const auto number = static_cast<int>(numbers.next(0, 1 << 20));
  const uint32_t to = source.to;
  const Operation &found = check_operation(frame.types, {number, to, to, to, to});
  if (found.arity != 2)
    throw ProgramError("a reduction must be by an operation of two operands");
  const int64_t offset = numbers.any();
  Sizes sizes[2]{};
  Strides strides[2]{};
  size_t rank[2], counts[2];
  Extent extent(offset);
  for (size_t k = 0; k < 2; ++k) { // kept, reduced
    rank[k] = numbers.rank();
    for (size_t i = 0; i < rank[k]; ++i)
      sizes[k][i] = numbers.size();
    for (size_t i = 0; i < rank[k]; ++i) {
      strides[k][i] = numbers.any();
      extent.add(sizes[k][i], strides[k][i]);
    }
    counts[k] = product(sizes[k], rank[k]);
  }
  numbers.end();
  if (rank[0] + rank[1] > most_dimensions)
    throw ProgramError("a reduction must have fewer dimensions");
  if (frame.count(to) != counts[0])
    throw ProgramError("the result of a reduction must have as many elements as the dimensions kept");
  constexpr size_t most = size_t(1) << 18;
  if (counts[0] > most || counts[1] > most || counts[0] * counts[1] > most)
    throw ProgramError("a reduction must take fewer elements");
  if (counts[0] && counts[1])
    extent.check(frame.count(source.a));

  const bool is_wide = type == Type::f32 &&
                       (found.name == std::string("add") || found.name == std::string("multiply"));
  if (type == Type::bf16 && found.name != std::string("maximum") && found.name != std::string("minimum"))
    throw ProgramError("sums and products of bf16 are not to be reduced here");
  Reduce &made = *result;
  made.item = size_of(type);
  made.wide_item = is_wide ? 8 : made.item;
  made.combine = found.sweep;
  if (is_wide) {
    Type wide = Type::f64;
    int wide_number = find_operation(found.name, wide, wide);
    made.combine = check_operation({wide}, {wide_number, 0, 0, 0, 0}).sweep;
    made.widen = convert(wide, type).sweep;
    made.narrow = convert(type, wide).sweep;
  }
  made.scratch = frame.scratch();
  made.to = Side(frame, to, 0);
  made.from = Side(frame, source.a, counts[0] && counts[1] ? offset : 0);
  made.init = Side(frame, source.b, 0);

  // Rows of all that is kept, or, where neighbours are reduced, a reduction for each that is kept.
  auto least_stride = [&](size_t k) {
    int64_t least = most_elements;
    for (size_t i = 0; i < rank[k]; ++i)
      if (sizes[k][i] > 1)
        least = std::min(least, strides[k][i] < 0 ? -strides[k][i] : strides[k][i]);
    return least;
  };
  const bool is_apart = counts[1] > 8 && least_stride(1) < least_stride(0);
  Sizes all{};
  Strides from{}, dense{};
  size_t all_rank = 0;
  auto add = [&](size_t k) {
    for (size_t i = 0; i < rank[k]; ++i, ++all_rank) {
      all[all_rank] = sizes[k][i];
      from[all_rank] = strides[k][i];
    }
  };
  add(1);
  if (!is_apart)
    add(0);
  int64_t step = 1;
  for (size_t i = all_rank; i-- > 0; step *= static_cast<int64_t>(std::max<size_t>(all[i], 1)))
    dense[i] = step;
  made.rows = Block(all_rank, all, dense, from, made.item);
  made.is_plain = made.rows.rank == 0 || (made.rows.rank == 1 && made.rows.has_rows());
  made.count = counts[1];
  made.width = is_apart ? 1 : counts[0];
  Strides places{};
  step = 1;
  for (size_t i = rank[0]; i-- > 0; step *= static_cast<int64_t>(std::max<size_t>(sizes[0][i], 1)))
    places[i] = step;
  // Never merged, as `each_row` would give several at a time: an element each.
  made.groups = is_apart ? counts[0] : 1;
  made.outer = Block(is_apart ? rank[0] : 0, sizes[0], places, strides[0], made.item);
  if (counts[0] == 0)
    made.width = 0;
  const size_t scratch = 4 * made.buffer_bytes();
  return {step_reduce, std::move(result), counts[0] * (counts[1] + 1) * 2, scratch};
}

} // namespace hlokit::vm
