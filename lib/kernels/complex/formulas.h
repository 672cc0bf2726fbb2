// Formulas of functions of complex numbers, for any type of numbers N: Near (nears.h), Ball (balls.h), Wide (wide.h). Internal
// linkage, as for all that is compiled several times (support/variants.h).
//
// N has + - * /, exp, expm1, log, log1p, root, sine_and_cosine, angle (of the point (x, y)), pi_of<N>, is_negative, is_positive,
// about (a nearby double), doubted (a number that is unknown if the error of another hides its sign) and of<N> (a number from a
// double).
//
// A zero part is represented by a tiny number of its sign, so that formulas know the sides of cuts and axes. limits.cpp
// handles infinities, NaNs and poles. No formula has a cancellation that the function does not have.
//
// Sources: Kahan, Branch cuts for complex elementary functions (1987); Hull, Fairgrieve and Tang, Implementing the complex
// arcsine and arccosine functions using exception handling (1997).
#pragma once

#include <math.h>

namespace hlokit::functions {
namespace {

template <class N> N of(double value);
template <class N> N pi_of();

template <class N> struct Parts {
  N real, imag;
};
template <class N> struct Turn {
  N sine, cosine;
};

template <class N> N chosen(bool is_first, const N &a, const N &b) { return is_first ? a : b; }
template <class N> N square(const N &a) { return a * a; }
template <class N> N half(const N &a) { return of<N>(0.5) * a; }
template <class N> N size(const N &a) { return is_negative(a) ? -a : a; }
// A positive number with the sign of another.
template <class N> N with_sign(const N &a, const N &sign) { return is_negative(sign) ? -a : a; }
template <class N> N norm(const Parts<N> &z) { return square(z.real) + square(z.imag); }
template <class N> N modulus(const Parts<N> &z) { return root(norm(z)); }
template <class N> Parts<N> conjugate(const Parts<N> &z) { return {z.real, -z.imag}; }

// f(z) = -i g(i z)
template <class N, class G> Parts<N> turned_by(const Parts<N> &z, G g) {
  const Parts<N> found = g(Parts<N>{-z.imag, z.real});
  return {found.imag, -found.real};
}

// Exponentials and logarithms ----------------------------------------------------------------------------------------

template <class N> Parts<N> exponential_of(const Parts<N> &z) {
  const N power = exponential(z.real);
  const Turn<N> y = sine_and_cosine(z.imag);
  return {power * y.cosine, power * y.sine};
}
// expm1(x) cos(y) - 2 sin(y / 2)**2
template <class N> Parts<N> exponential_minus_one_of(const Parts<N> &z) {
  const Turn<N> y = sine_and_cosine(z.imag);
  const N square_of_half = square(sine_and_cosine(half(z.imag)).sine);
  return {exponential_minus_one(z.real) * y.cosine - (square_of_half + square_of_half), exponential(z.real) * y.sine};
}
// 1 / (1 + exp(-z)): the denominator is |1 + exp(-z)|**2 = expm1(-x)**2 + 4 exp(-x) cos(y / 2)**2.
template <class N> Parts<N> logistic_of(const Parts<N> &z) {
  const N power = exponential(-z.real), excess = exponential_minus_one(-z.real);
  const N twice = (power + power) * square(sine_and_cosine(half(z.imag)).cosine);
  const N denominator = square(excess) + (twice + twice);
  return {(twice - excess) / denominator, power * sine_and_cosine(z.imag).sine / denominator};
}
template <class N> N log_of_modulus(const Parts<N> &z) {
  const N x = size(z.real), y = size(z.imag), one = of<N>(1), whole = norm(z);
  if (!(about(whole) > 0.5 && about(whole) < 2))
    return half(log(whole));
  const bool is_steep = about(x) < about(y);
  const N &most = is_steep ? y : x, &least = is_steep ? x : y;
  return half(log_plus_one((most - one) * (most + one) + square(least)));
}
template <class N> Parts<N> log_of(const Parts<N> &z) { return {log_of_modulus(z), angle(z.imag, z.real)}; }
template <class N> Parts<N> log_plus_one_of(const Parts<N> &z) {
  const N above = z.real + of<N>(1);
  // |1 + z|**2 - 1, in the order in which a small sum cancels exactly.
  const N excess = about(z.real) > -0.5 ? (z.real + z.real + square(z.imag)) + square(z.real)
                                        : z.real * (z.real + of<N>(2)) + square(z.imag);
  const N logarithm = about(excess) < -0.5 ? log(square(above) + square(z.imag)) : log_plus_one(excess);
  return {half(logarithm), angle(z.imag, above)};
}

// Roots --------------------------------------------------------------------------------------------------------------

template <class N> Parts<N> root_of_size(const Parts<N> &z, const N &radius) {
  const N larger = root(half(radius + size(z.real))), smaller = half(size(z.imag) / larger);
  const bool is_left = is_negative(z.real);
  return {chosen(is_left, smaller, larger), with_sign(chosen(is_left, larger, smaller), z.imag)};
}
template <class N> Parts<N> sqrt_of(const Parts<N> &z) { return root_of_size(z, modulus(z)); }
template <class N> Parts<N> rsqrt_of(const Parts<N> &z) {
  const N radius = modulus(z);
  const Parts<N> w = root_of_size(z, radius);
  return {w.real / radius, -w.imag / radius};
}
template <class N> Parts<N> cbrt_of(const Parts<N> &z) {
  const N radius = exponential(log(norm(z)) / of<N>(6));
  const Turn<N> third = sine_and_cosine(angle(z.imag, z.real) / of<N>(3));
  return {radius * third.cosine, radius * third.sine};
}
template <class N> Parts<N> sign_of(const Parts<N> &z) {
  const N radius = modulus(z);
  return {z.real / radius, z.imag / radius};
}

// Hyperbolic and circular functions ----------------------------------------------------------------------------------

template <class N> struct Hyperbolic {
  N sine, cosine;
};
template <class N> Hyperbolic<N> hyperbolic(const N &x) {
  const N excess = exponential_minus_one(size(x)), whole = excess + of<N>(1);
  return {with_sign(half(excess + excess / whole), x), half(whole + of<N>(1) / whole)};
}
template <class N> Parts<N> sinh_of(const Parts<N> &z) {
  const Hyperbolic<N> x = hyperbolic(z.real);
  const Turn<N> y = sine_and_cosine(z.imag);
  return {x.sine * y.cosine, x.cosine * y.sine};
}
template <class N> Parts<N> cosh_of(const Parts<N> &z) {
  const Hyperbolic<N> x = hyperbolic(z.real);
  const Turn<N> y = sine_and_cosine(z.imag);
  return {x.cosine * y.cosine, x.sine * y.sine};
}
template <class N> Parts<N> tanh_of(const Parts<N> &z) {
  const Hyperbolic<N> x = hyperbolic(z.real);
  const Turn<N> y = sine_and_cosine(z.imag);
  const N denominator = square(x.sine) + square(y.cosine);
  return {x.sine * x.cosine / denominator, y.sine * y.cosine / denominator};
}
template <class N> Parts<N> sine_of(const Parts<N> &z) { return turned_by(z, sinh_of<N>); }
template <class N> Parts<N> cosine_of(const Parts<N> &z) { return cosh_of(Parts<N>{-z.imag, z.real}); }
template <class N> Parts<N> tan_of(const Parts<N> &z) { return turned_by(z, tanh_of<N>); }

// Inverse functions --------------------------------------------------------------------------------------------------

// With a = (|z + 1| + |z - 1|) / 2 and x = |real part|: sqrt(a**2 - x**2) and acosh(a).
template <class N> Parts<N> asin_acos_kernel_of(const Parts<N> &z) {
  const N x = size(z.real), one = of<N>(1), y_square = square(z.imag);
  const bool is_inside = about(x) <= 1;
  const N above = x + one, gap = is_inside ? one - x : x - one;
  const N right = root(square(above) + y_square), left = root(square(gap) + y_square), mean = half(right + left);
  // right - (x + 1), left - |x - 1| and left + |x - 1|
  const N first = y_square / (right + above), second = y_square / (left + gap), sum = left + gap;
  const N less_x = half(first + (is_inside ? sum : second)), less_one = half(first + (is_inside ? second : sum));
  return {root((mean + x) * less_x), log_plus_one(less_one + root(less_one * (mean + one)))};
}
template <class N> Parts<N> asin_of(const Parts<N> &z) {
  const Parts<N> kernel = asin_acos_kernel_of(z);
  return {angle(z.real, kernel.real), with_sign(kernel.imag, z.imag)};
}
template <class N> Parts<N> acos_of(const Parts<N> &z) {
  const Parts<N> kernel = asin_acos_kernel_of(z);
  return {angle(kernel.real, z.real), with_sign(kernel.imag, -z.imag)};
}
template <class N> Parts<N> acosh_of(const Parts<N> &z) {
  const Parts<N> kernel = asin_acos_kernel_of(z);
  return {kernel.imag, with_sign(angle(kernel.real, z.real), z.imag)};
}
template <class N> Parts<N> asinh_of(const Parts<N> &z) { return turned_by(z, asin_of<N>); }
// log1p(4 x / ((1 - x)**2 + y**2)) / 4 and half the angle of (1 - x) (1 + x) - y**2 + 2 i y, for positive x.
template <class N> Parts<N> atanh_of(const Parts<N> &z) {
  const N x = size(z.real), one = of<N>(1), gap = one - x, y_square = square(z.imag);
  const N real = log_plus_one(of<N>(4) * x / (square(gap) + y_square)) / of<N>(4);
  return {with_sign(real, z.real), half(angle(z.imag + z.imag, gap * (one + x) - y_square))};
}
template <class N> Parts<N> atan_of(const Parts<N> &z) { return turned_by(z, atanh_of<N>); }

// Two operands -------------------------------------------------------------------------------------------------------

// exp(y log(x)). The angle of x is split into eighths of a turn and a remainder: multiples of eighths are exact, and so
// powers that are real or imaginary.
template <class N> Parts<N> power_of(const Parts<N> &x, const Parts<N> &y, double real_exponent) {
  const N a = size(x.real), b = size(x.imag);
  // The eighth that is nearest to the angle of (a, b), and the remaining angle.
  const int eighth = about(b) < 0.41 * about(a) ? 0 : about(a) < 0.41 * about(b) ? 2 : 1;
  const N gap = b - a;
  const N rest = eighth == 0 ? angle(b, a) : eighth == 2 ? -angle(a, b) : about(gap) == 0 ? of<N>(0) : angle(gap, a + b);
  const int in_half = is_negative(x.real) ? 4 - eighth : eighth;
  const double eighths = is_negative(x.imag) ? -in_half : in_half;
  const N left = is_negative(x.real) != is_negative(x.imag) ? -rest : rest;
  const N logarithm = log_of_modulus(x), eighth_turn = pi_of<N>() / of<N>(4);
  const double factor = fmod(real_exponent, 8), whole = rint(factor * eighths);
  const N power = exponential(y.real * logarithm - y.imag * (left + eighth_turn * of<N>(eighths)));
  N angle_left = y.imag * logarithm + y.real * left;
  const bool is_whole = factor * eighths == whole && rint(16 * factor) == 16 * factor; // the product is exact
  if (!is_whole)
    angle_left = angle_left + eighth_turn * (of<N>(factor) * of<N>(eighths) - of<N>(whole));
  const Turn<N> t = sine_and_cosine(angle_left);
  const int count = static_cast<int>(whole - 8 * floor(whole / 8));
  const bool is_odd = count % 2 != 0;
  // The angle of count / 2 quarters of a turn and, if count is odd, an eighth.
  const N cosine = is_odd ? (t.cosine - t.sine) * root(of<N>(0.5)) : t.cosine;
  const N sine = is_odd ? (t.cosine + t.sine) * root(of<N>(0.5)) : t.sine;
  switch (count / 2) {
  case 0:
    return {power * cosine, power * sine};
  case 1:
    return {power * -sine, power * cosine};
  case 2:
    return {power * -cosine, power * -sine};
  default:
    return {power * sine, power * -cosine};
  }
}

// -i log((x + i y) / sqrt(x**2 + y**2)). With p = x + i y and q = x - i y, both parts are those of log(p / q) / 2;
// where p / sqrt(p q) = -sqrt(p / q), the angle differs by half a turn.
template <class N> Parts<N> atan2_of(const Parts<N> &y, const Parts<N> &x) {
  const Parts<N> p = {x.real - y.imag, x.imag + y.real}, q = {x.real + y.imag, x.imag - y.real};
  // p times the conjugate of q: |x|**2 - |y|**2 + i 2 Re(x conj(y)).
  const N across = x.real * y.real + x.imag * y.imag, along = p.real * q.real + p.imag * q.imag;
  const N turn = across + across, product = x.real * x.imag + y.real * y.imag;
  // The signs of vanishing parts of p and q do not matter; the signs of turn and product do.
  const bool is_up = !is_negative(p.imag), is_other_up = !is_negative(q.imag);
  const N &deciding = is_up == is_other_up ? product : turn;
  const bool is_beyond = is_up != !is_negative(deciding);
  N real = doubted(doubted(half(angle(turn, along)), turn), deciding);
  if (is_beyond)
    real = is_positive(real) ? real - pi_of<N>() : real + pi_of<N>();
  // |p|**2 - |q|**2 = 4 excess
  const N excess = x.imag * y.real - x.real * y.imag;
  const bool is_less = is_negative(excess);
  const N ratio = of<N>(4) * size(excess) / norm(is_less ? p : q);
  const N imag = log_plus_one(ratio) / of<N>(4);
  return {real, is_less ? imag : -imag};
}

} // namespace
} // namespace hlokit::functions
