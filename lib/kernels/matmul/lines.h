// Products along lines: neighbours in memory are elements of a batch, so that a vector holds sums of several products.
// Part of kernels.cpp, with internal linkage.
#pragma once

#include "kernels/matmul/vectors.h"

namespace hlokit::matmul {
namespace {

// Sums of `vectors` vectors of neighbours, from element `first` on, in the order of vectors.h.
template <class T, int vectors> void compute_vectors(const Line<T> &line, size_t first) {
  constexpr size_t width = lanes<T>;
  alignas(64) T waiting[tree_height][vectors * width];
  const size_t lane_count = lanes_of(line.terms);
  const unsigned char *a = line.a + first * sizeof(T), *b = line.b + first * sizeof(T);
  for (size_t number = 0; number < lane_count; ++number) {
    Vector<T> sums[vectors];
    HLOKIT_UNROLL
    for (int j = 0; j < vectors; ++j)
      sums[j] = all(T(0));
    for (size_t term = lane_order[number] * lane_count / 16; term < line.terms; term += lane_count) {
      const T *left = reinterpret_cast<const T *>(a + line.a_terms[term]);
      const T *right = reinterpret_cast<const T *>(b + line.b_terms[term]);
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        multiply_add<T>(sums[j], load(left + j * width), load(right + j * width));
    }
    int height = 0;
    for (size_t digits = number; digits & 1; ++height, digits >>= 1) {
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        sums[j] += load(waiting[height] + j * width);
    }
    T *to = number + 1 == lane_count ? line.sums + first : waiting[height];
    HLOKIT_UNROLL
    for (int j = 0; j < vectors; ++j)
      store(to + j * width, sums[j] + all(T(0)));
  }
}

template <class T> void compute_element(const Line<T> &line, size_t i) {
  const size_t lane_count = lanes_of(line.terms);
  T sums[16] = {};
  for (size_t term = 0; term < line.terms; ++term)
    multiply_add(sums[term % lane_count], *reinterpret_cast<const T *>(line.a + line.a_terms[term] + i * sizeof(T)),
                 *reinterpret_cast<const T *>(line.b + line.b_terms[term] + i * sizeof(T)));
  for (size_t half = lane_count / 2; half; half /= 2)
    for (size_t lane = 0; lane < half; ++lane)
      sums[lane] += sums[lane + half];
  line.sums[i] = sums[0] + T(0);
}

template <class T> void compute_line(const Line<T> &line) {
  constexpr size_t width = lanes<T>;
  size_t i = 0;
  for (; i + 4 * width <= line.count; i += 4 * width)
    compute_vectors<T, 4>(line, i);
  if (i + 2 * width <= line.count) {
    compute_vectors<T, 2>(line, i);
    i += 2 * width;
  }
  if (i + width <= line.count) {
    compute_vectors<T, 1>(line, i);
    i += width;
  }
  if (i < line.count && i > 0) { // the last vector overlaps the one before
    compute_vectors<T, 1>(line, line.count - width);
    return;
  }
  for (; i < line.count; ++i)
    compute_element(line, i);
}

} // namespace
} // namespace hlokit::matmul
