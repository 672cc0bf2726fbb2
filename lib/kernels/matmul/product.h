// Products of matrices, and contractions in general: sums of products over any dimensions of strided arrays.
//
// The order of a sum is a function of the number of its terms (vectors.h): no result depends on layouts, on strategies, on
// threads or on the processor. Sums are as accurate as pairwise summation: the error of a sum of n terms t is at most
// `roundings(n)` half units in the last place of the sum of |t|.
//
// Sums of integers are exact in the type to compute in, so that bytes may be multiplied as integers (byte_kernels.cpp).
//
// Callers guarantee that the memory exists. An operand of narrow numbers is as fast as one of the type that the kernels
// convert it to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/elements/type.h"
#include "support/small_vector.h"

namespace hlokit::matmul {

// A term of a sum of `terms` products is rounded at most this often.
size_t roundings(size_t terms);

// A dimension, with its stride in each array, in bytes. Strides of arrays that lack the dimension are not read.
struct Axis {
  size_t size;
  ptrdiff_t a, b, c;
};

using Axes = SmallVector<Axis, 4>;

// c[batch, rows, columns] = sum over terms of a[batch, rows, terms] * b[batch, terms, columns].
struct Product {
  ElementType a_type, b_type, c_type;
  // The type of products and sums, or of their parts if they are complex: f32 or f64. An integer result must be exact in it.
  ElementType work;
  Axes batch, rows, terms, columns;
};

// The first element of each array.
struct Arrays {
  const unsigned char *a, *b;
  unsigned char *c;
};

// Whether there are products of these types. Operands are real numbers that the work type holds; f32 is written as f32,
// f64, bf16, f16, i32 or i64, f64 as f64, f32, i32 or i64. Complex numbers have one type, whose parts are of the work type.
bool is_supported(ElementType a, ElementType b, ElementType c, ElementType work);

// A product of certain types, sizes and strides, with the chosen strategy.
class PreparedProduct {
public:
  virtual ~PreparedProduct() = default;
  // Bytes of the memory that a run needs.
  size_t workspace_bytes() const { return workspace_bytes_; }
  // How the product is computed.
  virtual const char *strategy() const = 0;
  // Computes on up to `threads` threads if the product is large enough. No two elements of `c` share memory, nor does `c`
  // with `a` or `b`; all arrays, and the workspace, are aligned for their types. Throws std::bad_alloc.
  void run(const Arrays &arrays, unsigned char *workspace, size_t threads) const {
    compute(is_transposed_ ? Arrays{arrays.b, arrays.a, arrays.c} : arrays, workspace, threads);
  }

protected:
  // `is_transposed`: whether `compute` takes the operands in the other order.
  explicit PreparedProduct(bool is_transposed = false, size_t workspace_bytes = 0)
      : workspace_bytes_(workspace_bytes), is_transposed_(is_transposed) {}

private:
  virtual void compute(const Arrays &arrays, unsigned char *workspace, size_t threads) const = 0;

  const size_t workspace_bytes_;
  const bool is_transposed_;
};

// Requires `is_supported` for the types of the product.
std::unique_ptr<const PreparedProduct> prepare(const Product &product);

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

} // namespace hlokit::matmul
