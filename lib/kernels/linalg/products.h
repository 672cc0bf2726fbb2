// Products of matrices of any of the four types, by kernels/matmul.
#pragma once

#include <cstddef>

#include "kernels/linalg/scalars.h"
#include "support/workspace.h"

namespace hlokit::linalg {

// A matrix as an operand: elements are `row` and `column` elements apart from their neighbours.
template <class T> struct MatrixOperand {
  const T *data;
  ptrdiff_t row, column;
  bool is_conjugate = false;
};
template <class T> MatrixOperand<T> plain(const T *data, size_t stride) {
  return {data, static_cast<ptrdiff_t>(stride), 1};
}
template <class T> MatrixOperand<T> adjoint(const T *data, size_t stride) {
  return {data, 1, static_cast<ptrdiff_t>(stride), true};
}
template <class T> MatrixOperand<T> transposed(const T *data, size_t stride) {
  return {data, 1, static_cast<ptrdiff_t>(stride)};
}

// c = a b for matrices [m, n], [m, k] and [k, n]; the rows of c are `stride` elements apart.
template <class T>
void multiply(T *c, size_t stride, MatrixOperand<T> a, MatrixOperand<T> b, size_t m, size_t n, size_t k,
              Workspace &workspace);

// c -= a b
template <class T>
void subtract_product(T *c, size_t stride, MatrixOperand<T> a, MatrixOperand<T> b, size_t m, size_t n, size_t k,
                      Workspace &workspace);

} // namespace hlokit::linalg
