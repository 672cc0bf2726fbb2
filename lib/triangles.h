// Triangular systems and eliminations of a few columns: what is left of LU when matrix products do the rest.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hlokit::triangles {

// Matrices of f32 or f64, one after the other, row by row.
template <class T> struct Stack {
  T *data;
  size_t count, rows, columns;

  T *row(size_t matrix, size_t i) const { return data + (matrix * rows + i) * columns; }
};

// Rows `start` to `stop` of x, from column `first` on, become inverse(L) times these, where L is the lower triangle
// of those rows and columns of `a`. Its diagonal is not read if it `is_unit`. Both may be one stack, if the columns
// of x come after those of L. Each element is changed by one product after the other, from the first column of L on.
template <class T>
void solve(const Stack<T> &a, const Stack<T> &x, size_t start, size_t stop, size_t first, bool is_unit);

// Eliminate columns `start` to `stop` below the diagonal, in these columns only, with the rows swapped so that the
// largest element of a column is on the diagonal. `pivots` has for each matrix as many elements as its smaller size:
// the rows that were swapped, counted from 1. `info` has one: the first column without a pivot, counted from 1.
template <class T> void eliminate(const Stack<T> &a, size_t start, size_t stop, int32_t *pivots, int32_t *info);

} // namespace hlokit::triangles
