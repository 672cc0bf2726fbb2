// Extrema of floats by one instruction for each vector, where those of arithmetic.h take seven: for elements without NaNs,
// and results other than zero. Part of combinations.cpp, with internal linkage.
#pragma once

#include "kernels/elements/arithmetic.h"
#include "kernels/regions/combinations.h"
#include "kernels/regions/combined_types.h"

namespace hlokit::regions {
namespace {

// Of a number and a NaN, and of zeros, the first one.
template <class T> struct QuickMaximum {
  static T of(T a, T b) { return b > a ? b : a; }
};
template <class T> struct QuickMinimum {
  static T of(T a, T b) { return b < a ? b : a; }
};

// Extrema are the same in any order: those of short rows are computed for several rows at a time.
template <class Op> constexpr bool is_extremum = false;
template <class P> constexpr bool is_extremum<Maximum<P>> = true;
template <class P> constexpr bool is_extremum<Minimum<P>> = true;
template <class P> constexpr bool is_extremum<QuickMaximum<P>> = true;
template <class P> constexpr bool is_extremum<QuickMinimum<P>> = true;

// Shorter runs of elements side by side are not searched for NaNs.
constexpr size_t least_searched = 16;

// The elements of a slab as runs: `count` runs of `length` elements side by side, `outer` times.
struct Runs {
  size_t outer, outer_stride, count, stride, length;
};

inline Runs runs_of(const Slab &slab) {
  const size_t size = slab.rows * slab.width;
  if (slab.row_stride == slab.width && slab.outer_stride == size)
    return {1, 0, 1, 0, slab.outer * size};
  if (slab.row_stride == slab.width)
    return {slab.outer, slab.outer_stride, 1, 0, size};
  return {slab.outer, slab.outer_stride, slab.rows, slab.row_stride, slab.width};
}

template <class P, class T> bool has_nan(const T *from, size_t count) {
  uint32_t nans = 0;
  for (size_t i = 0; i < count; ++i) {
    const P value = load<P>(from[i]);
    nans |= value != value;
  }
  return nans != 0;
}

// Whether quick extrema are right: `results` of the elements of a slab.
template <class P, class T> bool are_quick(const P *results, size_t count, const T *from, const Runs &runs) {
  uint32_t zeros = 0;
  for (size_t i = 0; i < count; ++i)
    zeros |= !(results[i] < 0 || results[i] > 0);
  if (zeros != 0)
    return false;
  for (size_t i = 0; i < runs.outer; ++i)
    for (size_t j = 0; j < runs.count; ++j)
      if (has_nan<P>(from + i * runs.outer_stride + j * runs.stride, runs.length))
        return false;
  return true;
}

} // namespace
} // namespace hlokit::regions
