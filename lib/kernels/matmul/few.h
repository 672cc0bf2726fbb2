// Products of small matrices, an element at a time. Part of kernels.cpp, with internal linkage.
#pragma once

#include "kernels/matmul/vectors.h"

namespace hlokit::matmul {
namespace {

// The sum of products of one row and one column, in the order of vectors.h. `known` is the number of terms, or 0.
template <class T, size_t known>
HLOKIT_INLINE T sum_of_few(const Few<T> &few, const unsigned char *a, const unsigned char *b) {
  const size_t terms = known ? known : few.terms, lane_count = lanes_of(terms);
  T sums[lanes_of(few_terms)] = {};
  for (size_t term = 0; term < terms; ++term, a += few.a_term, b += few.b_term)
    multiply_add(sums[term % lane_count], *reinterpret_cast<const T *>(a), *reinterpret_cast<const T *>(b));
  for (size_t half = lane_count / 2; half; half /= 2)
    for (size_t lane = 0; lane < half; ++lane)
      sums[lane] += sums[lane + half];
  return sums[0] + T(0);
}

template <class T, size_t known> void compute_few_of(const Few<T> &few) {
  const unsigned char *a_matrix = few.a, *b_matrix = few.b;
  unsigned char *c_matrix = few.c;
  for (size_t i = 0; i < few.batch; ++i) {
    const unsigned char *a = a_matrix;
    unsigned char *c_row = c_matrix;
    for (size_t row = 0; row < few.rows; ++row) {
      const unsigned char *b = b_matrix;
      unsigned char *c = c_row;
      for (size_t column = 0; column < few.columns; ++column) {
        *reinterpret_cast<T *>(c) = sum_of_few<T, known>(few, a, b);
        b += few.b_column;
        c += few.c_column;
      }
      a += few.a_row;
      c_row += few.c_row;
    }
    a_matrix += few.a_batch;
    b_matrix += few.b_batch;
    c_matrix += few.c_batch;
  }
}

template <class T> void compute_few(const Few<T> &few) {
  switch (few.terms) {
  case 2:
    return compute_few_of<T, 2>(few);
  case 3:
    return compute_few_of<T, 3>(few);
  case 4:
    return compute_few_of<T, 4>(few);
  default:
    return compute_few_of<T, 0>(few);
  }
}

} // namespace
} // namespace hlokit::matmul
