// Triangular systems, Cholesky factors and LU. Matrices are in row-major order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/linalg/scalars.h"
#include "support/workspace.h"

namespace hlokit::linalg {

// x := inverse(L) x for the lower triangle L of `a`, [size, size], and x [size, columns].
template <class T>
void solve_lower(const T *a, size_t a_stride, T *x, size_t stride, size_t size, size_t columns, bool is_unit, Workspace &);

struct Triangle {
  bool is_left, is_lower, is_transposed, is_conjugate, is_unit;
};

// x with op(a) x = b, or x op(a) = b; x overwrites b [rows, columns]. `a` has as many rows and columns as b has rows,
// or columns. The other triangle of `a` is not read, nor the diagonal if it `is_unit`.
template <class T> void trsm(const T *a, T *b, size_t rows, size_t columns, const Triangle &triangle, Workspace &);

// The triangle of `a` that `is_lower` names becomes L with L L* = a, or U with U* U = a, and the other triangle 0.
// Returns 0; or the number of the first minor that is not positive, with NaN everywhere in `a`.
template <class T> int32_t potrf(T *a, size_t size, bool is_lower, Workspace &);

// LU with partial pivoting of `a` [m, n]: L below its unit diagonal, and U. `pivots`: min(m, n) rows that were swapped with
// rows 0, 1, ..., counted from 1. Returns the first column without a pivot, counted from 1, or 0.
template <class T> int32_t getrf(T *a, size_t m, size_t n, int32_t *pivots, Workspace &);

} // namespace hlokit::linalg
