// Copies of elements between arrays of any strides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "support/compiler.h"
#include "support/copy_memory.h"

namespace hlokit::vm {

constexpr size_t most_dimensions = 12;
using Strides = std::array<int64_t, most_dimensions>;
using Sizes = std::array<size_t, most_dimensions>;

// The strides, in elements, of a row-major array.
Strides dense_strides(const Sizes &sizes, size_t rank);

// A copy of elements between two arrays of the same shape, with strides in bytes.
struct StridedCopy {
  using Row = void (*)(unsigned char *to, const unsigned char *from, ptrdiff_t to_stride, ptrdiff_t from_stride,
                       size_t count);
  // Copies the last two dimensions, but `rows` of the first one of them.
  using Plane = void (*)(const StridedCopy &copy, unsigned char *to, const unsigned char *from, size_t rows);

  size_t rank = 0; // 0: a single element
  Sizes sizes{};
  std::array<ptrdiff_t, most_dimensions> to{}, from{};
  size_t item = 0;
  Row row = nullptr;
  Plane plane = nullptr; // of two dimensions and more

  // Strides are in elements. Collapses dimensions that are adjacent in both arrays, and drops those of size 1.
  StridedCopy(size_t rank, const Sizes &sizes, const Strides &to, const Strides &from, size_t item);
  StridedCopy() = default;
  HLOKIT_INLINE void copy(unsigned char *target, const unsigned char *source) const {
    if (rank == 1)
      row(target, source, to[0], from[0], sizes[0]);
    else if (rank == 2)
      plane(*this, target, source, sizes[0]);
    else
      copy_others(target, source);
  }
  // Copies `count` indices of the first dimension, which exists.
  void copy_first(unsigned char *target, const unsigned char *source, size_t count) const;
  // Copies `count` elements, in row-major order, from element `start` on, to a row. Requires that the copy writes a row.
  void copy_part(unsigned char *target, const unsigned char *source, size_t start, size_t count) const;
  // Calls `apply(to, from, count, to_stride, from_stride)` for each line of the last dimension.
  template <class Apply> void each_line(unsigned char *target, const unsigned char *source, const Apply &apply) const {
    if (rank == 0)
      apply(target, source, 1, 0, 0);
    else
      lines(0, target, source, apply);
  }
  // Whether the copy writes a row: its elements side by side, in row-major order.
  bool writes_row() const;
  bool has_rows() const {
    return rank == 0 || (to[rank - 1] == static_cast<ptrdiff_t>(item) && from[rank - 1] == static_cast<ptrdiff_t>(item));
  }

private:
  void copy_others(unsigned char *target, const unsigned char *source) const; // of other ranks than 1 and 2
  template <class Apply>
  void lines(size_t dimension, unsigned char *target, const unsigned char *source, const Apply &apply) const {
    if (dimension + 1 == rank)
      return apply(target, source, sizes[dimension], to[dimension], from[dimension]);
    for (size_t i = 0; i < sizes[dimension]; ++i, target += to[dimension], source += from[dimension])
      lines(dimension + 1, target, source, apply);
  }
};

// Copies rows of elements of `item` bytes that have these strides.
StridedCopy::Row row_copier(size_t item, ptrdiff_t to_stride, ptrdiff_t from_stride);
// Writes one element, of `item` bytes, to each element of a row.
inline StridedCopy::Row filler(size_t item) { return row_copier(item, static_cast<ptrdiff_t>(item), 0); }
inline void fill(unsigned char *to, const unsigned char *element, size_t count, size_t item) {
  filler(item)(to, element, 0, 0, count);
}

// Writes an element `count` times, in pieces of 16 bytes if that is enough for one; the last pieces may overlap.
template <size_t size> void fill_row(unsigned char *to, const unsigned char *element, size_t count) {
  constexpr size_t piece = 16;
  const size_t bytes = count * size;
  if (size >= piece || bytes < piece) {
    unsigned char value[size];
    std::memcpy(value, element, size);
    for (size_t i = 0; i < count; ++i, to += size)
      std::memcpy(to, value, size);
    return;
  }
  unsigned char pieces[piece];
  for (size_t i = 0; i < piece; i += size)
    std::memcpy(pieces + i, element, size);
  for (size_t i = 0; i + piece < bytes; i += piece)
    std::memcpy(to + i, pieces, piece);
  std::memcpy(to + bytes - piece, pieces, piece);
}

} // namespace hlokit::vm
