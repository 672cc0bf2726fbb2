// The kernels of kernels.cpp, which is compiled for each level of processor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/elements/type.h"
#include "support/variants.h"

namespace hlokit::matmul {

// Terms that are summed in the type itself. Longer sums are added up in more precision.
constexpr size_t block_terms = 256;
// Rows that are packed at once, rows whose sums are kept meanwhile, and columns of both.
constexpr size_t block_rows = 252, most_rows = 4 * block_rows, block_columns = 256;

// Several dimensions as one: index -> offset in bytes. The last dimension is the innermost.
struct Offsets {
  const size_t *sizes;
  const ptrdiff_t *strides;
  size_t rank; // at least 1
  const ptrdiff_t *all; // the offsets of all indices, or null
};

// Convert elements from and to memory, where they are `stride` bytes apart.
template <class T> using Read = void (*)(T *to, const unsigned char *from, ptrdiff_t stride, size_t count);
template <class T> using Write = void (*)(unsigned char *to, ptrdiff_t stride, const T *from, size_t count);

// A rectangle of a product, with all terms.
template <class T> struct Part {
  const unsigned char *a, *b;
  unsigned char *c;
  // Null where the memory holds T: kernels may then use it in place.
  Read<T> read_a, read_b;
  Write<T> write;
  size_t a_size, b_size, c_size; // of elements
  Offsets a_rows, a_terms, b_terms, b_columns, c_rows, c_columns;
  size_t first_row, rows, first_column, columns, terms;
  // `workspace_bytes(part)` bytes, aligned to 64.
  unsigned char *workspace;
};

// Sums of at most `block_terms` products for each of `count` neighbours: sums[i] += a[terms][i] * b[terms][i].
template <class T> struct Line {
  const unsigned char *a, *b;
  const ptrdiff_t *a_terms, *b_terms; // in bytes
  size_t terms, count;
  T *sums;
};

// Small matrices that are multiplied in place, without packing, with the offsets of all indices, in bytes.
template <class T> struct Direct {
  size_t rows, columns;
  size_t terms; // of real numbers: 1 to `block_terms`. A complex number is two.
  ptrdiff_t a_batch, b_batch, c_batch;
  const ptrdiff_t *a_rows, *a_terms, *b_columns, *c_rows, *c_columns;
  const ptrdiff_t *b_terms; // of complex numbers, of which a has two terms
  const size_t *b_runs, *c_runs;  // from each column on, the columns that are neighbours in memory
  bool is_complex;
  bool is_along_terms; // terms are neighbours in memory, and vectors have the lanes of a sum
};

// A batch of `count` matrices.
struct Matrices {
  const unsigned char *a, *b;
  unsigned char *c;
  size_t count;
};

template <class T> using DirectFunction = void (*)(const Direct<T> &direct, const Matrices &matrices);

template <class T> struct Kernels {
  size_t rows, columns; // of a tile
  size_t (*workspace_bytes)(const Part<T> &part);
  void (*compute)(const Part<T> &part);
  void (*compute_line)(const Line<T> &line);
  // By ElementType of the memory; null where there is no conversion. Those for T itself are never null.
  Read<T> reads[element_type_count];
  Write<T> writes[element_type_count];
};

// `choose_direct` returns the function for products of this form, or null if there is none.
HLOKIT_DECLARE_VARIANTS(const Kernels<float> &kernels(float); const Kernels<double> &kernels(double);
                        DirectFunction<float> choose_direct(const Direct<float> &direct);
                        DirectFunction<double> choose_direct(const Direct<double> &direct))

// For products of i8 whose sums are i32. Null where they are not compiled; other processors than those of `has_byte_products`
// (support/cpu.h) cannot run them.
HLOKIT_DECLARE_VARIANTS(const Kernels<int8_t> *byte_kernels())

} // namespace hlokit::matmul
