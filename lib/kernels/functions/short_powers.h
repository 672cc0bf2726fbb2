// Powers of f64 with one exponent for all, in sums of two doubles: the exponent is an integer, or an integer and a half.
// Part of functions.cpp, with internal linkage.
#pragma once

#include "kernels/functions/fast.h"
#include "support/vectors.h"

namespace hlokit::functions {
namespace {

// Operations that round once, as powers do.
HLOKIT_INLINE bool is_rounded_once(double y) { return (y == 2) | (y == 1) | (y == -1) | (y == 0.5); }
HLOKIT_INLINE void powers_rounded_once(double *HLOKIT_RESTRICT to, const double *a, double y, size_t count) {
  if (y == 2) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < count; ++i)
      to[i] = a[i] * a[i];
  } else if (y == 1) {
    for (size_t i = 0; i < count; ++i)
      to[i] = a[i];
  } else if (y == -1) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < count; ++i)
      to[i] = 1 / a[i];
  } else {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < count; ++i)
      to[i] = choose(a[i] == -infinity, infinity, sqrt(a[i] + 0.0)); // never the root of -0
  }
}

HLOKIT_INLINE bool is_short_exponent(double y) {
  return fabs(y) <= 32 && 2 * y == static_cast<double>(static_cast<int>(2 * y));
}

// A block of powers, and whether each is the nearest f64. The error is that of some 128 operations. Numbers are so moderate
// that no product and no error overflows or is subnormal; others, and roots of negative numbers, are left undecided.
HLOKIT_INLINE void short_powers(double *HLOKIT_RESTRICT to, uint64_t *HLOKIT_RESTRICT doubts, const double *a, double y) {
  constexpr size_t block = vector_block;
  const auto twice = static_cast<unsigned>(static_cast<int>(2 * fabs(y)));
  const bool is_root = (twice & 1) != 0;
  double base[block], base_low[block], power[block], power_low[block];
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    base[i] = a[i];
    base_low[i] = 0;
    power[i] = 1;
    power_low[i] = 0;
  }
  if (is_root) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < block; ++i) {
      const Pair found = root({base[i], 0});
      base[i] = found.high;
      base_low[i] = found.low;
    }
  }
  for (unsigned left = is_root ? twice : twice / 2; left != 0; left >>= 1) {
    if ((left & 1) != 0) {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < block; ++i) {
        const Pair product = Pair{power[i], power_low[i]} * Pair{base[i], base_low[i]};
        power[i] = product.high;
        power_low[i] = product.low;
      }
    }
    if (left > 1) {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < block; ++i) {
        const Pair square = Pair{base[i], base_low[i]} * Pair{base[i], base_low[i]};
        base[i] = square.high;
        base_low[i] = square.low;
      }
    }
  }
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    const Pair value = {power[i], power_low[i]}, inverse = Pair{1, 0} / value;
    const Pair result = choose(y < 0, inverse, value);
    constexpr double least = 0x1p-400, most = 0x1p400;
    const double size = magnitude(a[i]), last = magnitude(base[i]), found = magnitude(value.high);
    const bool is_inside = (size > least) & (size < most) & (last > least) & (last < most) & (found > least) & (found < most);
    const double error = choose(is_inside, magnitude(result.high) * 0x1p-92, infinity);
    Decision decision = decide({result.high, result.low, error});
    to[i] = decision.result;
    doubts[i] = decision.is_decided ? 0 : 1;
  }
}

} // namespace
} // namespace hlokit::functions
