// Formulas of special functions, for any type of numbers N: Ball (balls.h) for most operands, Wide (wide.h) for the
// operands that balls leave undecided. Internal linkage, as for all that is compiled several times
// (support/variants.h).
//
// N has + - * /, exp, log, sine_cosine_of_pi, horner, about (a nearby double) and of<N> (a number from a double).
// `constants<N>()` are tables whose sizes suit the precision of N.
//
// Sources: DLMF, 5.11 (gamma), 25.11 (zeta), 10.25 and 10.40 (Bessel), 7.17 (inverse of erf). The series of erfc is the
// trapezoidal rule: Chiarella and Reichel, On the evaluation of integrals related to the error function (1968).
#pragma once

#include <math.h>

#include "support/compiler.h"

namespace hlokit::functions {
namespace {

template <class N> struct Precision;
template <class N> struct Constants;
template <class N> const Constants<N> &constants();
template <class N> N of(double value);

// Error functions ----------------------------------------------------------------------------------------------------

// The step of the trapezoidal rule is 1/4. Up to pi / step the rule misses the residue of a pole.
constexpr double residue_below = 12.5;

// For |x| <= 1.
template <class N> N erf_of_small(const N &x) {
  return x * horner(constants<N>().erf, Precision<N>::erf_terms, x * x);
}
// For x >= 1.
template <class N> N erfc_of_large(const N &x) {
  const Constants<N> &c = constants<N>();
  const N square = x * x;
  const N result = exp(-square) * (x * trapezoids(square) * c.quarter_over_pi);
  if (about(x) >= residue_below)
    return result;
  const N power = exp(-(x * c.eight_pi));
  return result - (power + power) / (of<N>(1) - power);
}
template <class N> N erf_of(const N &x) {
  if (about(x) < 0)
    return -erf_of(-x);
  return about(x) < 1 ? erf_of_small(x) : of<N>(1) - erfc_of_large(x);
}
template <class N> N erfc_of(const N &x) {
  return about(x) < 1 ? of<N>(1) - erf_of(x) : erfc_of_large(x);
}

// y with erf(y) = x, by a step of Halley's method from a start with some 40 correct bits, for 0 < x < 1.
template <class N> N erf_inverse_of(double x, double start) {
  const Constants<N> &c = constants<N>();
  N y = of<N>(start);
  for (int i = 0; i < Precision<N>::halley_steps; ++i) {
    const N excess = x < 0.5 ? erf_of(y) - of<N>(x) : (of<N>(1) - of<N>(x)) - erfc_of(y);
    const N step = excess * (exp(y * y) * c.half_root_pi);
    y = y - about_cubed(step / (of<N>(1) + y * step), step);
  }
  return y;
}

// Gamma --------------------------------------------------------------------------------------------------------------

// log(gamma(x)) for x > 0.
template <class N> N lgamma_of_positive(N x) {
  const Constants<N> &c = constants<N>();
  N product = of<N>(1);
  const bool is_shifted = about(x) < Precision<N>::asymptotic;
  while (about(x) < Precision<N>::asymptotic) {
    product = product * x;
    x = x + of<N>(1);
  }
  const N inverse = of<N>(1) / x;
  const N series = inverse * horner(c.lgamma, Precision<N>::gamma_terms, inverse * inverse);
  const N result = (x - of<N>(0.5)) * (log(x) - of<N>(1)) + (c.half_log_two_pi_less_half + series);
  return is_shifted ? result - log(product) : result;
}
template <class N> N digamma_of_positive(N x) {
  const Constants<N> &c = constants<N>();
  N sum = of<N>(0);
  while (about(x) < Precision<N>::asymptotic) {
    sum = sum + of<N>(1) / x;
    x = x + of<N>(1);
  }
  const N inverse = of<N>(1) / x, square = inverse * inverse;
  const N series = square * horner(c.digamma, Precision<N>::gamma_terms, square);
  return log(x) - (of<N>(0.5) * inverse + series + sum);
}
// log(|gamma(x)|) for x that is neither 0 nor a negative integer.
template <class N> N lgamma_of(double x) {
  if (x > 0)
    return lgamma_of_positive(of<N>(x));
  N sine, cosine;
  sine_cosine_of_pi(x - rint(x), sine, cosine);
  if (about(sine) < 0)
    sine = -sine;
  return log(constants<N>().pi / sine) - lgamma_of_positive(of<N>(1) - of<N>(x));
}
template <class N> N digamma_of(double x) {
  if (x > 0)
    return digamma_of_positive(of<N>(x));
  N sine, cosine;
  sine_cosine_of_pi(x - rint(x), sine, cosine);
  return digamma_of_positive(of<N>(1) - of<N>(x)) - constants<N>().pi * cosine / sine;
}

// Zeta ---------------------------------------------------------------------------------------------------------------

// exp(log_scale) * sum((q + n)**-x for n = 0, 1, ...) for x > 1, q > 0, by the Euler-Maclaurin formula: the error is
// less than the first omitted term.
template <class N> N zeta_of_positive(double x, const N &q, const N &log_scale) {
  const Constants<N> &c = constants<N>();
  constexpr int terms = Precision<N>::zeta_terms;
  const double least = (x + 2 * terms) / Precision<N>::zeta_ratio;
  const N s = of<N>(x), log_q = log(q), one = of<N>(1);
  const N first = exp(log_scale - s * log_q);
  N total = one, last = q, power = one;
  for (int n = 1;; ++n) {
    last = q + of<N>(n);
    power = exp(s * (log_q - log(last)));
    if (about(power) < Precision<N>::negligible && x >= 2)
      return first * with_error(total, about(power) * (1 + about(last)) * 2);
    if (about(last) >= least)
      break;
    total = total + power;
  }
  total = total + power * (last / (s - one) + of<N>(0.5));
  const N inverse = one / last, square = inverse * inverse;
  N factor = s * inverse * power;
  for (int k = 0; k < terms; ++k) {
    // B(2k + 2) / (2k + 2)! x (x + 1) ... (x + 2k) / last**(x + 2k + 1)
    total = total + c.zeta[k] * factor;
    factor = factor * square * (of<N>(x) + of<N>(2 * k + 1)) * (of<N>(x) + of<N>(2 * k + 2));
  }
  return first * with_error(total, fabs(about(c.zeta[terms] * factor)));
}
// For q < 0 and integers x: the terms with q + n < 0 are those of 1 - fraction(q), up to 1 - q, times (-1)**x.
template <class N> N zeta_of(double x, double q, const N &log_scale) {
  if (q > 0)
    return zeta_of_positive(x, of<N>(q), log_scale);
  const bool is_even = fmod(x, 2) == 0;
  const N fraction = of<N>(q) - of<N>(floor(q)), rest = of<N>(floor(q) + 1) - of<N>(q);
  const N beyond = zeta_of_positive(x, of<N>(1) - of<N>(q), log_scale);
  if (q - floor(q) == 0.5 && !is_even) // all other terms cancel
    return beyond;
  const N negative = zeta_of_positive(x, rest, log_scale) - beyond;
  const N positive = zeta_of_positive(x, fraction, log_scale);
  return is_even ? positive + negative : positive - negative;
}
// The derivative of order n of digamma(x): (-1)**(n + 1) n! zeta(n + 1, x), for n > 0.
template <class N> N polygamma_of(double n, double x) {
  const N result = zeta_of(n + 1, x, lgamma_of_positive(of<N>(n + 1)));
  return fmod(n, 2) == 0 ? -result : result;
}

// Bessel -------------------------------------------------------------------------------------------------------------

// exp(-x) I1(x) for x > 0.
template <class N> N bessel_i1e_of(double size) {
  const Constants<N> &c = constants<N>();
  const N x = of<N>(size);
  if (size < Precision<N>::bessel_asymptotic) {
    const int terms = static_cast<int>(Precision<N>::bessel_first_terms + Precision<N>::bessel_terms_per_unit * size);
    const N half = of<N>(0.5) * x, series = horner(c.bessel, terms, half * half);
    return exp(-x) * (half * series);
  }
  const N inverse = of<N>(1) / x;
  return horner(c.bessel_large, Precision<N>::bessel_large_terms, inverse) * root(inverse) * c.root_half_over_pi;
}

} // namespace
} // namespace hlokit::functions
