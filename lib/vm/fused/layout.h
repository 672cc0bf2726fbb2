// Operands in any layout: copies of their elements in row-major order. Part of run.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "vm/fused/schedule.h"
#include "vm/strided_copy.h"

namespace hlokit::vm::fused {
namespace {

// The layout of an operand; dimensions that are adjacent in memory are collapsed.
struct Layout {
  std::vector<size_t> shape; // of the dimensions around `inner`
  std::vector<ptrdiff_t> strides;
  StridedCopy inner; // to a row
  size_t block = 1;  // elements of `inner`
  size_t run = 1;    // contiguous elements
};

Layout layout_of(const std::vector<size_t> &shape, const Operand &operand, size_t size) {
  std::vector<size_t> extents;
  std::vector<ptrdiff_t> strides;
  for (size_t i = 0; i < shape.size(); ++i) {
    const size_t extent = shape[i];
    const ptrdiff_t stride = operand.strides[i];
    if (extent == 1)
      continue;
    if (!extents.empty() && strides.back() == stride * static_cast<ptrdiff_t>(extent)) {
      extents.back() *= extent;
      strides.back() = stride;
    } else {
      extents.push_back(extent);
      strides.push_back(stride);
    }
  }
  Layout result;
  const size_t rank = std::min(extents.size(), most_dimensions), outer = extents.size() - rank;
  result.shape.assign(extents.begin(), extents.begin() + static_cast<ptrdiff_t>(outer));
  result.strides.assign(strides.begin(), strides.begin() + static_cast<ptrdiff_t>(outer));
  Sizes sizes{};
  Strides from{};
  for (size_t i = 0; i < rank; ++i) {
    sizes[i] = extents[outer + i];
    from[i] = strides[outer + i] / static_cast<ptrdiff_t>(size);
    result.block *= sizes[i];
  }
  result.inner = StridedCopy(rank, sizes, dense_strides(sizes, rank), from, size);
  if (rank == 0 || from[rank - 1] == 1)
    result.run = rank ? sizes[rank - 1] : 1;
  return result;
}

void fill(unsigned char *to, const unsigned char *from, size_t count, size_t size) {
  switch (size) {
  case 1:
    return fill_row<1>(to, from, count);
  case 2:
    return fill_row<2>(to, from, count);
  case 4:
    return fill_row<4>(to, from, count);
  case 8:
    return fill_row<8>(to, from, count);
  default:
    return fill_row<16>(to, from, count);
  }
}

// The address of block `number`, in row-major order.
const unsigned char *find_block(const unsigned char *data, const Layout &layout, size_t number) {
  for (size_t i = layout.shape.size(); i-- > 0; number /= layout.shape[i])
    data += static_cast<ptrdiff_t>(number % layout.shape[i]) * layout.strides[i];
  return data;
}

// The address of element `start`, in row-major order.
const unsigned char *find(const unsigned char *data, const Layout &layout, size_t start) {
  data = find_block(data, layout, start / layout.block);
  for (size_t i = layout.inner.rank; i-- > 0; start /= layout.inner.sizes[i])
    data += static_cast<ptrdiff_t>(start % layout.inner.sizes[i]) * layout.inner.from[i];
  return data;
}

// Copies elements `start` to `start + count` in row-major order.
void gather(unsigned char *to, const unsigned char *data, const Layout &layout, size_t start, size_t count) {
  while (count > 0) {
    const size_t first = start % layout.block, part = std::min(count, layout.block - first);
    layout.inner.copy_part(to - first * layout.inner.item, find_block(data, layout, start / layout.block), first, part);
    to += part * layout.inner.item;
    start += part;
    count -= part;
  }
}

} // namespace
} // namespace hlokit::vm::fused
