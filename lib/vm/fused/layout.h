// Operands in any layout: copies of their elements in row-major order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "vm/fused/schedule.h"
#include "vm/strided_copy.h"

namespace hlokit::vm::fused {

// The layout of an operand: a copy of its innermost dimensions to a row, and the dimensions around them.
struct Layout {
  std::vector<size_t> shape;
  std::vector<ptrdiff_t> strides;
  StridedCopy inner;
  size_t block = 1; // elements of `inner`
  size_t run = 1;   // contiguous elements
};

inline Layout layout_of(const std::vector<size_t> &shape, const Operand &operand, size_t size) {
  Layout result;
  const size_t rank = std::min(shape.size(), most_dimensions), outer = shape.size() - rank;
  const auto end = static_cast<ptrdiff_t>(outer);
  result.shape.assign(shape.begin(), shape.begin() + end);
  result.strides.assign(operand.strides.begin(), operand.strides.begin() + end);
  Sizes sizes{};
  Strides from{};
  for (size_t i = 0; i < rank; ++i) {
    sizes[i] = shape[outer + i];
    from[i] = operand.strides[outer + i] / static_cast<ptrdiff_t>(size);
    result.block *= sizes[i];
  }
  const StridedCopy &inner = result.inner = StridedCopy(rank, sizes, dense_strides(sizes, rank), from, size);
  if (inner.rank && inner.has_rows())
    result.run = inner.sizes[inner.rank - 1];
  return result;
}

// The address of block `number`, in row-major order.
inline const unsigned char *find_block(const unsigned char *data, const Layout &layout, size_t number) {
  for (size_t i = layout.shape.size(); i-- > 0; number /= layout.shape[i])
    data += static_cast<ptrdiff_t>(number % layout.shape[i]) * layout.strides[i];
  return data;
}

// The address of element `start`, in row-major order.
inline const unsigned char *find(const unsigned char *data, const Layout &layout, size_t start) {
  data = find_block(data, layout, start / layout.block);
  for (size_t i = layout.inner.rank; i-- > 0; start /= layout.inner.sizes[i])
    data += static_cast<ptrdiff_t>(start % layout.inner.sizes[i]) * layout.inner.from[i];
  return data;
}

// Copies elements `start` to `start + count` in row-major order.
inline void copy_elements(unsigned char *to, const unsigned char *data, const Layout &layout, size_t start, size_t count) {
  while (count > 0) {
    const size_t first = start % layout.block, part = std::min(count, layout.block - first);
    layout.inner.copy_part(to, find_block(data, layout, start / layout.block), first, part);
    to += part * layout.inner.item;
    start += part;
    count -= part;
  }
}

} // namespace hlokit::vm::fused
