#include "kernels/functions/exact.h"

#include <cmath>

#include "kernels/functions/special_constants.h"
#include "kernels/functions/special_formulas.h"
#include "kernels/functions/wide.h"

namespace hlokit::functions {

// The operations on numbers that the formulas need. They are found by argument-dependent lookup, which does not search
// an unnamed namespace.
static double about(const Wide &a) { return approximate(a); }
static Wide with_error(const Wide &a, double) { return a; }
static Wide about_cubed(const Wide &taken, const Wide &) { return taken; }
static Wide horner(const Wide *c, int count, const Wide &t) {
  Wide sum = c[count - 1];
  for (int k = count - 2; k >= 0; --k)
    sum = c[k] + t * sum;
  return sum;
}
static void sine_cosine_of_pi(double r, Wide &sine, Wide &cosine) {
  const SineCosine both = sine_cosine(wide_constants().pi * wide(r));
  sine = both.sine;
  cosine = both.cosine;
}
static Wide trapezoids(const Wide &square) {
  Wide sum = wide(1) / square;
  for (int k = 1; k < gauss_count; ++k)
    sum = sum + wide_constants().gauss[k] / (square + wide(k * k / 16.0));
  return sum;
}

namespace {

template <> Wide of<Wide>(double value) { return wide(value); }

template <> struct Precision<Wide> {
  static constexpr int erf_terms = erf_count, gamma_terms = 44, zeta_terms = 40, halley_steps = 2;
  static constexpr int bessel_large_terms = bessel_large_count;
  static constexpr double asymptotic = 42, zeta_ratio = 0.93, negligible = 0x1p-230, bessel_asymptotic = 100;
  static constexpr double bessel_first_terms = 40, bessel_terms_per_unit = 2.1;
};
template <> struct Constants<Wide> : SpecialConstants<Wide> {
  explicit Constants(const SpecialConstants<Wide> &all) : SpecialConstants<Wide>(all) {}
};
template <> const Constants<Wide> &constants<Wide>() {
  static const Constants<Wide> all(wide_constants());
  return all;
}
constexpr double inf = HUGE_VAL, nan = NAN;
bool is_pole_of_gamma(double x) { return x <= 0 && std::floor(x) == x && x > -inf; }

} // namespace

namespace exact {

double erf(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (x == 0)
    return x;
  if (std::fabs(x) > 6.5)
    return std::copysign(1, x);
  return rounded(erf_of(wide(x)));
}

double erfc(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (x == 0)
    return 1;
  if (x < -6.5 || x == inf)
    return x < 0 ? 2 : 0;
  if (x > 28)
    return rounded(far_beyond(false));
  return rounded(erfc_of(wide(x)));
}

// Winitzki's approximation, and Halley's method.
double approximate_erf_inv(double x) {
  const double size = std::fabs(x), logarithm = std::log1p(-size * size), half = 4.3307467508 + logarithm / 2;
  double y = size < 0.3 ? 0.886226925452758 * size * (1 + 0.261799387799149 * size * size)
                        : std::sqrt(std::sqrt(half * half - logarithm / 0.147) - half);
  for (int i = 0; i < 3; ++i) {
    const double excess = size < 0.5 ? std::erf(y) - size : (1 - size) - std::erfc(y);
    const double step = excess * std::exp(y * y) * 0.886226925452758;
    y -= step / (1 + y * step);
  }
  return y;
}

double erf_inv(double x, Rounding rounded) {
  if (!(std::fabs(x) <= 1))
    return nan;
  if (x == 0)
    return x;
  if (std::fabs(x) == 1)
    return std::copysign(inf, x);
  const double size = std::fabs(x);
  const Wide result = erf_inverse_of<Wide>(size, approximate_erf_inv(size));
  return std::copysign(rounded(result), x);
}

double lgamma(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (std::fabs(x) == inf || is_pole_of_gamma(x))
    return inf;
  if (x == 1 || x == 2)
    return 0;
  return rounded(lgamma_of<Wide>(x));
}

double digamma(double x, Rounding rounded) {
  if (x != x || x == -inf || is_pole_of_gamma(x))
    return nan;
  return x == inf ? x : rounded(digamma_of<Wide>(x));
}

double bessel_i1e(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (x == 0)
    return x;
  if (std::fabs(x) == inf)
    return std::copysign(0, x);
  Wide result = bessel_i1e_of<Wide>(std::fabs(x));
  // Half of a subnormal number, of f32 or f64, may be a midpoint; the result is less than this half.
  if (result.exponent < -100)
    result = result - scaled(result, -150);
  return std::copysign(rounded(result), x);
}

namespace {

// Whether zeta is a value at a pole, at an infinity, or undefined.
bool special_zeta(double x, bool is_even, double q, double &result) {
  if (x != x || q != q || x < 1)
    result = nan;
  else if (x == 1)
    result = inf;
  else if (x == inf)
    result = q <= 0 ? nan : q > 1 ? 0 : q == 1 ? 1 : inf;
  else if (q == inf)
    result = 0;
  else if (q == -inf || (q < 0 && x != std::floor(x)))
    result = nan;
  else if (is_pole_of_gamma(q))
    result = is_even ? inf : nan;
  else
    return false;
  return true;
}
// Whether exp(log_scale) zeta(x, q) is beyond the range of f64, by the size of its largest terms.
bool far_zeta(double x, double q, const Wide &log_scale, Rounding rounded, double &result) {
  const double fraction = q - std::floor(q), least = q > 0 ? q : fraction < 0.5 ? fraction : std::floor(q) + 1 - q;
  const double first = least == 0 ? inf : approximate(log_scale - wide(x) * log(wide(least)));
  const bool is_large = first > 800;
  if (!is_large && first + std::log1p(least / (x - 1)) >= -800)
    return false;
  result = first == inf ? inf : rounded(far_beyond(is_large));
  return true;
}

} // namespace

double zeta(double x, double q, Rounding rounded) {
  double result;
  if (special_zeta(x, std::fmod(x, 2) == 0, q, result))
    return result;
  const bool is_odd = std::fmod(x, 2) == 1;
  if (q > 0 && far_zeta(x, q, wide(0), rounded, result))
    return result;
  if (q < 0 && q - std::floor(q) != 0.5 && far_zeta(x, q, wide(0), rounded, result))
    return is_odd && q - std::floor(q) > 0.5 ? -result : result;
  if (q < 0 && q - std::floor(q) == 0.5 && far_zeta(x, is_odd ? 1 - q : 0.5, wide(0), rounded, result))
    return result;
  return rounded(zeta_of(x, q, wide(0)));
}

double polygamma(double n, double x, Rounding rounded) {
  if (n == 0)
    return digamma(x, rounded);
  if (!(n > 0 && n < inf && n == std::floor(n)))
    return nan;
  const double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  double result;
  if (special_zeta(n + 1, std::fmod(n, 2) != 0, x, result))
    return result != result ? nan : sign * result;
  const Wide log_scale = lgamma_of_positive(wide(n + 1));
  const bool is_odd = std::fmod(n, 2) == 0; // n + 1
  const double fraction = x - std::floor(x);
  const double nearest_pole = x < 0 && fraction == 0.5 ? (is_odd ? 1 - x : 0.5) : x;
  if (far_zeta(n + 1, nearest_pole, log_scale, rounded, result))
    return (x < 0 && is_odd && fraction > 0.5 ? -sign : sign) * result;
  return rounded(polygamma_of<Wide>(n, x));
}

} // namespace exact
} // namespace hlokit::functions
