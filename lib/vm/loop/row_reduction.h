// Reductions of integers and booleans by the kernels of kernels/regions, which combine in any order, and of short rows of
// floats. Part of reduce.cpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/elements/arithmetic.h"
#include "kernels/regions/combinations.h"
#include "kernels/regions/combine.h"
#include "support/compiler.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct RowReduction : Detail {
  RegisterRef to, from, init;
  const regions::Combination *combination;
  regions::Slab slab;
  StridedCopy slabs; // where the slabs are in the operand (`from`) and in the result (`to`)
  size_t count;      // of results

  void run(unsigned char *registers) const {
    unsigned char *const result = to.find(registers);
    slabs.each_row(result, from.find(registers), [&](unsigned char *partials, const unsigned char *values, size_t) {
      combination->reduce(partials, values, slab);
    });
    combination->finish(result, result, init.find(registers), count);
  }
};

const DecodedInstruction *run_rows(const DecodedInstruction *at, unsigned char *registers) {
  static_cast<const RowReduction &>(*at->detail).run(registers);
  return next(at, registers);
}

// Null if the kernels do not combine these elements, or not with these strides. `kept` leads from the values that are kept
// to their places in the result, and `reduced` from one reduced value to the next.
std::unique_ptr<RowReduction> row_reduction(const Opcode &operation, const StridedCopy &kept, const StridedCopy &reduced,
                                            size_t count) {
  if (!is_integer(operation.result) || reduced.rank > 1 || count == 0)
    return nullptr;
  const regions::Combination *found = regions::find_combination(operation.name, operation.result);
  if (!found)
    return nullptr;
  const auto item = static_cast<ptrdiff_t>(kept.item);
  const bool is_row = reduced.rank && reduced.from[0] == item;
  auto result = std::make_unique<RowReduction>();
  result->combination = found;
  result->count = count;
  result->slabs = kept;
  StridedCopy &slabs = result->slabs;
  regions::Slab &slab = result->slab;
  slab = {1, 0, 1, 0, 1};
  // The strides of the kernels are not negative.
  const auto take_dimension = [&](size_t &size, size_t &stride) {
    const size_t last = --slabs.rank;
    size = slabs.sizes[last];
    stride = static_cast<size_t>(slabs.from[last] / item);
    return slabs.from[last] >= 0;
  };
  bool is_forward = !reduced.rank || reduced.from[0] >= 0;
  if (reduced.rank) {
    slab.rows = reduced.sizes[0];
    slab.row_stride = static_cast<size_t>(reduced.from[0] / item);
  }
  size_t one;
  if (slabs.rank && !is_row && slabs.from[slabs.rank - 1] == item)
    take_dimension(slab.width, one);
  if (slabs.rank)
    is_forward = take_dimension(slab.outer, slab.outer_stride) && is_forward;
  return is_forward ? std::move(result) : nullptr;
}

// Rows of a few floats, each combined in registers of the processor, in the order of kernels/elements/order_of_sums.h.
constexpr size_t few_values = 256; // of all rows together; rows of up to `fixed_length` values may be many
constexpr size_t fixed_length = 4;

struct ShortRows : Detail {
  RegisterRef to, from, init;
  StridedCopy kept; // where the rows begin (`from`), and where their results go (`to`)
  std::vector<ptrdiff_t> offsets; // of the values of a row, in bytes: no more than there are lanes
  Handler handler;
};

template <class T> T load(const unsigned char *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The values of one row, combined. `at(i)`: value i.
template <class Op, size_t length, class Get> HLOKIT_INLINE auto combined(const Get &at) {
  if constexpr (length == 2)
    return Op::of(at(0), at(1));
  else if constexpr (length == 3)
    return Op::of(Op::of(at(0), at(2)), at(1));
  else
    return Op::of(Op::of(at(0), at(2)), Op::of(at(1), at(3)));
}
static_assert(fixed_length == 4, "a row of each shorter length must be combined");

// Rows of a length of 2 to `fixed_length`, whose values are at `offsets` in bytes.
template <class T, class Wide, class Op, size_t length>
HLOKIT_INLINE void reduce_rows(unsigned char *to, const unsigned char *from, size_t rows, ptrdiff_t to_stride,
                               ptrdiff_t from_stride, const ptrdiff_t *offsets, Wide first) {
  for (size_t row = 0; row < rows; ++row, to += to_stride, from += from_stride) {
    const auto result = static_cast<T>(
        Op::of(first, combined<Op, length>([&](size_t i) { return static_cast<Wide>(load<T>(from + offsets[i])); })));
    std::memcpy(to, &result, sizeof result);
  }
}

// One row of any length.
template <class T, class Wide, class Op>
void reduce_row(unsigned char *to, const unsigned char *from, const std::vector<ptrdiff_t> &offsets, Wide first) {
  Wide lanes[reduction_lanes];
  const size_t count = offsets.size();
  for (size_t i = 0; i < count; ++i)
    lanes[i] = static_cast<Wide>(load<T>(from + offsets[i]));
  size_t half = 1; // power of two below the count
  while (2 * half < count)
    half *= 2;
  for (size_t left = count; left > 1; left = half, half /= 2)
    for (size_t i = 0; i < left - half; ++i)
      lanes[i] = Op::of(lanes[i], lanes[i + half]);
  const auto result = static_cast<T>(Op::of(first, lanes[0]));
  std::memcpy(to, &result, sizeof result);
}

template <class T, class Wide, class Op, size_t length>
const DecodedInstruction *run_short_rows(const DecodedInstruction *at, unsigned char *registers) {
  const auto &rows = static_cast<const ShortRows &>(*at->detail);
  const auto first = static_cast<Wide>(load<T>(rows.init.find(registers)));
  rows.kept.each_line(
      rows.to.find(registers), rows.from.find(registers),
      [&](unsigned char *to, const unsigned char *from, size_t count, ptrdiff_t to_stride, ptrdiff_t from_stride) {
        if constexpr (length != 0)
          reduce_rows<T, Wide, Op, length>(to, from, count, to_stride, from_stride, rows.offsets.data(), first);
        else
          for (; count > 0; --count, to += to_stride, from += from_stride)
            reduce_row<T, Wide, Op>(to, from, rows.offsets, first);
      });
  return next(at, registers);
}

template <class T, class Wide, class Op> Handler short_rows_of(size_t length) {
  switch (length) {
  case 2:
    return run_short_rows<T, Wide, Op, 2>;
  case 3:
    return run_short_rows<T, Wide, Op, 3>;
  case fixed_length:
    return run_short_rows<T, Wide, Op, fixed_length>;
  default:
    return run_short_rows<T, Wide, Op, 0>;
  }
}

template <class T> Handler short_rows_of(const std::string &operation, size_t length) {
  if (operation == "add")
    return short_rows_of<T, double, Add<double>>(length);
  if (operation == "maximum")
    return short_rows_of<T, T, Maximum<T>>(length);
  if (operation == "minimum")
    return short_rows_of<T, T, Minimum<T>>(length);
  return nullptr;
}

// Null for other operations, long rows, and many rows that are not very short.
std::unique_ptr<ShortRows> short_rows(const Opcode &operation, const StridedCopy &kept, std::vector<ptrdiff_t> offsets,
                                      size_t count) {
  const size_t length = offsets.size();
  if (length == 0 || count == 0 || (length > fixed_length && length * count > few_values))
    return nullptr;
  Handler handler = nullptr;
  if (operation.result == ElementType::f32)
    handler = short_rows_of<float>(operation.name, length);
  if (operation.result == ElementType::f64)
    handler = short_rows_of<double>(operation.name, length);
  if (!handler)
    return nullptr;
  auto result = std::make_unique<ShortRows>();
  result->kept = kept;
  result->offsets = std::move(offsets);
  result->handler = handler;
  return result;
}

} // namespace
} // namespace hlokit::vm
