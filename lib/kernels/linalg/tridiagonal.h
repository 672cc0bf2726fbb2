// Symmetric and Hermitian eigenproblems, and tridiagonal systems. Matrices are in row-major order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/linalg/scalars.h"
#include "kernels/linalg/workspace.h"

namespace hlokit::linalg {

// Of the lower triangle of a Hermitian matrix: its diagonal and lower neighbours become those of the real tridiagonal
// matrix Q* a Q, the rest the vectors of Q's size - 1 reflectors.
template <class T> void sytrd(T *a, size_t size, double *diagonal, double *off_diagonal, T *tau, Workspace &);

// The eigenvalues of a Hermitian matrix in rising order, of which one triangle is read. `a` becomes the eigenvectors, one a
// column, if they are wanted. Returns 0; or 1 with NaN everywhere, if a number is not finite or there is no convergence.
template <class T> int32_t syevd(T *a, size_t size, double *values, bool is_lower, bool has_vectors, Workspace &);

// x := inverse(t) x for a tridiagonal matrix t, by elimination with swaps of neighbouring rows; x is [size, columns]. The
// first number of `lower` and the last one of `upper` are not read. If it `is_perturbed`, pivots that are almost 0 are moved
// away from it, so that x is finite for a singular t too. Returns the first row without a pivot, counted from 1, or 0.
template <class T>
int32_t gtsv(const T *lower, const T *diagonal, const T *upper, T *x, size_t size, size_t columns, bool is_perturbed,
             Workspace &);

} // namespace hlokit::linalg
