// Special functions of f64, in vectors as in fast.h: erf, erfc and erf_inv, lgamma and digamma.
#pragma once

#include "kernels/functions/fast.h"

namespace hlokit::functions {
namespace {

// Error functions ----------------------------------------------------------------------------------------------------

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

// Gamma --------------------------------------------------------------------------------------------------------------

// Stirling's series from here on; below, the functional equation leads there.
constexpr double stirling_from = 16;
constexpr Pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Pair twelfth = {0x1.5555555555555p-4, 0x1.5555555555555p-58};

// Where gamma is computed instead of at x: at z = y or y + 16, where y is x, or 1 - x for negative x.
struct GammaOperand {
  bool is_negative, is_shifted, is_inside;
  Pair z;
  // For negative x: the sine and cosine of pi (x - n), with the integer n next to x.
  Approximation sine, cosine;
  // y (y + 15), of which y (y + 1) ... (y + 15) is a product: of (this + k (15 - k)) for k from 0 to 7.
  Pair square, twice; // and its derivative, 2 y + 15
};
constexpr double square_steps[] = {0, 14, 26, 36, 44, 50, 54, 56};

template <bool has_cosine> HLOKIT_INLINE GammaOperand gamma_operand(double x) {
  const double size = magnitude(x), steps = x + rounder, r = x - (steps - rounder);
  const bool is_negative = x < 0;
  const bool is_inside = (size > 0x1p-300) & (size < choose(is_negative, 0x1p30, 0x1p900)) & (!is_negative | (r != 0));
  x = choose(is_inside, x, 3);
  const Pair y = choose(is_negative, two_sum(1, -x), {x, 0});
  const bool is_shifted = y.high < stirling_from;
  const Pair limited = choose(is_shifted, y, {1, 0});
  GammaOperand g = {is_negative, is_shifted, is_inside, choose(is_shifted, stirling_from + y, y), {1, 0, 0}, {0, 0, 0},
                    limited * (15 + limited), 15 + scaled(limited, 2)};
  const double turn = choose(is_negative & is_inside, r, 0.5);
  const Pair angle = pi * Pair{turn, 0};
  const Turned t = turned(angle);
  g.sine = t.sine_of_sum();
  g.sine.error += magnitude(angle.high) * 0x1p-97;
  if constexpr (has_cosine) {
    g.cosine = t.cosine_of_sum();
    g.cosine.error += 0x1p-97;
  }
  return g;
}

// Where lgamma is 0, it is exactly 0.
struct Lgamma {
  static HLOKIT_INLINE Approximation of(double x) {
    const GammaOperand g = gamma_operand<false>(x);
    Pair product = g.square;
    for (int k = 1; k < 8; ++k)
      product = product * (square_steps[k] + g.square);
    const double sign = choose(g.is_negative, g.sine.high, 1);
    const Pair sine = {signed_by(g.sine.high, sign), signed_by(g.sine.low, sign)};
    const Pair shift = choose(g.is_shifted, product, Pair{1, 0});
    const Pair quotient = choose(g.is_negative, shift / sine, shift);
    const Approximation log_of_z = logarithm_of_sum(0, g.z), log_of_shift = logarithm_of_sum(0, quotient);
    const Pair inverse = Pair{1, 0} / g.z;
    const double square = inverse.high * inverse.high;
    constexpr double terms[] = {-1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400};
    const double series = inverse.high * (square * polynomial(terms, square));
    constexpr Pair constant = {stirling_constant, stirling_constant_low}, log_pi = {log_of_pi, log_of_pi_low};
    const Pair product_of_z = (-0.5 + g.z) * (-1 + Pair{log_of_z.high, log_of_z.low});
    const Pair stirling = product_of_z + (constant + (series + twelfth * inverse));
    const Pair whole = stirling + -Pair{log_of_shift.high, log_of_shift.low};
    const Pair value = choose(g.is_negative, log_pi + -whole, whole);
    const double of_sine = choose(g.is_negative, 2 * g.sine.error / magnitude(g.sine.high), 0);
    const double error = 2 * (g.z.high * log_of_z.error + log_of_shift.error + of_sine) + magnitude(series) * 0x1p-49 + square * 0x1p-62 +
                         (magnitude(product_of_z.high) + magnitude(log_of_shift.high) + 2) * 0x1p-96;
    const bool is_zero = (x == 1) | (x == 2);
    return {choose(is_zero, 0, value.high), choose(is_zero, 0, value.low), choose(is_zero, 0, choose(g.is_inside, error, infinity))};
  }
};

struct Digamma {
  static HLOKIT_INLINE Approximation of(double x) {
    const GammaOperand g = gamma_operand<true>(x);
    // The sum of 1 / (square + steps) as a quotient.
    Pair product = g.square, dividend = {1, 0};
    for (int k = 1; k < 8; ++k) {
      const Pair factor = square_steps[k] + g.square;
      dividend = dividend * factor + product;
      product = product * factor;
    }
    const Pair shift = g.twice * dividend / product;
    const Approximation log_of_z = logarithm_of_sum(0, g.z);
    const Pair inverse = Pair{1, 0} / g.z;
    const double square = inverse.high * inverse.high;
    constexpr double terms[] = {-1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12, -3617.0 / 8160};
    const double series = square * (square * polynomial(terms, square));
    const Pair less = scaled(inverse, 0.5) + (series + twelfth * (inverse * inverse));
    Pair value = Pair{log_of_z.high, log_of_z.low} + -less;
    value = choose(g.is_shifted, value + -shift, value);
    const Pair cotangent = pi * Pair{g.cosine.high, g.cosine.low} / Pair{g.sine.high, g.sine.low};
    const double size = magnitude(cotangent.high);
    const double of_reflection = 2 * (4 * g.cosine.error + size * g.sine.error) / magnitude(g.sine.high) + size * 0x1p-96;
    const Pair reflected = value + -cotangent;
    const double error = 2 * log_of_z.error + magnitude(series) * 0x1p-49 + square * 0x1p-62 +
                         (magnitude(log_of_z.high) + choose(g.is_shifted, shift.high, 0)) * 0x1p-95;
    return {choose(g.is_negative, reflected.high, value.high), choose(g.is_negative, reflected.low, value.low),
            choose(g.is_inside, error + choose(g.is_negative, of_reflection, 0), infinity)};
  }
};

} // namespace
} // namespace hlokit::functions
