#include "vm/strided_copy.h"

#include <algorithm>

#include "support/by_size.h"

namespace hlokit::vm {

Strides dense_strides(const Sizes &sizes, size_t rank) {
  Strides result{};
  int64_t step = 1;
  for (size_t i = rank; i-- > 0; step *= static_cast<int64_t>(std::max<size_t>(sizes[i], 1)))
    result[i] = step;
  return result;
}

namespace {

// The strides of the rows of a copy: any, or known ones.
enum class RowKind { any, gather, fill, plain };

template <size_t size, RowKind kind>
void copy_row(unsigned char *to, const unsigned char *from, ptrdiff_t to_stride, ptrdiff_t from_stride, size_t count) {
  if (kind == RowKind::plain)
    return copy_row_bytes(to, from, count * size);
  if (kind == RowKind::fill)
    return fill_row<size>(to, from, count);
  if (kind == RowKind::gather)
    for (const unsigned char *const end = to + count * size; to != end; to += size, from += from_stride)
      std::memcpy(to, from, size);
  else
    for (size_t i = 0; i < count; ++i, to += to_stride, from += from_stride)
      std::memcpy(to, from, size);
}

// One row again and again, side by side: each copy doubles what there is.
void repeat_row(unsigned char *to, const unsigned char *from, size_t bytes, size_t rows) {
  copy_memory(to, from, bytes);
  for (size_t done = bytes, all = bytes * rows; done < all; done *= 2)
    copy_memory(to + done, to, std::min(done, all - done));
}

// An element for each row, `count` times, rows side by side.
template <size_t size, size_t count>
void fill_rows(unsigned char *to, const unsigned char *from, ptrdiff_t from_stride, size_t rows) {
  for (; rows > 0; --rows, from += from_stride)
    for (size_t i = 0; i < count; ++i, to += size)
      std::memcpy(to, from, size);
}

template <size_t size, RowKind kind>
void copy_plane(const StridedCopy &copy, unsigned char *to, const unsigned char *from, size_t rows) {
  const size_t outer = copy.rank - 2, inner = copy.rank - 1, count = copy.sizes[inner];
  const bool is_dense = copy.to[outer] == static_cast<ptrdiff_t>(count * size);
  if (kind == RowKind::plain && is_dense && copy.from[outer] == 0 && rows > 0)
    return repeat_row(to, from, count * size, rows);
  if (kind == RowKind::fill && is_dense && count == 2)
    return fill_rows<size, 2>(to, from, copy.from[outer], rows);
  if (kind == RowKind::fill && is_dense && count == 3)
    return fill_rows<size, 3>(to, from, copy.from[outer], rows);
  for (size_t i = 0; i < rows; ++i, to += copy.to[outer], from += copy.from[outer])
    copy_row<size, kind>(to, from, copy.to[inner], copy.from[inner], count);
}

struct Copiers {
  StridedCopy::Row row;
  StridedCopy::Plane plane;
};

template <size_t size, RowKind kind> constexpr Copiers copiers = {copy_row<size, kind>, copy_plane<size, kind>};

template <size_t size> Copiers copiers_for(ptrdiff_t to_stride, ptrdiff_t from_stride) {
  constexpr auto item = static_cast<ptrdiff_t>(size);
  if (to_stride != item)
    return copiers<size, RowKind::any>;
  if (from_stride == item)
    return copiers<size, RowKind::plain>;
  return from_stride == 0 ? copiers<size, RowKind::fill> : copiers<size, RowKind::gather>;
}

Copiers copiers_for(size_t item, ptrdiff_t to_stride, ptrdiff_t from_stride) {
  return by_size(item, [&](auto size) { return copiers_for<size>(to_stride, from_stride); });
}

} // namespace

StridedCopy::Row row_copier(size_t item, ptrdiff_t to_stride, ptrdiff_t from_stride) {
  return copiers_for(item, to_stride, from_stride).row;
}

StridedCopy::StridedCopy(size_t given, const Sizes &given_sizes, const Strides &to_strides, const Strides &from_strides,
             size_t item_size)
    : item(item_size) {
  const auto bytes = static_cast<int64_t>(item);
  for (size_t i = 0; i < given; ++i) {
    if (given_sizes[i] == 1)
      continue;
    auto next_to = static_cast<ptrdiff_t>(to_strides[i] * bytes), next_from = static_cast<ptrdiff_t>(from_strides[i] * bytes);
    auto size = static_cast<ptrdiff_t>(given_sizes[i]);
    if (rank && to[rank - 1] == next_to * size && from[rank - 1] == next_from * size) {
      sizes[rank - 1] *= given_sizes[i];
      to[rank - 1] = next_to;
      from[rank - 1] = next_from;
      continue;
    }
    sizes[rank] = given_sizes[i];
    to[rank] = next_to;
    from[rank] = next_from;
    ++rank;
  }
  const auto dense = static_cast<ptrdiff_t>(item);
  const Copiers found = rank ? copiers_for(item, to[rank - 1], from[rank - 1]) : copiers_for(item, dense, dense);
  row = found.row;
  plane = found.plane;
}

namespace {

// Copies `count` indices of a dimension with all of the dimensions inside.
void copy_block(const StridedCopy &block, size_t dimension, unsigned char *target, const unsigned char *source, size_t count) {
  const ptrdiff_t to = block.to[dimension], from = block.from[dimension];
  if (dimension + 1 == block.rank)
    return block.row(target, source, to, from, count);
  if (dimension + 2 == block.rank)
    return block.plane(block, target, source, count);
  for (size_t i = 0; i < count; ++i, target += to, source += from)
    copy_block(block, dimension + 1, target, source, block.sizes[dimension + 1]);
}

// `elements`: of all dimensions from `dimension` on.
void copy_part_of(const StridedCopy &copy, size_t dimension, size_t elements, unsigned char *target, const unsigned char *source,
                  size_t start, size_t count) {
  const ptrdiff_t step = copy.from[dimension];
  const size_t inner = elements / copy.sizes[dimension], before = start % inner;
  source += static_cast<ptrdiff_t>(start / inner) * step;
  if (dimension + 1 == copy.rank)
    return copy.row(target, source, copy.to[dimension], step, count);
  if (before) {
    const size_t first = std::min(count, inner - before);
    copy_part_of(copy, dimension + 1, inner, target, source, before, first);
    count -= first;
    target += first * copy.item;
    source += step;
  }
  const size_t whole = count / inner, last = count % inner;
  if (whole)
    copy_block(copy, dimension, target, source, whole);
  if (last)
    copy_part_of(copy, dimension + 1, inner, target + whole * inner * copy.item,
                 source + static_cast<ptrdiff_t>(whole) * step, 0, last);
}

} // namespace

void StridedCopy::copy_others(unsigned char *target, const unsigned char *source) const {
  if (rank == 0)
    row(target, source, 0, 0, 1);
  else
    copy_block(*this, 0, target, source, sizes[0]);
}

void StridedCopy::copy_first(unsigned char *target, const unsigned char *source, size_t count) const {
  copy_block(*this, 0, target, source, count);
}

bool StridedCopy::writes_row() const {
  auto expected = static_cast<ptrdiff_t>(item);
  for (size_t i = rank; i-- > 0; expected *= static_cast<ptrdiff_t>(sizes[i]))
    if (to[i] != expected)
      return false;
  return true;
}

void StridedCopy::copy_part(unsigned char *target, const unsigned char *source, size_t start, size_t count) const {
  size_t elements = 1;
  for (size_t i = 0; i < rank; ++i)
    elements *= sizes[i];
  if (rank == 0)
    copy(target, source);
  else
    copy_part_of(*this, 0, elements, target, source, start, count);
}

} // namespace hlokit::vm
