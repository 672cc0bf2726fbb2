// Hessenberg and Schur forms, and eigenvectors of any square matrix. Matrices are in row-major order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/linalg/scalars.h"
#include "kernels/linalg/workspace.h"

namespace hlokit::linalg {

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
// their largest element is real. Null for vectors that are not wanted. `a` is lost. Returns as `gees` does.
template <class T>
int32_t geev(T *a, Complex<double> *values, Complex<double> *left, Complex<double> *right, size_t size, Workspace &);

} // namespace hlokit::linalg
