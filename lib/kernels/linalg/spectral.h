// Eigenvalues, singular values, and the condensed forms from which they are computed. Matrices are in row-major order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/linalg/scalars.h"
#include "support/workspace.h"

namespace hlokit::linalg {

// The results where there is no convergence.
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Hermitian matrices, and tridiagonal systems -------------------------------------------------------------------

// Reduces the lower triangle of a Hermitian matrix: its diagonal and subdiagonal become those of the real tridiagonal
// matrix Q* a Q, its other elements the vectors of Q's size - 1 reflectors.
template <class T> void sytrd(T *a, size_t size, double *diagonal, double *off_diagonal, T *tau, Workspace &);

// The eigenvalues of a Hermitian matrix in ascending order. Only one triangle of `a` is read. `a` becomes the
// eigenvectors, one a column, if the caller wants them. Returns 0; or 1 with NaN everywhere, if a number is not finite or
// there is no convergence.
template <class T> int32_t syevd(T *a, size_t size, double *values, bool is_lower, bool has_vectors, Workspace &);

// x := inverse(t) x for a tridiagonal matrix t, by elimination with swaps of neighbouring rows; x is [size, columns]. The
// first number of `lower` and the last one of `upper` are not read. If it `is_perturbed`, pivots that are almost 0 are moved
// away from it, so that x is finite for a singular t too. Returns the first row without a pivot, counted from 1, or 0.
template <class T>
int32_t gtsv(const T *lower, const T *diagonal, const T *upper, T *x, size_t size, size_t columns, bool is_perturbed,
             Workspace &);

// Singular values -----------------------------------------------------------------------------------------------

// Singular values of a [m, n] in falling order, k = min(m, n) of them, and a = u diag(values) vt. u is [m, u_columns] and vt
// [vt_rows, n], with k columns and rows or all m and n; both are null if the caller wants no vectors. Overwrites `a`.
// Returns 0; or 1 with NaN everywhere, if a number is not finite or there is no convergence.
template <class T>
int32_t gesvd(T *a, size_t m, size_t n, double *values, T *u, size_t u_columns, T *vt, size_t vt_rows, Workspace &);

// Square matrices -----------------------------------------------------------------------------------------------

// a becomes Q* a Q, with the vectors of Q's size - 1 reflectors below its first subdiagonal. Rows and columns before `first`
// and from `last` on are triangular already.
template <class T> void gehrd(T *a, size_t size, size_t first, size_t last, T *tau, Workspace &);

// a becomes its Schur form Z* a Z, and `zt` the transpose of Z; of a real matrix, a pair of conjugate eigenvalues is a block
// [[p, q], [r, p]] with q r < 0 on the diagonal. `zt` may be null. Returns whether the iteration converged. All numbers are
// finite, and such that squares do not overflow.
template <class T> bool make_schur_form(T *a, size_t size, T *zt, Workspace &);

// The eigenvalues of a Schur form in the order of its diagonal, that with the positive imaginary part of a pair first.
template <class T> void read_eigenvalues(const T *form, size_t size, Complex<double> *values);

// Schur form: a becomes the form, z its unitary factor. Returns 0; or 1 with NaN everywhere, if a number is not finite or there
// is no convergence.
template <class T> int32_t gees(T *a, T *z, Complex<double> *values, size_t size, Workspace &);

// Eigenvalues, and eigenvectors of length 1 in the columns of `left` and `right`: left* a = value left*, a right = right value;
// their largest element is real. Null if the caller wants no vectors. Overwrites `a`. Returns as `gees` does.
template <class T>
int32_t geev(T *a, Complex<double> *values, Complex<double> *left, Complex<double> *right, size_t size, Workspace &);

} // namespace hlokit::linalg
