// Doubles with a bound of their error, in which functions of complex<f32> are computed: the bound shows whether the rounding of
// the result is certain. Compiled for each level of processor, hence with internal linkage.
#pragma once

#include "kernels/complex/formulas.h"
#include "kernels/functions/fast.h"
#include "kernels/functions/functions.h"

namespace hlokit::functions {
namespace {

// The functions of numbers in blocks are inlined, so that compilers vectorise loops over a block.
template <bool is_in_block> struct NearOf {
  double value, error;
};
using Near = NearOf<false>;
using NearInBlock = NearOf<true>;

// The relative error of a rounding, with room for the roundings of the bound; the absolute error among subnormal numbers.
constexpr double of_rounding = 0x1p-52, lost_value = 0x1p-1060;

template <bool b> HLOKIT_INLINE double about(const NearOf<b> &a) { return a.value; }
template <bool b> HLOKIT_INLINE bool is_negative(const NearOf<b> &a) { return a.value < 0; }
template <bool b> HLOKIT_INLINE bool is_positive(const NearOf<b> &a) { return a.value > 0; }
template <bool b> HLOKIT_INLINE NearOf<b> doubted(const NearOf<b> &a, const NearOf<b> &sign) {
  return {a.value, choose(sign.error < magnitude(sign.value), a.error, HUGE_VAL)};
}
template <> HLOKIT_INLINE Near of<Near>(double value) { return {value, 0}; }
template <> HLOKIT_INLINE NearInBlock of<NearInBlock>(double value) { return {value, 0}; }
template <> HLOKIT_INLINE Near pi_of<Near>() { return {0x1.921fb54442d18p+1, 0x1p-51}; }
template <> HLOKIT_INLINE NearInBlock pi_of<NearInBlock>() { return {0x1.921fb54442d18p+1, 0x1p-51}; }
template <bool b = false> HLOKIT_INLINE NearOf<b> near(double value, double error) {
  return {value, error + magnitude(value) * of_rounding};
}

// Without a branch.
HLOKIT_INLINE NearInBlock chosen(bool is_first, const NearInBlock &a, const NearInBlock &b) {
  return {choose(is_first, a.value, b.value), choose(is_first, a.error, b.error)};
}

template <bool b> HLOKIT_INLINE NearOf<b> operator-(const NearOf<b> &a) { return {-a.value, a.error}; }
template <bool b> HLOKIT_INLINE NearOf<b> operator+(const NearOf<b> &x, const NearOf<b> &y) {
  return near<b>(x.value + y.value, x.error + y.error);
}
template <bool b> HLOKIT_INLINE NearOf<b> operator-(const NearOf<b> &x, const NearOf<b> &y) { return x + -y; }
template <bool b> HLOKIT_INLINE NearOf<b> operator*(const NearOf<b> &x, const NearOf<b> &y) {
  return near<b>(x.value * y.value,
                 magnitude(x.value) * y.error + magnitude(y.value) * x.error + 2 * x.error * y.error + lost_value);
}
template <bool b> HLOKIT_INLINE NearOf<b> operator/(const NearOf<b> &x, const NearOf<b> &y) {
  const double value = x.value / y.value, size = magnitude(y.value);
  const bool is_sure = y.error < size * 0.25;
  return near<b>(value, choose(is_sure, 2 * (x.error + magnitude(value) * y.error) / size + lost_value, HUGE_VAL));
}
template <bool b> HLOKIT_INLINE NearOf<b> root(const NearOf<b> &a) {
  const double value = sqrt(a.value);
  return near<b>(value, choose(a.error < a.value, 2 * a.error / value, HUGE_VAL));
}

template <bool b = false> HLOKIT_INLINE NearOf<b> near(Approximation found, double error) {
  return near<b>(found.high, found.error + error);
}

// Exponents beyond this limit give the same f32 as the limit, 0 or infinity, also times the least f32. Squares of the limit's
// exponential are finite.
HLOKIT_INLINE double limited(double exponent) {
  constexpr double most = 210;
  return choose(exponent < -most, -most, choose(exponent > most, most, exponent));
}

template <bool b> HLOKIT_INLINE NearOf<b> exponential_by_formula(const NearOf<b> &a) {
  const double exponent = limited(a.value);
  const PowerOfE e = power_of_e(exponent, power_for(exponent));
  const double value = e.value().high * e.scale;
  return near<b>(value, choose(a.error < 0.25, 2 * value * a.error, HUGE_VAL));
}
template <bool b> HLOKIT_INLINE NearOf<b> exponential_minus_one_by_formula(const NearOf<b> &a) {
  const double exponent = limited(a.value);
  const PowerOfE e = power_of_e(exponent, power_for(exponent));
  const Pair less_one = e.less_one();
  const double value = less_one.high;
  return near<b>(value, e.error_less_one(less_one) + choose(a.error < 0.25, 2 * (magnitude(value) + 1) * a.error, HUGE_VAL));
}
// The error of an angle that is too large for the formula is infinite.
template <bool b> HLOKIT_INLINE Turn<NearOf<b>> sine_and_cosine_by_formula(const NearOf<b> &a) {
  const Turned t = turned(a.value);
  return {near<b>(t.sine_of_sum(), a.error), near<b>(t.cosine_of_sum(), a.error)};
}
// log(1 + a), or log(a).
template <bool b> HLOKIT_INLINE NearOf<b> log_by_formula(bool is_from_one, const NearOf<b> &a) {
  const double base = choose(is_from_one, 1, 0), whole = base + a.value;
  return near<b>(logarithm_of_sum(base, {a.value, 0}), choose(a.error < whole * 0.25, 2 * a.error / whole, HUGE_VAL));
}
template <bool b> HLOKIT_INLINE NearOf<b> angle_by_formula(const NearOf<b> &y, const NearOf<b> &x) {
  const double size = magnitude(x.value) + magnitude(y.value);
  const double error = 4 * (magnitude(x.value) / size * y.error + magnitude(y.value) / size * x.error) / size;
  return near<b>(angle_of_point({y.value, 0}, {x.value, 0}), choose(x.error + y.error < size * 0.125, error, HUGE_VAL));
}

HLOKIT_INLINE NearInBlock exponential(const NearInBlock &a) { return exponential_by_formula(a); }
HLOKIT_INLINE NearInBlock exponential_minus_one(const NearInBlock &a) { return exponential_minus_one_by_formula(a); }
HLOKIT_INLINE Turn<NearInBlock> sine_and_cosine(const NearInBlock &a) { return sine_and_cosine_by_formula(a); }
HLOKIT_INLINE NearInBlock log_from(bool is_from_one, const NearInBlock &a) { return log_by_formula(is_from_one, a); }
HLOKIT_INLINE NearInBlock log(const NearInBlock &a) { return log_by_formula(false, a); }
HLOKIT_INLINE NearInBlock log_plus_one(const NearInBlock &a) { return log_by_formula(true, a); }
HLOKIT_INLINE NearInBlock angle(const NearInBlock &y, const NearInBlock &x) { return angle_by_formula(y, x); }

HLOKIT_NOINLINE Near exponential(const Near &a) { return exponential_by_formula(a); }
HLOKIT_NOINLINE Near exponential_minus_one(const Near &a) { return exponential_minus_one_by_formula(a); }
HLOKIT_NOINLINE Turn<Near> sine_and_cosine(const Near &a) {
  if (!(magnitude(a.value) < 0x1p20))
    return {near(HLOKIT_VARIANT::sine(a.value), a.error), near(HLOKIT_VARIANT::cosine(a.value), a.error)};
  return sine_and_cosine_by_formula(a);
}
HLOKIT_NOINLINE Near log(const Near &a) { return log_by_formula(false, a); }
HLOKIT_NOINLINE Near log_plus_one(const Near &a) { return log_by_formula(true, a); }
HLOKIT_NOINLINE Near angle(const Near &y, const Near &x) { return angle_by_formula(y, x); }

} // namespace
} // namespace hlokit::functions
