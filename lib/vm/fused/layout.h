// Operands in any layout: copies of their elements in row-major order. Part of run.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "vm/fused/schedule.h"

namespace hlokit::vm::fused {
namespace {

// The layout of an operand; dimensions that are adjacent in memory are collapsed.
struct Layout {
  std::vector<size_t> shape;
  std::vector<ptrdiff_t> strides;
  size_t run = 1; // contiguous elements
};

Layout layout_of(const std::vector<size_t> &shape, const Operand &operand, size_t size) {
  Layout result;
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t extent = shape[i];
    ptrdiff_t stride = operand.strides[i];
    if (extent == 1)
      continue;
    if (!result.shape.empty() && result.strides.back() == stride * static_cast<ptrdiff_t>(extent)) {
      result.shape.back() *= extent;
      result.strides.back() = stride;
    } else {
      result.shape.push_back(extent);
      result.strides.push_back(stride);
    }
  }
  if (result.shape.empty()) {
    result.shape.push_back(1);
    result.strides.push_back(static_cast<ptrdiff_t>(size));
  }
  result.run = result.strides.back() == static_cast<ptrdiff_t>(size) ? result.shape.back() : 1;
  return result;
}

template <size_t size>
void copy_row(unsigned char *to, const unsigned char *from, ptrdiff_t stride, size_t count) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * size, from + static_cast<ptrdiff_t>(i) * stride, size);
}

struct TwoWords {
  uint64_t words[2];
};

template <class T> void fill(unsigned char *to, const unsigned char *from, size_t count) {
  T value;
  std::memcpy(&value, from, sizeof value);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * sizeof value, &value, sizeof value);
}

void fill(unsigned char *to, const unsigned char *from, size_t count, size_t size) {
  switch (size) {
  case 1:
    return fill<uint8_t>(to, from, count);
  case 2:
    return fill<uint16_t>(to, from, count);
  case 4:
    return fill<uint32_t>(to, from, count);
  case 8:
    return fill<uint64_t>(to, from, count);
  default:
    return fill<TwoWords>(to, from, count);
  }
}

void copy_elements(unsigned char *to, const unsigned char *from, ptrdiff_t stride, size_t count,
                   size_t size) {
  if (stride == static_cast<ptrdiff_t>(size)) {
    std::memcpy(to, from, count * size);
    return;
  }
  if (stride == 0)
    return fill(to, from, count, size);
  switch (size) {
  case 1:
    return copy_row<1>(to, from, stride, count);
  case 2:
    return copy_row<2>(to, from, stride, count);
  case 4:
    return copy_row<4>(to, from, stride, count);
  case 8:
    return copy_row<8>(to, from, stride, count);
  default:
    return copy_row<16>(to, from, stride, count);
  }
}

// The address of element `start`, in row-major order, of the outer `rank` dimensions.
const unsigned char *find(const unsigned char *data, const Layout &layout, size_t rank, size_t start) {
  ptrdiff_t offset = 0;
  for (size_t i = rank; i-- > 0; start /= layout.shape[i])
    offset += static_cast<ptrdiff_t>(start % layout.shape[i]) * layout.strides[i];
  return data + offset;
}

// Copies elements `start` to `start + count` in row-major order. Neighbours in the innermost dimension are copied as one
// element if there are so few.
void gather(unsigned char *to, const unsigned char *data, const Layout &layout, size_t size, size_t start,
            size_t count) {
  size_t rank = layout.shape.size(), inner = layout.shape.back();
  const size_t bytes = inner * size;
  if (rank > 1 && layout.run == inner && bytes <= sizeof(TwoWords) && !(bytes & (bytes - 1)) && start % inner == 0 &&
      count % inner == 0) {
    size = bytes, start /= inner, count /= inner;
    inner = layout.shape[--rank - 1];
  }
  while (count > 0) {
    size_t row = std::min(count, inner - start % inner);
    copy_elements(to, find(data, layout, rank, start), layout.strides[rank - 1], row, size);
    to += row * size;
    start += row;
    count -= row;
  }
}

} // namespace
} // namespace hlokit::vm::fused
