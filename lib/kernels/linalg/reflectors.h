// Householder reflectors, one by one and in blocks, and the factorisations made of them. Matrices are in row-major order.
//
// A reflector is 1 - tau v v* with v[0] = 1; the rest of v is stored where the matrix becomes 0, as in LAPACK.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/linalg/scalars.h"
#include "support/workspace.h"

namespace hlokit::linalg {

// The length of a vector, without overflow or underflow.
template <class T> Real<T> length_of(const T *x, size_t n);

// The vector x becomes v, such that (1 - tau v v*)* x = (beta, 0, ..., 0) with a real beta, which is returned.
template <class T> Real<T> make_reflector(T *x, size_t n, T &tau);

// Where the vectors of reflectors lie: element i of vector k, for i > k, is at data[i * row + k * column], perhaps as its
// conjugate.
template <class T> struct Reflectors {
  const T *data;
  ptrdiff_t row, column;
  const T *tau;
  size_t length, count;
  bool is_conjugate = false;
};

// c := Q c, or Q* c, for the product Q of the reflectors; c is [length, n].
template <class T>
void apply_reflectors(const Reflectors<T> &q, bool is_adjoint, T *c, size_t stride, size_t n, Workspace &);

// q [length, n]: the first n columns of the product of the reflectors.
template <class T> void make_product(const Reflectors<T> &reflectors, T *q, size_t stride, size_t n, Workspace &);

// qt [size, size]: the transpose of the unitary matrix Q that reduces a matrix, of at least one row, to Hessenberg or
// tridiagonal form. `a` and `tau` are those that gehrd or sytrd leaves: vector k lies in column k, below the diagonal.
template <class T> void make_transposed_reduction(const T *a, size_t size, const T *tau, T *qt, Workspace &);

// a [m, n] becomes R, with vectors below the diagonal; tau has min(m, n) elements.
template <class T> void geqrf(T *a, size_t m, size_t n, T *tau, Workspace &);

// QR with column pivoting: the column with the largest remaining norm comes next; columns whose `pivots` are not 0 come
// before all others. On return, `pivots` has the columns in their new order, counted from 1.
template <class T> void geqp3(T *a, size_t m, size_t n, int32_t *pivots, T *tau, Workspace &);

// a [m, n] with vectors of `count` reflectors becomes the first n columns of their product.
template <class T> void orgqr(T *a, size_t m, size_t n, const T *tau, size_t count, Workspace &);

// c := op(Q) c, or c op(Q), for the product Q of the reflectors in a [length, count].
template <class T>
void ormqr(const T *a, size_t length, size_t count, const T *tau, T *c, size_t rows, size_t columns, bool is_left,
           bool is_adjoint, Workspace &);

} // namespace hlokit::linalg
