// The dimensions of a product: collapsed, counted, and as sizes and strides of one array. Part of product.cpp.
#pragma once

#include <cstddef>

#include "kernels/matmul/kernels.h"
#include "kernels/matmul/product.h"
#include "support/small_vector.h"

namespace hlokit::matmul {
namespace {

// Collapses dimensions that are adjacent in memory, and drops those of size 1.
Axes collapsed(const Axes &axes, bool a, bool b, bool c) {
  Axes result;
  for (const Axis &axis : axes) {
    if (axis.size == 1)
      continue;
    if (!result.empty()) {
      Axis &outer = result.back();
      const ptrdiff_t size = static_cast<ptrdiff_t>(axis.size);
      if ((!a || outer.a == axis.a * size) && (!b || outer.b == axis.b * size) &&
          (!c || outer.c == axis.c * size)) {
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

size_t total(const Axes &axes) {
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
  Offsets offsets() const { return {sizes.data(), strides.data(), sizes.size()}; }
  ptrdiff_t inner() const { return strides.back(); }
  ptrdiff_t offset(size_t index) const {
    ptrdiff_t result = 0;
    for (size_t i = sizes.size(); i-- > 0; index /= sizes[i])
      result += static_cast<ptrdiff_t>(index % sizes[i]) * strides[i];
    return result;
  }
};

Axis transposed(const Axis &axis) { return {axis.size, axis.b, axis.a, axis.c}; }

// The product of the transposed matrices in the other order: rows become columns.
Product transposed(const Product &product, const Axes &batch, const Axes &rows,
                   const Axes &terms, const Axes &columns) {
  Product other{product.b_type, product.a_type, product.c_type, product.work, {}, {}, {}, {}, product.b, product.a,
                product.c};
  const auto transpose = [](const Axes &axes, Axes &to) {
    for (const Axis &axis : axes)
      to.push_back(transposed(axis));
  };
  transpose(batch, other.batch);
  transpose(columns, other.rows);
  transpose(terms, other.terms);
  transpose(rows, other.columns);
  return other;
}

} // namespace
} // namespace hlokit::matmul
