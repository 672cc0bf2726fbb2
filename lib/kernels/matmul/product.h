// Products of matrices, and contractions in general: sums of products over any dimensions of strided arrays.
//
// Sums are as accurate as pairwise summation. In f32 and f64 alike, a few terms are added one by one, the sums of these
// runs in a tree, and the sums of blocks of some hundred terms in more precision than the type has. The error of a sum of
// n terms t is at most `roundings(n)` half units in the last place of the sum of |t|.
//
// Callers of `multiply` and `run` guarantee that the memory exists: neither checks. An operand of a narrow type is as
// fast as an operand of the type of the computation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/elements/type.h"
#include "support/small_vector.h"

namespace hlokit::matmul {

// A term of a sum of `terms` products is rounded at most this often.
size_t roundings(size_t terms);

// Distances between neighbours, in elements; negative and 0 as well.
struct Strides {
  ptrdiff_t row, column;
};

// c = a b for matrices [m, n], [m, k] and [k, n], on the calling thread. `c` overlaps neither `a` nor `b`, no two of its
// elements share memory, and all arrays are aligned for their types. Operands are used in place, without packing, if the
// rows of `b` are contiguous (column stride 1), or if its columns are and m is small.
void multiply(float *c, Strides c_strides, const float *a, Strides a_strides, const float *b, Strides b_strides,
              size_t m, size_t n, size_t k);
void multiply(double *c, Strides c_strides, const double *a, Strides a_strides, const double *b,
              Strides b_strides, size_t m, size_t n, size_t k);

// A dimension, with its stride in each array, in bytes. Strides of arrays that lack the dimension are not read.
struct Axis {
  size_t size;
  ptrdiff_t a, b, c;
};

using Axes = SmallVector<Axis, 4>;

// c[batch, rows, columns] = sum over terms of a[batch, rows, terms] * b[batch, terms, columns].
struct Product {
  ElementType a_type, b_type, c_type;
  // The type of products and sums: f32 or f64. An integer result must be exact in it.
  ElementType work;
  Axes batch, rows, terms, columns;
  const unsigned char *a, *b;
  unsigned char *c;
};

// Whether `run` supports these types. Operands are real numbers that the work type holds; f32 is written as f32, f64,
// bf16, f16, i32 or i64, f64 as f64, f32, i32 or i64.
bool is_supported(ElementType a, ElementType b, ElementType c, ElementType work);

// Computes on up to `threads` threads if the product is large enough. No two elements of `c` share memory, nor does `c`
// with `a` or `b`; all arrays are aligned for their types; `is_supported` holds.
void run(const Product &product, size_t threads);

} // namespace hlokit::matmul
