// Sums of two doubles with a bound of their error: the number lies within `error` of high + low. Compiled once for each
// level, hence with internal linkage.
#pragma once

#include "kernels/functions/fast.h"
#include "kernels/functions/special_constants.h"
#include "kernels/functions/special_formulas.h"

namespace hlokit::functions {
namespace {

// The functions of balls in blocks are inlined, so that compilers vectorise loops over a block.
template <bool is_in_block> struct BallOf {
  double high, low, error;
};
using Ball = BallOf<false>;
using BallInBlock = BallOf<true>;

// Relative errors of operations, and the absolute error among subnormal numbers.
constexpr double of_sum = 0x1p-99, of_product = 0x1p-98, of_quotient = 0x1p-97, lost = 0x1p-1050;

template <bool b = false> HLOKIT_INLINE BallOf<b> ball(Pair value, double error) { return {value.high, value.low, error}; }
template <bool b = false> HLOKIT_INLINE BallOf<b> ball(Approximation found) { return {found.high, found.low, found.error}; }
template <bool b> HLOKIT_INLINE Pair pair(const BallOf<b> &a) { return {a.high, a.low}; }
HLOKIT_INLINE Ball ball(TwoDoubles value) { return {value.high, value.low, magnitude(value.high) * of_product}; }
template <bool b> HLOKIT_INLINE double about(const BallOf<b> &a) { return a.high; }
template <> HLOKIT_INLINE Ball of<Ball>(double value) { return {value, 0, 0}; }
template <> HLOKIT_INLINE BallInBlock of<BallInBlock>(double value) { return {value, 0, 0}; }

template <bool b> HLOKIT_INLINE BallOf<b> operator-(const BallOf<b> &a) { return {-a.high, -a.low, a.error}; }
template <bool b> HLOKIT_INLINE BallOf<b> operator+(const BallOf<b> &x, const BallOf<b> &y) {
  return ball<b>(pair(x) + pair(y), x.error + y.error + (magnitude(x.high) + magnitude(y.high)) * of_sum);
}
template <bool b> HLOKIT_INLINE BallOf<b> operator-(const BallOf<b> &x, const BallOf<b> &y) { return x + -y; }
template <bool b> HLOKIT_INLINE BallOf<b> operator*(const BallOf<b> &x, const BallOf<b> &y) {
  const Pair value = pair(x) * pair(y);
  return ball<b>(value, 2 * (magnitude(x.high) * y.error + magnitude(y.high) * x.error + x.error * y.error) +
                            magnitude(value.high) * of_product + lost);
}
template <bool b> HLOKIT_INLINE BallOf<b> operator/(const BallOf<b> &x, const BallOf<b> &y) {
  const Pair value = pair(x) / pair(y);
  const double inverse = magnitude(1 / y.high), error = 2 * (x.error + magnitude(value.high) * y.error + lost) * inverse;
  const bool is_sure = y.error < magnitude(y.high) * 0.25;
  return ball<b>(value, choose(is_sure, error + magnitude(value.high) * of_quotient + lost, infinity));
}
template <bool b> HLOKIT_INLINE BallOf<b> with_error(const BallOf<b> &a, double error) {
  return {a.high, a.low, a.error + error};
}

template <bool b> HLOKIT_INLINE BallOf<b> exponential_by_formula(const BallOf<b> &a) {
  const PowerOfE e = power_of_e(pair(a));
  const Pair value = scaled(e.value(), e.scale);
  return ball<b>(value, choose(a.error < 0.5, 2 * (e.error() + value.high * (a.error + of_sum)), infinity));
}
// log(1 + a), or log(a).
template <bool b> HLOKIT_INLINE BallOf<b> log_by_formula(bool is_from_one, const BallOf<b> &a) {
  const double base = choose(is_from_one, 1, 0), whole = base + a.high;
  const Approximation found = logarithm_of_sum(base, pair(a));
  return {found.high, found.low, choose(a.error < whole * 0.25, 2 * (found.error + a.error / whole), infinity)};
}
template <bool b> HLOKIT_INLINE BallOf<b> root_by_formula(const BallOf<b> &a) {
  const Pair value = root(pair(a));
  return ball<b>(value, value.high * of_quotient + 2 * a.error * (0.5 / sqrt(a.high)) + lost);
}
HLOKIT_NOINLINE Ball exponential(const Ball &a) { return exponential_by_formula(a); }
HLOKIT_NOINLINE Ball log(const Ball &a) { return log_by_formula(false, a); }
HLOKIT_NOINLINE Ball root(const Ball &a) { return root_by_formula(a); }

// Sine and cosine of pi r, |r| <= 1/2.
HLOKIT_INLINE void sine_cosine_of_pi(double r, Ball &sine, Ball &cosine) {
  const TwoDoubles &pi = double_constants().pi;
  const Pair angle = Pair{pi.high, pi.low} * Pair{r, 0};
  Turned t = turned(angle);
  t.error += magnitude(angle.high) * of_product + lost;
  sine = with_error(ball(t.sine_of_sum()), magnitude(angle.high) * of_product);
  cosine = with_error(ball(t.cosine_of_sum()), of_product);
}

// The sum of c[k] t**k: from `pairs` on in f64, where terms are small. Errors are bounded by the sum of magnitudes.
HLOKIT_INLINE Ball horner(const TwoDoubles *c, int count, const Ball &t) {
  Pair sum = {c[count - 1].high, c[count - 1].low};
  double sizes = magnitude(sum.high);
  const double size = magnitude(t.high);
  for (int k = count - 2; k >= 0; --k) {
    sum = Pair{c[k].high, c[k].low} + pair(t) * sum;
    sizes = sizes * size + magnitude(c[k].high);
  }
  const double of_operand = t.error == 0 ? 0 : 2 * count * sizes * (t.error / size);
  return ball(sum, count * sizes * 0x1p-97 + of_operand);
}

template <> struct Precision<Ball> {
  static constexpr int erf_terms = 30, gamma_terms = 20, zeta_terms = 20, halley_steps = 1, bessel_large_terms = 45;
  static constexpr double asymptotic = 16, zeta_ratio = 1.75, negligible = 0x1p-100, bessel_asymptotic = 40;
  static constexpr double bessel_first_terms = 18, bessel_terms_per_unit = 1.7;
};
template <> struct Constants<Ball> {
  const SpecialConstants<TwoDoubles> &c = double_constants();
  const Ball pi = ball(c.pi), eight_pi = ball(c.eight_pi), quarter_over_pi = ball(c.quarter_over_pi),
             half_root_pi = ball(c.half_root_pi), half_log_two_pi_less_half = ball(c.half_log_two_pi_less_half),
             root_half_over_pi = ball(c.root_half_over_pi);
  const TwoDoubles *erf = c.erf, *lgamma = c.lgamma, *digamma = c.digamma, *bessel = c.bessel,
                   *bessel_large = c.bessel_large;
  struct Table {
    const TwoDoubles *values;
    Ball operator[](int k) const { return ball(values[k]); }
  };
  const Table zeta = {c.zeta};
};
template <> [[maybe_unused]] const Constants<Ball> &constants<Ball>() {
  static const Constants<Ball> all;
  return all;
}

// 1 / square + the sum of gauss[k] / (square + (k / 4)**2).
HLOKIT_INLINE Ball trapezoids(const Ball &square) {
  const TwoDoubles *gauss = double_constants().gauss;
  double far = 0; // less than 2**-50 of the sum
  for (int k = 36; k >= 25; --k)
    far += gauss[k].high / (square.high + k * k / 16.0);
  Ball sum = {far, 0, far * 0x1p-45};
  for (int k = 24; k > 0; --k)
    sum = sum + ball(gauss[k]) / (square + of<Ball>(k * k / 16.0));
  return sum + of<Ball>(1) / square;
}
// A step, whose relative error is some units of its square.
HLOKIT_INLINE Ball about_cubed(const Ball &taken, const Ball &step) {
  return with_error(taken, 128 * magnitude(step.high) * step.high * step.high);
}

} // namespace
} // namespace hlokit::functions
