// Doubles with a bound of their error, in which functions of complex<f32> are computed: the bound shows whether the rounding of
// the result is certain. Compiled for each level of processor, hence with internal linkage.
#pragma once

#include "kernels/complex/formulas.h"
#include "kernels/functions/fast.h"
#include "kernels/functions/functions.h"

namespace hlokit::functions {
namespace {

struct Near {
  double value, error;
};

// The relative error of a rounding, with room for the roundings of the bound; the absolute error among subnormal numbers.
constexpr double of_rounding = 0x1p-52, lost_value = 0x1p-1060;

HLOKIT_INLINE double about(const Near &a) { return a.value; }
HLOKIT_INLINE bool is_negative(const Near &a) { return a.value < 0; }
HLOKIT_INLINE bool is_positive(const Near &a) { return a.value > 0; }
HLOKIT_INLINE Near doubted(const Near &a, const Near &sign) {
  return {a.value, choose(sign.error < magnitude(sign.value), a.error, HUGE_VAL)};
}
template <> HLOKIT_INLINE Near of<Near>(double value) { return {value, 0}; }
template <> HLOKIT_INLINE Near pi_of<Near>() { return {0x1.921fb54442d18p+1, 0x1p-51}; }
HLOKIT_INLINE Near near(double value, double error) { return {value, error + magnitude(value) * of_rounding}; }

HLOKIT_INLINE Near operator-(const Near &a) { return {-a.value, a.error}; }
HLOKIT_INLINE Near operator+(const Near &a, const Near &b) { return near(a.value + b.value, a.error + b.error); }
HLOKIT_INLINE Near operator-(const Near &a, const Near &b) { return a + -b; }
HLOKIT_INLINE Near operator*(const Near &a, const Near &b) {
  return near(a.value * b.value,
              magnitude(a.value) * b.error + magnitude(b.value) * a.error + 2 * a.error * b.error + lost_value);
}
HLOKIT_INLINE Near operator/(const Near &a, const Near &b) {
  const double value = a.value / b.value, size = magnitude(b.value);
  const bool is_sure = b.error < size * 0.25;
  return near(value, choose(is_sure, 2 * (a.error + magnitude(value) * b.error) / size + lost_value, HUGE_VAL));
}
HLOKIT_INLINE Near root(const Near &a) {
  const double value = sqrt(a.value);
  return near(value, choose(a.error < a.value, 2 * a.error / value, HUGE_VAL));
}

HLOKIT_INLINE Near near(Approximation found, double error) { return near(found.high, found.error + error); }

// Exponents beyond this limit give the same f32 as the limit, 0 or infinity, also times the least f32. Squares of the limit's
// exponential are finite.
HLOKIT_INLINE double limited(double exponent) {
  constexpr double most = 210;
  return exponent < -most ? -most : exponent > most ? most : exponent;
}

HLOKIT_NOINLINE Near exponential(const Near &a) {
  const PowerOfE e = power_of_e(limited(a.value));
  const double value = e.value().high * e.scale;
  return near(value, choose(a.error < 0.25, 2 * value * a.error, HUGE_VAL));
}
HLOKIT_NOINLINE Near exponential_minus_one(const Near &a) {
  const PowerOfE e = power_of_e(limited(a.value));
  const double value = e.less_one().high;
  return near(value, e.error + choose(a.error < 0.25, 2 * (magnitude(value) + 1) * a.error, HUGE_VAL));
}
HLOKIT_NOINLINE Near log(const Near &a) {
  return near(logarithm(a.value), choose(a.error < a.value * 0.25, 2 * a.error / a.value, HUGE_VAL));
}
HLOKIT_NOINLINE Near log_plus_one(const Near &a) {
  const double above = 1 + a.value;
  return near(logarithm_of_more({a.value, 0}), choose(a.error < above * 0.25, 2 * a.error / above, HUGE_VAL));
}
HLOKIT_NOINLINE Turn<Near> sine_and_cosine(const Near &a) {
  if (!(magnitude(a.value) < 0x1p20))
    return {near(HLOKIT_VARIANT::sine(a.value), a.error), near(HLOKIT_VARIANT::cosine(a.value), a.error)};
  const Turned t = turned(a.value);
  return {near(t.sine_of_sum(), a.error), near(t.cosine_of_sum(), a.error)};
}
HLOKIT_NOINLINE Near angle(const Near &y, const Near &x) {
  const double size = magnitude(x.value) + magnitude(y.value);
  const double error = 4 * (magnitude(x.value) / size * y.error + magnitude(y.value) / size * x.error) / size;
  return near(angle_of_point({y.value, 0}, {x.value, 0}), choose(x.error + y.error < size * 0.125, error, HUGE_VAL));
}

} // namespace
} // namespace hlokit::functions
