// Special functions, for any type of numbers N: Ball (balls.h) for most operands, Wide (wide.h) for the operands that balls
// leave undecided. Internal linkage, as for all that is compiled several times (support/variants.h).
//
// Each function is a class with two templates: `of<Ball>`, the ball of the function, which decides nothing outside of a
// range (special.cpp); and `exact<Wide>`, the function of all operands (special_exact.cpp).
//
// N has + - * /, exp, log, sine_cosine_of_pi, horner, about (a nearby double) and of<N> (a number from a double).
// `constants<N>()` are tables whose sizes suit the precision of N.
//
// Sources: DLMF, 5.11 (gamma), 25.11 (zeta), 10.25 and 10.40 (Bessel), 7.17 (inverse of erf). The series of erfc is the
// trapezoidal rule: Chiarella and Reichel, On the evaluation of integrals related to the error function (1968).
#pragma once

#include <math.h>

#include "kernels/functions/wide.h"
#include "support/compiler.h"

namespace hlokit::functions {
namespace {

template <class N> struct Precision;
template <class N> struct Constants;
template <class N> const Constants<N> &constants();
template <class N> N of(double value);
template <class N> N undecided(); // a number that may be any

template <class N> N signed_as(const N &a, double sign) { return sign < 0 ? -a : a; }
constexpr bool is_usual(double size) { return (size > 0x1p-900) & (size < 0x1p900); }
constexpr double infinite = HUGE_VAL, not_a_number = NAN;

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
  const N result = exponential(-square) * (x * trapezoids(square) * c.quarter_over_pi);
  if (about(x) >= residue_below)
    return result;
  const N power = exponential(-(x * c.eight_pi));
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

struct Erf {
  template <class N> static N of(double x) {
    const double size = fabs(x);
    return is_usual(size) && size < 26 ? signed_as(erf_of(functions::of<N>(size)), x) : undecided<N>();
  }
  template <class N> static double exact(double x, Rounding rounded) {
    if (x != x)
      return not_a_number;
    if (x == 0)
      return x;
    if (fabs(x) > 6.5)
      return copysign(1, x);
    return rounded(erf_of(functions::of<N>(x)));
  }
};

struct Erfc {
  template <class N> static N of(double x) {
    return fabs(x) < 26 ? erfc_of(functions::of<N>(x)) : undecided<N>();
  }
  template <class N> static double exact(double x, Rounding rounded) {
    if (x != x)
      return not_a_number;
    if (x == 0)
      return 1;
    if (x < -6.5 || x == infinite)
      return x < 0 ? 2 : 0;
    if (x > 28)
      return rounded(far_beyond(false));
    return rounded(erfc_of(functions::of<N>(x)));
  }
};

struct ErfInv {
  // Winitzki's approximation, and Halley's method: within a few units in the last place, for 0 < size < 1.
  static double approximate(double size) {
    const double logarithm = ::log1p(-size * size), half = 4.3307467508 + logarithm / 2;
    double y = size < 0.3 ? 0.886226925452758 * size * (1 + 0.261799387799149 * size * size)
                          : sqrt(sqrt(half * half - logarithm / 0.147) - half);
    for (int i = 0; i < 3; ++i) {
      const double excess = size < 0.5 ? ::erf(y) - size : (1 - size) - ::erfc(y);
      const double step = excess * ::exp(y * y) * 0.886226925452758;
      y -= step / (1 + y * step);
    }
    return y;
  }
  // y with erf(y) = size, by steps of Halley's method.
  template <class N> static N of_size(double size) {
    const Constants<N> &c = constants<N>();
    N y = functions::of<N>(approximate(size));
    for (int i = 0; i < Precision<N>::halley_steps; ++i) {
      const N x = functions::of<N>(size), excess = size < 0.5 ? erf_of(y) - x : (functions::of<N>(1) - x) - erfc_of(y);
      const N step = excess * (exponential(y * y) * c.half_root_pi);
      y = y - about_cubed(step / (functions::of<N>(1) + y * step), step);
    }
    return y;
  }
  template <class N> static N of(double x) {
    const double size = fabs(x);
    return is_usual(size) && size < 1 ? signed_as(of_size<N>(size), x) : undecided<N>();
  }
  template <class N> static double exact(double x, Rounding rounded) {
    if (!(fabs(x) <= 1))
      return not_a_number;
    if (x == 0)
      return x;
    return copysign(fabs(x) == 1 ? infinite : rounded(of_size<N>(fabs(x))), x);
  }
};

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

// Whether x is a pole of gamma.
HLOKIT_INLINE bool is_pole_of_gamma(double x) { return x <= 0 && floor(x) == x && x > -infinite; }

struct Lgamma {
  template <class N> static N of(double x) {
    return is_usual(fabs(x)) && (x > 0 || rint(x) != x) ? lgamma_of<N>(x) : undecided<N>();
  }
  template <class N> static double exact(double x, Rounding rounded) {
    if (x != x)
      return not_a_number;
    if (fabs(x) == infinite || is_pole_of_gamma(x))
      return infinite;
    if (x == 1 || x == 2)
      return 0;
    return rounded(lgamma_of<N>(x));
  }
};

struct Digamma {
  template <class N> static N of(double x) {
    return is_usual(fabs(x)) && (x > 0 || rint(x) != x) ? digamma_of<N>(x) : undecided<N>();
  }
  template <class N> static double exact(double x, Rounding rounded) {
    if (x != x || x == -infinite || is_pole_of_gamma(x))
      return not_a_number;
    return x == infinite ? x : rounded(digamma_of<N>(x));
  }
};

// Zeta ---------------------------------------------------------------------------------------------------------------

// exp(log_scale) * sum((q + n)**-x for n = 0, 1, ...) for x > 1, q > 0, by the Euler-Maclaurin formula: the error is
// less than the first omitted term.
template <class N> N zeta_of_positive(double x, const N &q, const N &log_scale) {
  const Constants<N> &c = constants<N>();
  constexpr int terms = Precision<N>::zeta_terms;
  const double least = (x + 2 * terms) / Precision<N>::zeta_ratio;
  const N s = of<N>(x), log_q = log(q), one = of<N>(1);
  const N first = exponential(log_scale - s * log_q);
  N total = one, last = q, power = one;
  for (int n = 1;; ++n) {
    last = q + of<N>(n);
    power = exponential(s * (log_q - log(last)));
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

struct Zeta {
  static bool is_usual_zeta(double x, double q) {
    return (x > 1) & (x < 1000) & (fabs(q) < 0x1p50) & (q > 0 || (rint(q) != q && rint(x) == x)) && fabs(q) > 0x1p-500;
  }
  // Whether zeta is a value at a pole, at an infinity, or undefined.
  static bool is_special(double x, bool is_even, double q, double &result) {
    if (x != x || q != q || x < 1)
      result = not_a_number;
    else if (x == 1)
      result = infinite;
    else if (x == infinite)
      result = q <= 0 ? not_a_number : q > 1 ? 0 : q == 1 ? 1 : infinite;
    else if (q == infinite)
      result = 0;
    else if (q == -infinite || (q < 0 && x != floor(x)))
      result = not_a_number;
    else if (is_pole_of_gamma(q))
      result = is_even ? infinite : not_a_number;
    else
      return false;
    return true;
  }
  // Whether exp(log_scale) zeta(x, q) is beyond the range of f64, by the size of its largest terms.
  template <class N> static bool is_far(double x, double q, const N &log_scale, Rounding rounded, double &result) {
    const double fraction = q - floor(q), least = q > 0 ? q : fraction < 0.5 ? fraction : floor(q) + 1 - q;
    const double first = least == 0 ? infinite : about(log_scale - functions::of<N>(x) * log(functions::of<N>(least)));
    const bool is_large = first > 800;
    if (!is_large && first + ::log1p(least / (x - 1)) >= -800)
      return false;
    result = first == infinite ? infinite : rounded(far_beyond(is_large));
    return true;
  }
  template <class N> static N of(double x, double q) {
    return is_usual_zeta(x, q) ? zeta_of(x, q, functions::of<N>(0)) : undecided<N>();
  }
  template <class N> static double exact(double x, double q, Rounding rounded) {
    double result;
    if (is_special(x, fmod(x, 2) == 0, q, result))
      return result;
    const bool is_odd = fmod(x, 2) == 1;
    const double fraction = q - floor(q);
    const N zero = functions::of<N>(0);
    if (q > 0 && is_far(x, q, zero, rounded, result))
      return result;
    if (q < 0 && fraction != 0.5 && is_far(x, q, zero, rounded, result))
      return is_odd && fraction > 0.5 ? -result : result;
    if (q < 0 && fraction == 0.5 && is_far(x, is_odd ? 1 - q : 0.5, zero, rounded, result))
      return result;
    return rounded(zeta_of(x, q, zero));
  }
};

struct Polygamma {
  template <class N> static N of(double n, double x) {
    if (n == 0)
      return Digamma::of<N>(x);
    return (n > 0) & (rint(n) == n) && Zeta::is_usual_zeta(n + 1, x) ? polygamma_of<N>(n, x) : undecided<N>();
  }
  template <class N> static double exact(double n, double x, Rounding rounded) {
    if (n == 0)
      return Digamma::exact<N>(x, rounded);
    if (!(n > 0 && n < infinite && n == floor(n)))
      return not_a_number;
    const double sign = fmod(n, 2) == 0 ? -1 : 1;
    double result;
    if (Zeta::is_special(n + 1, fmod(n, 2) != 0, x, result))
      return result != result ? not_a_number : sign * result;
    const bool is_odd = fmod(n, 2) == 0; // n + 1
    const double fraction = x - floor(x);
    const double nearest_pole = x < 0 && fraction == 0.5 ? (is_odd ? 1 - x : 0.5) : x;
    if (Zeta::is_far(n + 1, nearest_pole, lgamma_of_positive(functions::of<N>(n + 1)), rounded, result))
      return (x < 0 && is_odd && fraction > 0.5 ? -sign : sign) * result;
    return rounded(polygamma_of<N>(n, x));
  }
};

// Bessel -------------------------------------------------------------------------------------------------------------

// exp(-x) I1(x) for x > 0.
template <class N> N bessel_i1e_of(double size) {
  const Constants<N> &c = constants<N>();
  const N x = of<N>(size);
  if (size < Precision<N>::bessel_asymptotic) {
    const int terms = static_cast<int>(Precision<N>::bessel_first_terms + Precision<N>::bessel_terms_per_unit * size);
    const N half = of<N>(0.5) * x, series = horner(c.bessel, terms, half * half);
    return exponential(-x) * (half * series);
  }
  const N inverse = of<N>(1) / x;
  return horner(c.bessel_large, Precision<N>::bessel_large_terms, inverse) * root(inverse) * c.root_half_over_pi;
}

struct BesselI1e {
  template <class N> static N of(double x) {
    const double size = fabs(x);
    return is_usual(size) ? signed_as(bessel_i1e_of<N>(size), x) : undecided<N>();
  }
  template <class N> static double exact(double x, Rounding rounded) {
    if (x != x)
      return not_a_number;
    if (x == 0)
      return x;
    if (fabs(x) == infinite)
      return copysign(0, x);
    N result = bessel_i1e_of<N>(fabs(x));
    // Half of a subnormal number, of f32 or f64, may be a midpoint; the result is less than this half.
    if (result.exponent < -100)
      result = result - scaled(result, -150);
    return copysign(rounded(result), x);
  }
};

} // namespace
} // namespace hlokit::functions
