// Loops over rows of matrices, compiled for each level of processor. All levels give the same bits: each product and
// each sum is rounded, and sums along a row have a fixed number of lanes.
//
// Matrices are in row-major order; the rows of one are `stride` elements apart.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/linalg/scalars.h"
#include "support/variants.h"

namespace hlokit::linalg {

// Rows `row` and `row + 1` become c x + s y and c y - s x.
template <class R> struct Rotation {
  size_t row;
  R c, s;
};

// The steps of `sweep` for each row a[i] of a matrix, in one pass:
//   a[i] -= left[0][i] * right[0] + left[1][i] * right[1]
//   dots[i] = sum over j of a[i][j] * columns[j]
//   sums += rows[i] * a[i]
// A null pointer leaves out its part. If it `is_lower`, row i has i elements.
template <class T> struct Sweep {
  T *a;
  size_t stride, rows_count, columns_count;
  const T *left[2], *right[2];
  const T *columns;
  T *dots;
  const T *rows;
  T *sums;
  bool is_lower;
};

template <class T> struct Vectors {
  // y += a x
  void (*add)(T *y, T a, const T *x, size_t n);
  // The sum of x[i] y[i].
  T (*dot)(const T *x, const T *y, size_t n);
  // The sum of |x[i]|^2.
  Real<T> (*squares)(const T *x, size_t n);
  // y += sum of x[i] a[i], over rows.
  void (*add_rows)(T *y, const T *x, const T *a, size_t stride, size_t m, size_t n);
  // a := (1 - tau v v*) a; w has n elements of scratch.
  void (*reflect)(T *a, size_t stride, size_t m, size_t n, const T *v, T tau, T *w);
  // The same for the two or three rows of a bulge.
  void (*reflect_few)(T *a, size_t stride, size_t m, size_t n, const T *v, T tau);
  // to -= from
  void (*subtract)(T *to, size_t to_stride, const T *from, size_t from_stride, size_t m, size_t n);
  void (*sweep)(const Sweep<T> &sweep);
  // Forward substitution: x := inverse(L) x, for the lower triangle L of `a`.
  void (*solve)(const T *a, size_t a_stride, T *x, size_t stride, size_t size, size_t columns, bool is_unit);
  // The upper triangle of `a` becomes U with U* U = a. Returns 0, or the number of the first minor that is not positive.
  size_t (*cholesky)(T *a, size_t stride, size_t size);
  // Factorises columns 0 to `width` of an m x n matrix of which `a` is part, whose rows begin `before` elements before
  // `a`: whole rows are swapped. `pivots` are rows of `a`, from 0. Returns the number of the first column without a pivot, or 0.
  size_t (*eliminate)(T *a, size_t stride, size_t m, size_t width, size_t before, size_t n, int32_t *pivots);
  // Applies rotations to rows of reals, one after the other.
  void (*rotate)(Real<T> *z, size_t stride, size_t columns, const Rotation<Real<T>> *rotations, size_t count);
};

HLOKIT_DECLARE_VARIANTS(const Vectors<float> &vectors(float); const Vectors<double> &vectors(double);
                        const Vectors<Complex<float>> &vectors(Complex<float>);
                        const Vectors<Complex<double>> &vectors(Complex<double>))

// The loops for this processor.
template <class T> const Vectors<T> &vectors() {
  static const Vectors<T> &best = HLOKIT_BEST_VARIANT(vectors(T(0)));
  return best;
}

} // namespace hlokit::linalg
