// Remainders of floats, the same numbers as fmod. Part of kernels.cpp, with internal linkage.
//
// `count`, the number of times that the divisor fits into the dividend, is rounded to the nearest integer, and is so small
// that its product with the divisor and the difference are exact. The difference is some half of the divisor at most, in
// magnitude; the divisor corrects a negative one. fmod computes the rest: larger counts, and operands that are infinite,
// NaN or a divisor of 0.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/elements/scalars.h"
#include "kernels/functions/pairs.h"
#include "support/vectors.h"
#include "vm/pointwise/functions.h"

namespace hlokit::vm {
namespace {

struct PartialRemainder {
  double rest;
  uint64_t is_partial; // 1 if fmod must compute it
};

HLOKIT_INLINE PartialRemainder corrected(double rest, double x, double divisor, bool is_exact) {
  return {with_sign(choose(rest < 0, rest + divisor, rest), x), is_exact ? uint64_t(0) : uint64_t(1)};
}
// Of f32 in f64, where products of 24 and 29 bits are exact.
HLOKIT_INLINE PartialRemainder partial_remainder(float x, float y) {
  const double size = magnitude(x), divisor = magnitude(y);
  const double count = (size / divisor + rounder) - rounder;
  return corrected(size - count * divisor, x, divisor, (count < 0x1p29) & (divisor < infinity));
}
// Of f64, with the product as a sum of two doubles.
HLOKIT_INLINE PartialRemainder partial_remainder(double x, double y) {
  const double size = magnitude(x), divisor = magnitude(y);
  const double count = (size / divisor + rounder) - rounder;
  const functions::Pair product = functions::two_product(count, divisor);
  const bool is_exact = (count < 0x1p50) & (divisor < 0x1p900) & (divisor > 0x1p-900);
  return corrected((size - product.high) - product.low, x, divisor, is_exact);
}

template <class T> HLOKIT_INLINE void remainders_of_block(double *HLOKIT_RESTRICT to, const T *a, const T *b) {
  uint64_t partial[vector_block], any = 0;
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < vector_block; ++i) {
    PartialRemainder found = partial_remainder(a[i], b[i]);
    to[i] = found.rest;
    partial[i] = found.is_partial;
  }
  for (size_t i = 0; i < vector_block; ++i)
    any |= partial[i];
  for (size_t i = 0; any != 0 && i < vector_block; ++i)
    if (partial[i] != 0)
      to[i] = Remainder<T>::of(a[i], b[i]);
}

// A function of blocks: see sweeps.h.
inline HLOKIT_NOINLINE void remainders_of_blocks(double *HLOKIT_RESTRICT to, const float *a, const float *b, size_t count) {
  for (size_t block = 0; block < count; block += vector_block)
    remainders_of_block(to + block, a + block, b + block);
}

inline void sweep_remainders_of_f64(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *result = static_cast<double *>(to);
  auto *x = static_cast<const double *>(a), *y = static_cast<const double *>(b);
  if (count < vector_block) {
    for (size_t i = 0; i < count; ++i)
      result[i] = Remainder<double>::of(x[i], y[i]);
    return;
  }
  for (size_t i = 0; i < count; i += vector_block) {
    i = count - i < vector_block ? count - vector_block : i; // the last block overlaps the one before
    remainders_of_block(result + i, x + i, y + i);
  }
}

} // namespace
} // namespace hlokit::vm
