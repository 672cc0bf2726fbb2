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
#include "kernels/elements/pairs.h"
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
HLOKIT_INLINE PartialRemainder partial_remainder(float x, double divisor, double quotient) {
  const double count = (quotient + rounder) - rounder;
  return corrected(magnitude(x) - count * divisor, x, divisor, (count < 0x1p29) & (divisor < infinity));
}
HLOKIT_INLINE PartialRemainder partial_remainder(float x, float y) {
  const double divisor = magnitude(y);
  return partial_remainder(x, divisor, magnitude(x) / divisor);
}
// One divisor for all dividends. The product with its reciprocal errs by less than 2**-22: where the quotient is half way
// between two integers, either count will do.
struct Divisor {
  double size, inverse;
};
HLOKIT_INLINE PartialRemainder partial_remainder(float x, Divisor y) {
  return partial_remainder(x, y.size, magnitude(x) * y.inverse);
}
// Of f64, with the product as a sum of two doubles.
HLOKIT_INLINE PartialRemainder partial_remainder(double x, double y) {
  const double size = magnitude(x), divisor = magnitude(y);
  const double count = (size / divisor + rounder) - rounder;
  const functions::Pair product = functions::two_product(count, divisor);
  const bool is_exact = (count < 0x1p50) & (divisor < 0x1p900) & (divisor > 0x1p-900);
  return corrected((size - product.high) - product.low, x, divisor, is_exact);
}

// `divisor_of` gives the divisor of element i, in the form that partial_remainder takes.
template <class T, class DivisorOf>
HLOKIT_INLINE void compute_remainders(double *HLOKIT_RESTRICT to, size_t count, const T *a, const T *b, size_t step,
                                      DivisorOf divisor_of) {
  uint64_t partial[vector_block] = {}, any = 0;
  for (size_t block = 0; block < count; block += vector_block) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < vector_block; ++i) {
      PartialRemainder found = partial_remainder(a[block + i], divisor_of(block + i));
      to[block + i] = found.rest;
      partial[i] |= found.is_partial;
    }
  }
  for (size_t i = 0; i < vector_block; ++i)
    any |= partial[i];
  if (any == 0)
    return;
  HLOKIT_ROLLED
  for (size_t i = 0; i < count; ++i)
    if (partial_remainder(a[i], divisor_of(i)).is_partial != 0)
      to[i] = Remainder<T>::of(a[i], b[i * step]);
}

// Functions of blocks: see sweeps.h.
inline HLOKIT_NOINLINE void remainders_of_blocks(double *HLOKIT_RESTRICT to, const float *a, const float *b, size_t count) {
  compute_remainders(to, count, a, b, 1, [b](size_t i) { return b[i]; });
}
inline HLOKIT_NOINLINE void remainders_by_one_of_blocks(double *HLOKIT_RESTRICT to, const float *a, const float *b,
                                                        size_t count) {
  const Divisor divisor{magnitude(*b), 1 / magnitude(*b)};
  compute_remainders(to, count, a, b, 0, [divisor](size_t) { return divisor; });
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
    compute_remainders(result + i, vector_block, x + i, y + i, 1, [b = y + i](size_t j) { return b[j]; });
  }
}

} // namespace
} // namespace hlokit::vm
