// Triangular systems, and LU of a panel of a few columns: the parts of factorisations that are no matrix products.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hlokit::linalg {

// Matrices of f32 or f64, contiguous and in row-major order.
template <class T> struct Stack {
  T *data;
  size_t count, rows, columns;

  T *row(size_t matrix, size_t i) const { return data + (matrix * rows + i) * columns; }
};

// Solves L y = x in place, for rows `start` to `stop` of x from column `first` on. L is the lower triangle of `a` in these
// rows and the columns of the same numbers; its diagonal is not read if it `is_unit`. Both may be the same stack, if the
// columns of x come after those of L. Products are subtracted from an element one by one, from the first column of L on.
template <class T>
void solve(const Stack<T> &a, const Stack<T> &x, size_t start, size_t stop, size_t first, bool is_unit);

// Factorises the panel of columns `start` to `stop` below the diagonal, with partial pivoting: whole rows are swapped, so
// that the largest element of a column is on the diagonal. `pivots` has min(rows, columns) elements for each matrix: the
// row that was swapped with each row, counted from 1. `info` has one element for each matrix: the first column without a
// pivot, counted from 1; 0 stays if there is none.
template <class T> void eliminate(const Stack<T> &a, size_t start, size_t stop, int32_t *pivots, int32_t *info);

} // namespace hlokit::linalg
