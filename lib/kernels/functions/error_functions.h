// The error function, its complement and its inverse, of f64: see fast.h.
#pragma once

#include "kernels/functions/fast.h"

namespace hlokit::functions {
namespace {

constexpr double most_error_function = 6;

// erf(size), or erfc(size), for 0 <= size <= 6.
struct ErrorFunction {
  Pair value;
  double slope, error; // the slope of erf
};

// The terms of exp(-2 center s - s**2), their sum, and the sum of their integrals from the quadratic term on, divided by s.
struct TermsOfSlope {
  double before, last, sum, integral;

  template <int k> HLOKIT_INLINE void add(double along, double square) {
    const double term = (-2.0 / k) * multiply_add(along, last, square * before);
    before = last;
    last = term;
    sum += term;
    integral = multiply_add(term, 1.0 / (k + 1), integral);
    if constexpr (k < 12)
      add<k + 1>(along, square);
  }
};
// Taylor's series around a multiple of 1/32: the slope is exp(-2 center s - s**2) times the one at the center, which comes from
// a table, as the function there. The product of the center and t has at most 53 bits.
HLOKIT_INLINE ErrorFunction error_function(double size, bool is_complement) {
  constexpr uint64_t complements = sizeof errors / sizeof *errors / 2;
  const double shifted = size * 32 + rounder, center = (shifted - rounder) * (1.0 / 32), t = size - center;
  const uint64_t index = bits_of<uint64_t>(shifted) & 255, other = index + (complements & (0 - static_cast<uint64_t>(is_complement)));
  const Pair base = {errors[other], errors_low[other]}, slope = {slopes[index], slopes_low[index]};
  const double along = center * t, square = t * t;
  TermsOfSlope terms = {1, -2 * along, 1 - 2 * along, 0};
  terms.add<2>(along, square);
  // The integral of the series: t (1 - along + curved).
  const Pair linear = fast_two_sum(1, -along), product = two_product(t, linear.high);
  const Pair width = fast_two_sum(product.high, product.low + t * (linear.low + terms.integral));
  const Pair rise = Pair{slope.high, slope.low} * width, step = choose(is_complement, -rise, rise);
  const Pair whole = fast_two_sum(base.high, step.high);
  const Pair value = fast_two_sum(whole.high, whole.low + (base.low + step.low));
  const double of_series = slope.high * magnitude(t) * (2 * along * along + square) * 0x1p-50;
  return {value, slope.high * terms.sum, of_series + value.high * 0x1p-98};
}
HLOKIT_INLINE double within_error_function(double size) {
  return choose(size < most_error_function, size, most_error_function);
}

struct Erf {
  static HLOKIT_INLINE Approximation of(double x) {
    const double size = magnitude(x);
    const ErrorFunction found = error_function(within_error_function(size), false);
    // Further on it is 1.
    return {signed_by(found.value.high, x), signed_by(found.value.low, x),
            choose((size > 0x1p-900) & (size <= infinity), found.error, infinity)};
  }
};

struct Erfc {
  static HLOKIT_INLINE Approximation of(double x) {
    const double size = magnitude(x);
    const bool is_complement = x >= 0.5;
    const ErrorFunction found = error_function(within_error_function(size), is_complement);
    const Pair erf = {signed_by(found.value.high, x), signed_by(found.value.low, x)};
    const Pair value = choose(is_complement, found.value, 1 + -erf);
    const bool is_inside = (x <= most_error_function) & (size > 0x1p-900) & (size <= infinity);
    return approximation(value, choose(is_inside, found.error + value.high * 0x1p-98, infinity));
  }
};

// A polynomial gives y, and the inverse's Taylor series of three terms the rest. The derivatives of erf are its slope times 1,
// -2 y, 4 y**2 - 2.
struct ErfInv {
  static HLOKIT_INLINE Approximation of(double x) {
    const double size = magnitude(x);
    const bool is_inside = (size > 0x1p-900) & (size < 1), is_complement = size >= 0.5;
    const double target = choose(is_inside, size, 0.25), rest = 1 - target;
    const double v = sqrt(2 - logarithm(rest * (1 + target)).high);
    const double y = target * polynomial(erf_inv_terms, v - erf_inv_center);
    const ErrorFunction found = error_function(y, is_complement);
    const double excess = choose(is_complement, (found.value.high - rest) + found.value.low, (target - found.value.high) - found.value.low);
    const double step = excess / found.slope;
    const double low = step + step * step * (y + step * ((4 * y * y + 1) * (1.0 / 3)));
    const double wide = (2 * y + 1) * step, fourth = wide * wide * wide * magnitude(step);
    const double error = found.error / found.slope + magnitude(step) * 0x1p-49 + 2 * magnitude(fourth);
    return {signed_by(y, x), signed_by(low, x), choose(is_inside, error, infinity)};
  }
};

} // namespace
} // namespace hlokit::functions
