#include "kernels/functions/special_constants.h"

#include <cstddef>

namespace hlokit::functions {
namespace {

// B(2), B(4), ... from tangent numbers, whose recurrence adds positive numbers alone.
// Source: Brent and Harvey, Fast computation of Bernoulli, tangent and secant numbers (2011).
struct Bernoulli {
  Wide numbers[gamma_count];
  Bernoulli() {
    Wide tangents[gamma_count + 1];
    tangents[1] = wide(1);
    for (int k = 2; k <= gamma_count; ++k)
      tangents[k] = tangents[k - 1] * wide(k - 1);
    for (int k = 2; k <= gamma_count; ++k)
      for (int j = k; j <= gamma_count; ++j)
        tangents[j] = tangents[j - 1] * wide(j - k) + tangents[j] * wide(j - k + 2);
    for (int k = 1; k <= gamma_count; ++k) {
      const Wide power = scaled(wide(1), 2 * k);
      const Wide size = tangents[k] * wide(2 * k) / (power * (power - wide(1)));
      numbers[k - 1] = k % 2 == 0 ? -size : size;
    }
  }
};

SpecialConstants<Wide> made() {
  SpecialConstants<Wide> c;
  c.pi = scaled(half_pi(), 1);
  c.eight_pi = scaled(c.pi, 3);
  c.quarter_over_pi = wide(0.25) / c.pi;
  c.half_root_pi = scaled(root(c.pi), -1);
  c.half_log_two_pi_less_half = scaled(log(scaled(c.pi, 1)) - wide(1), -1);
  c.root_half_over_pi = root(wide(0.5) / c.pi);
  Wide factorial = wide(1); // with the sign and the factor of erf
  for (int k = 0; k < erf_count; ++k) {
    if (k > 0)
      factorial = factorial * wide(-k);
    c.erf[k] = wide(1) / (factorial * wide(2 * k + 1) * c.half_root_pi);
  }
  for (int k = 0; k < gauss_count; ++k)
    c.gauss[k] = scaled(exponential(-wide(k * k / 16.0)), 1);
  const Bernoulli bernoulli;
  factorial = wide(1);
  for (int k = 0; k < gamma_count; ++k) {
    const Wide &number = bernoulli.numbers[k];
    factorial = factorial * wide((2 * k + 1) * (2 * k + 2));
    c.lgamma[k] = number / wide((2 * k + 1) * (2 * k + 2));
    c.digamma[k] = number / wide(2 * k + 2);
    c.zeta[k] = number / factorial;
  }
  c.bessel[0] = wide(1);
  for (int k = 1; k < bessel_count; ++k)
    c.bessel[k] = c.bessel[k - 1] / wide(k * (k + 1));
  c.bessel_large[0] = wide(1);
  for (int k = 1; k < bessel_large_count; ++k)
    c.bessel_large[k] = c.bessel_large[k - 1] * wide((2 * k - 1) * (2 * k - 1) - 4) / wide(8 * k);
  return c;
}

TwoDoubles two_doubles(const Wide &value) {
  if (value.exponent < -900 || value.exponent > 900)
    return {0, 0}; // terms that only wide numbers need
  const double high = approximate(value);
  return {high, approximate(value - wide(high))};
}
template <size_t size> void fill(TwoDoubles (&to)[size], const Wide (&from)[size]) {
  for (size_t i = 0; i < size; ++i)
    to[i] = two_doubles(from[i]);
}
SpecialConstants<TwoDoubles> rounded(const SpecialConstants<Wide> &c) {
  SpecialConstants<TwoDoubles> d;
  d.pi = two_doubles(c.pi);
  d.eight_pi = two_doubles(c.eight_pi);
  d.quarter_over_pi = two_doubles(c.quarter_over_pi);
  d.half_root_pi = two_doubles(c.half_root_pi);
  d.half_log_two_pi_less_half = two_doubles(c.half_log_two_pi_less_half);
  d.root_half_over_pi = two_doubles(c.root_half_over_pi);
  fill(d.erf, c.erf);
  fill(d.gauss, c.gauss);
  fill(d.lgamma, c.lgamma);
  fill(d.digamma, c.digamma);
  fill(d.zeta, c.zeta);
  fill(d.bessel, c.bessel);
  fill(d.bessel_large, c.bessel_large);
  return d;
}

} // namespace

const SpecialConstants<Wide> &wide_constants() {
  static const SpecialConstants<Wide> all = made();
  return all;
}
const SpecialConstants<TwoDoubles> &double_constants() {
  static const SpecialConstants<TwoDoubles> all = rounded(wide_constants());
  return all;
}

} // namespace hlokit::functions
