#include "kernels/matmul/complex_product.h"

#include <cstring>

namespace hlokit::matmul {
namespace {

// Dimensions of the second operand, each with its distances in the operand and in the matrices.
struct Dimension {
  size_t size;
  ptrdiff_t from, to;
};
using Dimensions = SmallVector<Dimension, 8>;

// A complex number times another is a row of two times a matrix of 2x2, whose rows lie `row` bytes apart.
template <class T>
void fill_matrices(const Dimension *at, const Dimension *end, ptrdiff_t row, const unsigned char *from, unsigned char *to) {
  if (at == end) {
    T parts[2];
    std::memcpy(parts, from, sizeof parts);
    const T first[2] = {parts[0], parts[1]}, second[2] = {-parts[1], parts[0]};
    std::memcpy(to, first, sizeof first);
    std::memcpy(to + row, second, sizeof second);
    return;
  }
  for (size_t i = 0; i < at->size; ++i)
    fill_matrices<T>(at + 1, end, row, from + static_cast<ptrdiff_t>(i) * at->from, to + static_cast<ptrdiff_t>(i) * at->to);
}

} // namespace

size_t complex_workspace_bytes(const Product &product) {
  size_t bytes = 4 * size_of(product.work);
  for (const Axes *axes : {&product.batch, &product.terms, &product.columns})
    for (const Axis &axis : *axes)
      bytes *= axis.size;
  return bytes;
}

void run_complex(const Product &product, unsigned char *workspace, size_t threads) {
  Product real = product;
  Dimensions dimensions;
  for (const Axes *axes : {&product.batch, &product.terms, &product.columns})
    for (const Axis &axis : *axes)
      dimensions.push_back({axis.size, axis.b, 0});
  // The matrices are in row-major order: [batch..., terms..., 2, columns..., 2].
  const auto part = static_cast<ptrdiff_t>(size_of(product.work));
  const size_t shared = product.batch.size() + product.terms.size();
  ptrdiff_t size = 2 * part, row = size;
  for (size_t i = dimensions.size(); i-- > 0;) {
    if (i + 1 == shared) {
      row = size;
      size *= 2;
    }
    dimensions[i].to = size;
    size *= static_cast<ptrdiff_t>(dimensions[i].size);
  }
  if (shared == 0)
    row = size;
  size_t number = 0;
  for (Axes *axes : {&real.batch, &real.terms, &real.columns})
    for (Axis &axis : *axes)
      axis.b = dimensions[number++].to;
  real.terms.push_back({2, part, row, 0});
  real.columns.push_back({2, 0, part, part});
  real.b = workspace;
  if (part == 4)
    fill_matrices<float>(dimensions.begin(), dimensions.end(), row, product.b, workspace);
  else
    fill_matrices<double>(dimensions.begin(), dimensions.end(), row, product.b, workspace);
  run(real, threads);
}

} // namespace hlokit::matmul
