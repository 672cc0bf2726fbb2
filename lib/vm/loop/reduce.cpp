// Reductions of a loop's arrays, by sweeps over rows of values: sums and products of floats in the order that
// kernels/elements/order_of_sums.h states, all others combine one half of the values with the other until one value is
// left.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "vm/loop/arrays.h"
#include "vm/instruction.h"
#include "vm/loop/row_reduction.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct ArrayReduction : Detail {
  RegisterRef to, from, init;
  // `groups` reductions, each of `count` rows of `width` values. Rows that are not contiguous in the operand are copied.
  size_t groups, count, width;
  StridedCopy outer, rows; // outer: where the groups are in the operand (`from`) and in the result (`to`)
  bool is_plain;
  size_t item, wide_item;
  bool is_sum;
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
    unsigned char *next = now == buffers[0] ? buffers[1] : buffers[0];
    const size_t row = width * wide_item;
    if (is_sum && count > 1) {
      now = sum(now, buffers[1], buffers[3] + row);
      next = buffers[0];
    }
    size_t left = is_sum ? std::min<size_t>(count, 1) : count;
    while (left > 1) {
      const size_t half = left / 2;
      combine(next, now, now + half * row, nullptr, half * width);
      if (left % 2) // the last row is carried to the next step
        std::memcpy(next + half * row, now + (left - 1) * row, row);
      left = half + left % 2;
      now = next;
      next = now == buffers[0] ? buffers[1] : buffers[0];
    }
    // The initial value in the wide type, once for each value of a row.
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

  // The sum of all rows: `lanes` has room for those of a block, `blocks` for a row of each block.
  const unsigned char *sum(const unsigned char *values, unsigned char *lanes, unsigned char *blocks) const {
    const size_t row = width * wide_item;
    size_t number = 0;
    for (size_t start = 0; start < count; start += reduction_block, ++number) {
      const size_t rows = std::min(reduction_block, count - start), side = std::min(rows, reduction_lanes);
      const unsigned char *from = values + start * row;
      std::memcpy(lanes, from, side * row);
      for (size_t i = side; i < rows; i += side)
        combine(lanes, lanes, from + i * row, nullptr, std::min(side, rows - i) * width);
      size_t half = reduction_lanes / 2;
      while (half >= side)
        half /= 2;
      for (size_t left = side; half > 0; left = half, half /= 2)
        combine(lanes, lanes, lanes + half * row, nullptr, (left - half) * width);
      std::memcpy(blocks + number * row, lanes, row);
    }
    while (number > 1) {
      for (size_t i = 0; i + 1 < number; i += 2)
        combine(blocks + i / 2 * row, blocks + i * row, blocks + (i + 1) * row, nullptr, width);
      if (number % 2)
        std::memmove(blocks + number / 2 * row, blocks + (number - 1) * row, row);
      number = (number + 1) / 2;
    }
    return blocks;
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

const DecodedInstruction *run_reduce(const DecodedInstruction *at, unsigned char *registers) {
  static_cast<const ArrayReduction &>(*at->detail).run(registers);
  return at + 1;
}

// The distances of all elements of some dimensions from the first one, in bytes, in row-major order; none if there are more
// elements than lanes.
std::vector<ptrdiff_t> offsets_of(const Sizes &sizes, const Strides &strides, size_t rank, size_t item) {
  if (product(sizes, rank) > reduction_lanes)
    return {};
  std::vector<ptrdiff_t> result{0};
  for (size_t i = 0; i < rank; ++i) {
    std::vector<ptrdiff_t> longer;
    for (ptrdiff_t outer : result)
      for (size_t j = 0; j < sizes[i]; ++j)
        longer.push_back(outer + static_cast<ptrdiff_t>(j) * static_cast<ptrdiff_t>(strides[i]) * static_cast<ptrdiff_t>(item));
    result = std::move(longer);
  }
  return result;
}

Sweep conversion(ElementType to, ElementType from) { return kernel_of(find_opcode("convert", to, from)).sweep; }

} // namespace

DecodedArrayOp decode_reduce(const Frame &frame, const Instruction &instruction, const Numbers &given) {
  for (uint32_t index : {instruction.to, instruction.a, instruction.b})
    check_whole(frame, index);
  const ElementType type = frame.types[instruction.to];
  check_type(frame.types, instruction.a, type);
  check_type(frame.types, instruction.b, type);
  check_apart(instruction.to, instruction.a);
  check_apart(instruction.to, instruction.b);
  if (is_complex(type))
    throw ProgramError(std::string("a reduction must combine real numbers, got ") + name_of(type));
  if (frame.count(instruction.b) != 1)
    throw ProgramError("the initial value of a reduction must have 1 element, got " +
                       std::to_string(frame.count(instruction.b)));

  NumberReader numbers(given);
  auto result = std::make_unique<ArrayReduction>();
  const auto number = static_cast<int>(numbers.next(0, 1 << 20));
  const uint32_t to = instruction.to;
  const Opcode &found = check_operation(frame.types, {number, to, to, to, to});
  if (found.arity != 2)
    throw ProgramError(std::string("a reduction must combine by an operation of two operands, got ") + found.name);
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
    throw ProgramError("a reduction must have at most " + std::to_string(most_dimensions) + " dimensions, got " +
                       std::to_string(rank[0] + rank[1]));
  if (frame.count(to) != counts[0])
    throw ProgramError("the result of a reduction must have as many elements as the dimensions kept, " +
                       std::to_string(counts[0]) + ", got " + std::to_string(frame.count(to)));
  constexpr size_t most = size_t(1) << 18;
  if (counts[0] > most || counts[1] > most || counts[0] * counts[1] > most)
    throw ProgramError("a reduction must take at most " + std::to_string(most) + " elements, got " +
                       std::to_string(counts[0]) + " times " + std::to_string(counts[1]));
  if (counts[0] && counts[1])
    extent.check(frame.count(instruction.a));

  const bool is_wide = type == ElementType::f32 &&
                       (found.name == std::string("add") || found.name == std::string("multiply"));
  if ((type == ElementType::bf16 || type == ElementType::f16) && found.name != std::string("maximum") &&
      found.name != std::string("minimum"))
    throw ProgramError(std::string("a reduction of bf16 or f16 must be a maximum or a minimum, got ") + found.name);
  ArrayReduction &made = *result;
  made.is_sum = (type == ElementType::f32 || type == ElementType::f64) &&
                (found.name == std::string("add") || found.name == std::string("multiply"));
  made.item = size_of(type);
  made.wide_item = is_wide ? 8 : made.item;
  made.combine = kernel_of(number).sweep;
  if (is_wide) {
    constexpr ElementType wide = ElementType::f64;
    made.combine = kernel_of(find_opcode(found.name, wide, wide)).sweep;
    made.widen = conversion(wide, type);
    made.narrow = conversion(type, wide);
  }
  Strides places{}; // of the kept values, in the result
  int64_t step = 1;
  for (size_t i = rank[0]; i-- > 0; step *= static_cast<int64_t>(std::max<size_t>(sizes[0][i], 1)))
    places[i] = step;
  const StridedCopy kept(rank[0], sizes[0], places, strides[0], made.item);
  const auto set_registers = [&](auto &rows) {
    rows.to = RegisterRef(frame, to, 0);
    rows.from = RegisterRef(frame, instruction.a, offset);
    rows.init = RegisterRef(frame, instruction.b, 0);
  };
  if (const StridedCopy reduced(rank[1], sizes[1], strides[1], strides[1], made.item); !made.is_sum && counts[1])
    if (auto rows = row_reduction(found, kept, reduced, counts[0])) {
      set_registers(*rows);
      return {run_rows, std::move(rows), counts[0] * (counts[1] + 1), 0};
    }
  if (auto rows = short_rows(found, kept, offsets_of(sizes[1], strides[1], rank[1], made.item), counts[0])) {
    set_registers(*rows);
    const Handler run = rows->handler;
    return {run, std::move(rows), counts[0] * counts[1], 0};
  }
  made.scratch = frame.scratch();
  made.to = RegisterRef(frame, to, 0);
  made.from = RegisterRef(frame, instruction.a, counts[0] && counts[1] ? offset : 0);
  made.init = RegisterRef(frame, instruction.b, 0);

  // One reduction of rows with all kept values. If the reduced values are neighbours: one reduction for each kept
  // value.
  auto least_stride = [&](size_t k) {
    int64_t least = most_elements;
    for (size_t i = 0; i < rank[k]; ++i)
      if (sizes[k][i] > 1)
        least = std::min(least, strides[k][i] < 0 ? -strides[k][i] : strides[k][i]);
    return least;
  };
  // Kept values that are neighbours themselves, beside reduced ones with stride 0, are a row.
  const bool is_apart = counts[1] > 8 && least_stride(1) < least_stride(0) && least_stride(0) > 1;
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
  step = 1;
  for (size_t i = all_rank; i-- > 0; step *= static_cast<int64_t>(std::max<size_t>(all[i], 1)))
    dense[i] = step;
  made.rows = StridedCopy(all_rank, all, dense, from, made.item);
  made.is_plain = made.rows.rank == 0 || (made.rows.rank == 1 && made.rows.has_rows());
  made.count = counts[1];
  made.width = is_apart ? 1 : counts[0];
  // Kept values are further apart than reduced ones, so `each_row` visits them one at a time.
  made.groups = is_apart ? counts[0] : 1;
  made.outer = StridedCopy(is_apart ? rank[0] : 0, sizes[0], places, strides[0], made.item);
  if (counts[0] == 0)
    made.width = 0;
  const size_t scratch = 4 * made.buffer_bytes();
  return {run_reduce, std::move(result), counts[0] * (counts[1] + 1) * 2, scratch};
}

} // namespace hlokit::vm
