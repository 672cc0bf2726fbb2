// Reductions of short rows of floats, in registers of the processor. Part of reduce.cpp.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/elements/arithmetic.h"
#include "kernels/elements/order_of_sums.h"
#include "support/compiler.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

// Rows of a few floats, each combined in registers of the processor, in the order of kernels/elements/order_of_sums.h.
constexpr size_t few_values = 256; // of all rows together; rows of up to `fixed_length` values may be many
constexpr size_t fixed_length = 8, side_by_side = 16;

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

// The values `i`, `i + step` and so on of one row of `length`, combined. `at(i)`: value i.
template <class Op, size_t length, size_t step, class Get> HLOKIT_INLINE auto combined(const Get &at, size_t i) {
  if constexpr (step >= length) {
    return at(i);
  } else {
    const auto value = combined<Op, length, 2 * step>(at, i);
    return i + step < length ? Op::of(value, combined<Op, length, 2 * step>(at, i + step)) : value;
  }
}

// Rows of a length of up to `fixed_length`, whose values are at `offsets` in bytes.
template <class T, class Wide, class Op, size_t length>
HLOKIT_INLINE void reduce_rows(unsigned char *to, const unsigned char *from, size_t rows, ptrdiff_t to_stride,
                               ptrdiff_t from_stride, const ptrdiff_t *offsets, Wide first) {
  for (size_t row = 0; row < rows; ++row, to += to_stride, from += from_stride) {
    const auto result = static_cast<T>(
        Op::of(first, combined<Op, length, 1>([&](size_t i) { return static_cast<Wide>(load<T>(from + offsets[i])); }, 0)));
    std::memcpy(to, &result, sizeof result);
  }
}

// One row of any length.
template <class T, class Wide, class Op>
void reduce_row(unsigned char *to, const unsigned char *from, const std::vector<ptrdiff_t> &offsets, Wide first) {
  Wide lanes[sum_lanes];
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

template <class T, class Wide, class Op, size_t length = fixed_length> Handler short_rows_of(size_t wanted) {
  if constexpr (length == 0)
    return run_short_rows<T, Wide, Op, 0>;
  else
    return wanted == length ? run_short_rows<T, Wide, Op, length> : short_rows_of<T, Wide, Op, length - 1>(wanted);
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

// Null for other operations, long rows, many rows that are not very short, and many rows side by side, which the kernels
// combine in vectors.
std::unique_ptr<ShortRows> short_rows(const Opcode &operation, const StridedCopy &kept, std::vector<ptrdiff_t> offsets,
                                      size_t count) {
  const size_t length = offsets.size();
  if (length == 0 || count == 0 || (length > fixed_length && length * count > few_values))
    return nullptr;
  const size_t last = kept.rank - 1;
  if (kept.rank && kept.from[last] == static_cast<ptrdiff_t>(kept.item) && kept.sizes[last] >= side_by_side)
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
