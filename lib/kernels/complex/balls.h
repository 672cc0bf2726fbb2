// Functions of balls that formulas of complex numbers call. Internal linkage, as for all that is compiled several times
// (support/variants.h).
#pragma once

#include "kernels/complex/formulas.h"
#include "kernels/functions/balls.h"

namespace hlokit::functions {
namespace {

template <bool b> HLOKIT_INLINE bool is_negative(const BallOf<b> &a) { return a.high < 0; }
template <bool b> HLOKIT_INLINE bool is_positive(const BallOf<b> &a) { return a.high > 0; }
template <bool b> HLOKIT_INLINE BallOf<b> doubted(const BallOf<b> &a, const BallOf<b> &sign) {
  return {a.high, a.low, choose(sign.error < magnitude(sign.high), a.error, HUGE_VAL)};
}
template <> HLOKIT_INLINE Ball pi_of<Ball>() { return {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, 0x1p-104}; }
template <> HLOKIT_INLINE BallInBlock pi_of<BallInBlock>() { return {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, 0x1p-104}; }
HLOKIT_INLINE BallInBlock chosen(bool is_first, const BallInBlock &a, const BallInBlock &b) {
  return {choose(is_first, a.high, b.high), choose(is_first, a.low, b.low), choose(is_first, a.error, b.error)};
}

template <bool b> HLOKIT_INLINE BallOf<b> exponential_minus_one_by_formula(const BallOf<b> &a) {
  const PowerOfE e = power_of_e(pair(a));
  const Pair value = e.less_one();
  const double size = magnitude(value.high), error = 2 * e.error_less_one(value) + size * of_product + 2 * (size + 1) * a.error;
  return ball<b>(value, choose(a.error < 0.5, error, HUGE_VAL));
}
template <bool b> HLOKIT_INLINE Turn<BallOf<b>> sine_and_cosine_by_formula(const BallOf<b> &a) {
  const bool is_inside = magnitude(a.high) < 0x1p20;
  const Turned t = turned(choose(is_inside, pair(a), Pair{0, 0}));
  const double error = choose(is_inside, a.error, HUGE_VAL);
  return {with_error(ball<b>(t.sine_of_sum()), error), with_error(ball<b>(t.cosine_of_sum()), error)};
}
template <bool b> HLOKIT_INLINE BallOf<b> angle_by_formula(const BallOf<b> &y, const BallOf<b> &x) {
  const Approximation found = angle_of_point(pair(y), pair(x));
  const double size = magnitude(x.high) + magnitude(y.high);
  const double error = 4 * (magnitude(x.high) / size * y.error + magnitude(y.high) / size * x.error) / size;
  return {found.high, found.low, choose(x.error + y.error < size * 0.125, found.error + error, HUGE_VAL)};
}

HLOKIT_NOINLINE Ball exponential_minus_one(const Ball &a) { return exponential_minus_one_by_formula(a); }
HLOKIT_NOINLINE Ball log_plus_one(const Ball &a) { return log_by_formula(true, a); }
HLOKIT_NOINLINE Turn<Ball> sine_and_cosine(const Ball &a) { return sine_and_cosine_by_formula(a); }
HLOKIT_NOINLINE Ball angle(const Ball &y, const Ball &x) { return angle_by_formula(y, x); }

HLOKIT_INLINE BallInBlock exponential(const BallInBlock &a) { return exponential_by_formula(a); }
HLOKIT_INLINE BallInBlock exponential_minus_one(const BallInBlock &a) { return exponential_minus_one_by_formula(a); }
HLOKIT_INLINE BallInBlock log_from(bool is_from_one, const BallInBlock &a) { return log_by_formula(is_from_one, a); }
HLOKIT_INLINE BallInBlock log(const BallInBlock &a) { return log_by_formula(false, a); }
HLOKIT_INLINE BallInBlock log_plus_one(const BallInBlock &a) { return log_by_formula(true, a); }
HLOKIT_INLINE BallInBlock root(const BallInBlock &a) { return root_by_formula(a); }
HLOKIT_INLINE Turn<BallInBlock> sine_and_cosine(const BallInBlock &a) { return sine_and_cosine_by_formula(a); }
HLOKIT_INLINE BallInBlock angle(const BallInBlock &y, const BallInBlock &x) { return angle_by_formula(y, x); }

} // namespace
} // namespace hlokit::functions
