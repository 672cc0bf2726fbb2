// What lib/matmul_kernels.cpp computes, once for each set of instructions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "matmul.h"

namespace hlokit::matmul {

// Terms that are summed in the type itself, at most. Sums of these are added up in more precision.
constexpr size_t block_terms = 384;
// Rows that are copied at once, rows whose sums are kept meanwhile, and columns of both.
constexpr size_t block_rows = 252, most_rows = 4 * block_rows, block_columns = 256;

// A dimension made of several: the offset, in bytes, of each of its indices. The last one is the innermost.
struct Offsets {
  const size_t *sizes;
  const ptrdiff_t *strides;
  size_t rank; // at least 1
};

// Elements to and from memory, `stride` bytes apart.
template <class T> using Read = void (*)(T *to, const unsigned char *from, ptrdiff_t stride, size_t count);
template <class T> using Write = void (*)(unsigned char *to, ptrdiff_t stride, const T *from, size_t count);

// A rectangle of a product, all of its terms.
template <class T> struct Part {
  const unsigned char *a, *b;
  unsigned char *c;
  // Null where the memory holds T: then it may be used as it is.
  Read<T> read_a, read_b;
  Write<T> write;
  bool is_exact; // sums of integers that are never rounded
  size_t a_size, b_size, c_size; // of elements
  Offsets a_rows, a_terms, b_terms, b_columns, c_rows, c_columns;
  size_t first_row, rows, first_column, columns, terms;
  // Of `workspace_bytes`, aligned to 64 bytes.
  unsigned char *workspace;
};

template <class T> struct Kernels {
  // Of a tile.
  size_t rows, columns;
  size_t (*workspace_bytes)(const Part<T> &part);
  void (*compute)(const Part<T> &part);
  // By types of memory; null if there is none. Those for T itself are never null.
  Read<T> reads[type_count];
  Write<T> writes[type_count];
};

// Those for AVX2 and AVX-512 are null if this was not built for such processors.
const Kernels<float> *baseline_kernels(float);
const Kernels<double> *baseline_kernels(double);
const Kernels<float> *avx2_kernels(float);
const Kernels<double> *avx2_kernels(double);
const Kernels<float> *avx512_kernels(float);
const Kernels<double> *avx512_kernels(double);

} // namespace hlokit::matmul
