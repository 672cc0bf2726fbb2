// Products of matrices, and what can be seen as such: sums of products over any dimensions of strided arrays.
//
// Sums are as accurate as pairwise summation: of f32 and f64 alike, few terms are added up one by one, the
// sums of these in a tree, and those of some hundred terms in more precision than the type has. A sum of n terms t has
// an error of at most `roundings(n)` half units in the last place of the sum of |t|.
//
// Nothing here knows Python. What `multiply` and `Product` are given must be memory that is there; `Product`
// is as fast on one operand of narrow numbers as on those that it converts them to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hlokit::matmul {

// What arrays hold. f16 and bf16 are given as their bits; they are read and not written, but for bf16.
enum class Type : uint8_t { i8, ui8, i16, ui16, i32, ui32, i64, f16, bf16, f32, f64 };

constexpr const char *type_names[] = {"i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "f16", "bf16", "f32", "f64"};
constexpr size_t type_count = sizeof type_names / sizeof *type_names;
constexpr size_t type_sizes[type_count] = {1, 1, 2, 2, 4, 4, 8, 2, 2, 4, 8};

size_t size_of(Type type);

// At most so many roundings happen to a term of a sum of `terms` products.
size_t roundings(size_t terms);

// Distances of neighbours in memory, in elements; may be negative or 0.
struct Strides {
  ptrdiff_t row, column;
};

// c = a b, of matrices [m, n], [m, k] and [k, n], on the calling thread. `c` overlaps neither `a` nor `b`, its
// elements are apart, and all are aligned as their types are. Fast without any preparation where `b` has rows
// in one piece (column stride 1); where it has columns in one piece and m is small, too.
void multiply(float *c, Strides c_strides, const float *a, Strides a_strides, const float *b, Strides b_strides,
              size_t m, size_t n, size_t k);
void multiply(double *c, Strides c_strides, const double *a, Strides a_strides, const double *b,
              Strides b_strides, size_t m, size_t n, size_t k);

// A dimension, with the distances of neighbours in bytes. Those of arrays that do not have it are not read.
struct Axis {
  size_t size;
  ptrdiff_t a, b, c;
};

// c[batch, rows, columns] = sum over terms of a[batch, rows, terms] * b[batch, terms, columns].
struct Product {
  Type a_type, b_type, c_type;
  // f32 or f64: what products and sums are computed in. If `c` has integers, they must be exact in it.
  Type work;
  std::vector<Axis> batch, rows, terms, columns;
  const unsigned char *a, *b;
  unsigned char *c;
};

// Whether there are such products at all: f32 and f64 are written as every type that holds as much, f32 as bf16
// and i32, f64 as i32, i64 and f32.
bool is_known(Type a, Type b, Type c, Type work);

// Takes up to `threads` threads where that is worth it. Elements of `c` are apart from each other and from
// those of `a` and `b`; everything is aligned as its type is; `is_known` is true.
void run(const Product &product, size_t threads);

} // namespace hlokit::matmul
