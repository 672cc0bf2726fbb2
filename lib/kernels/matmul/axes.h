// The dimensions of a product: collapsed, counted, and as sizes and strides of one array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/matmul/kernels.h"
#include "kernels/matmul/product.h"
#include "support/small_vector.h"

namespace hlokit::matmul {

// Collapses dimensions that are adjacent in memory, of the arrays that have them, and drops those of size 1. At least one
// remains.
inline Axes collapsed(const Axes &axes, bool a, bool b, bool c) {
  Axes result;
  for (const Axis &axis : axes) {
    if (axis.size == 1)
      continue;
    if (!result.empty()) {
      Axis &outer = result.back();
      const auto size = static_cast<ptrdiff_t>(axis.size);
      if ((!a || outer.a == axis.a * size) && (!b || outer.b == axis.b * size) && (!c || outer.c == axis.c * size)) {
        outer = {outer.size * axis.size, axis.a, axis.b, axis.c};
        continue;
      }
    }
    result.push_back(axis);
  }
  if (result.empty())
    result.push_back({1, 0, 0, 0});
  return result;
}

inline Product collapsed(const Product &product) {
  return {product.a_type,
          product.b_type,
          product.c_type,
          product.work,
          collapsed(product.batch, true, true, true),
          collapsed(product.rows, true, false, true),
          collapsed(product.terms, true, true, false),
          collapsed(product.columns, false, true, true)};
}

inline Axes transposed(const Axes &axes) {
  Axes result;
  for (const Axis &axis : axes)
    result.push_back({axis.size, axis.b, axis.a, axis.c});
  return result;
}

// The product of the transposed matrices in the other order: rows become columns, and the operands change places.
inline Product transposed(const Product &product) {
  return {product.b_type,           product.a_type,          product.c_type,
          product.work,             transposed(product.batch), transposed(product.columns),
          transposed(product.terms), transposed(product.rows)};
}

inline size_t total(const Axes &axes) {
  size_t result = 1;
  for (const Axis &axis : axes)
    result *= axis.size;
  return result;
}

// Sizes and strides of one array's dimensions.
struct Shape {
  SmallVector<size_t, 4> sizes;
  SmallVector<ptrdiff_t, 4> strides;

  Shape(const Axes &axes, ptrdiff_t Axis::*stride) {
    for (const Axis &axis : axes) {
      sizes.push_back(axis.size);
      strides.push_back(axis.*stride);
    }
  }
  Offsets offsets() const { return {sizes.data(), strides.data(), sizes.size(), nullptr}; }
  ptrdiff_t inner() const { return strides.back(); }
  ptrdiff_t offset(size_t index) const {
    ptrdiff_t result = 0;
    for (size_t i = sizes.size(); i-- > 0; index /= sizes[i])
      result += static_cast<ptrdiff_t>(index % sizes[i]) * strides[i];
    return result;
  }
  // Appends the offsets of all indices.
  void list(std::vector<ptrdiff_t> &to) const { list(to, 0, 0); }

private:
  void list(std::vector<ptrdiff_t> &to, size_t dimension, ptrdiff_t offset) const {
    if (dimension == sizes.size())
      return to.push_back(offset);
    for (size_t i = 0; i < sizes[dimension]; ++i)
      list(to, dimension + 1, offset + static_cast<ptrdiff_t>(i) * strides[dimension]);
  }
};

// Calls act(a, b, c, count) for runs of neighbours in a batch, with the offsets of their arrays: of `batch`, from
// matrix `first` up to matrix `last`.
template <class Act> void each_run(const Axes &batch, size_t first, size_t last, const Act &act) {
  const Axis &inner = batch.back();
  if (batch.size() == 1)
    return act(static_cast<ptrdiff_t>(first) * inner.a, static_cast<ptrdiff_t>(first) * inner.b,
               static_cast<ptrdiff_t>(first) * inner.c, last - first);
  while (first < last) {
    const size_t within = first % inner.size, count = std::min(inner.size - within, last - first);
    const auto start = static_cast<ptrdiff_t>(within);
    ptrdiff_t a = start * inner.a, b = start * inner.b, c = start * inner.c;
    size_t index = first / inner.size;
    for (size_t i = batch.size() - 1; i-- > 0;) {
      const Axis &outer = batch[i];
      const auto at = static_cast<ptrdiff_t>(index % outer.size);
      index /= outer.size;
      a += at * outer.a;
      b += at * outer.b;
      c += at * outer.c;
    }
    act(a, b, c, count);
    first += count;
  }
}

} // namespace hlokit::matmul
