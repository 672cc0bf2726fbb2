// Formulas of functions of complex numbers, for any type of numbers N: Near (nears.h), Ball (balls.h), Wide (wide.h). Internal
// linkage, as for all that is compiled several times (support/variants.h).
//
// No formula branches, so that compilers vectorise loops over numbers.
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

#include "support/compiler.h"

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

template <class N> HLOKIT_INLINE N chosen(bool is_first, const N &a, const N &b) { return is_first ? a : b; }
template <class N> HLOKIT_INLINE N square(const N &a) { return a * a; }
template <class N> HLOKIT_INLINE N half(const N &a) { return of<N>(0.5) * a; }
template <class N> HLOKIT_INLINE N size(const N &a) { return chosen(is_negative(a), -a, a); }
// A positive number with the sign of another.
template <class N> HLOKIT_INLINE N with_sign(const N &a, const N &sign) { return chosen(is_negative(sign), -a, a); }
// log(1 + a), or log(a).
template <class N> HLOKIT_INLINE N log_from(bool is_from_one, const N &a) { return is_from_one ? log_plus_one(a) : log(a); }
template <class N> HLOKIT_INLINE N norm(const Parts<N> &z) { return square(z.real) + square(z.imag); }
template <class N> HLOKIT_INLINE N modulus(const Parts<N> &z) { return root(norm(z)); }
template <class N> HLOKIT_INLINE Parts<N> conjugate(const Parts<N> &z) { return {z.real, -z.imag}; }

// i z, and -i z
template <class N> HLOKIT_INLINE Parts<N> turned_left(const Parts<N> &z) { return {-z.imag, z.real}; }
template <class N> HLOKIT_INLINE Parts<N> turned_right(const Parts<N> &z) { return {z.imag, -z.real}; }

// Exponentials and logarithms ----------------------------------------------------------------------------------------

template <class N> HLOKIT_INLINE Parts<N> exponential_of(const Parts<N> &z) {
  const N power = exponential(z.real);
  const Turn<N> y = sine_and_cosine(z.imag);
  return {power * y.cosine, power * y.sine};
}
// expm1(x) cos(y) - 2 sin(y / 2)**2
template <class N> HLOKIT_INLINE Parts<N> exponential_minus_one_of(const Parts<N> &z) {
  const Turn<N> y = sine_and_cosine(z.imag);
  const N square_of_half = square(sine_and_cosine(half(z.imag)).sine);
  return {exponential_minus_one(z.real) * y.cosine - (square_of_half + square_of_half), exponential(z.real) * y.sine};
}
// 1 / (1 + exp(-z)): the denominator is |1 + exp(-z)|**2 = expm1(-x)**2 + 4 exp(-x) cos(y / 2)**2.
template <class N> HLOKIT_INLINE Parts<N> logistic_of(const Parts<N> &z) {
  const N power = exponential(-z.real), excess = exponential_minus_one(-z.real);
  const N twice = (power + power) * square(sine_and_cosine(half(z.imag)).cosine);
  const N denominator = square(excess) + (twice + twice);
  return {(twice - excess) / denominator, power * sine_and_cosine(z.imag).sine / denominator};
}
template <class N> HLOKIT_INLINE N log_of_modulus(const Parts<N> &z) {
  const N x = size(z.real), y = size(z.imag), one = of<N>(1), whole = norm(z);
  const bool is_near_one = (about(whole) > 0.5) & (about(whole) < 2), is_steep = about(x) < about(y);
  const N most = chosen(is_steep, y, x), least = chosen(is_steep, x, y);
  return half(log_from(is_near_one, chosen(is_near_one, (most - one) * (most + one) + square(least), whole)));
}
template <class N> HLOKIT_INLINE Parts<N> log_of(const Parts<N> &z) { return {log_of_modulus(z), angle(z.imag, z.real)}; }
template <class N> HLOKIT_INLINE Parts<N> log_plus_one_of(const Parts<N> &z) {
  const N above = z.real + of<N>(1);
  // |1 + z|**2 - 1, in the order in which a small sum cancels exactly.
  const N excess = chosen(about(z.real) > -0.5, (z.real + z.real + square(z.imag)) + square(z.real),
                          z.real * (z.real + of<N>(2)) + square(z.imag));
  const bool is_above = about(excess) >= -0.5;
  return {half(log_from(is_above, chosen(is_above, excess, square(above) + square(z.imag)))), angle(z.imag, above)};
}

// Roots --------------------------------------------------------------------------------------------------------------

template <class N> HLOKIT_INLINE Parts<N> root_of_size(const Parts<N> &z, const N &radius) {
  const N larger = root(half(radius + size(z.real))), smaller = half(size(z.imag) / larger);
  const bool is_left = is_negative(z.real);
  return {chosen(is_left, smaller, larger), with_sign(chosen(is_left, larger, smaller), z.imag)};
}
template <class N> HLOKIT_INLINE Parts<N> sqrt_of(const Parts<N> &z) { return root_of_size(z, modulus(z)); }
template <class N> HLOKIT_INLINE Parts<N> rsqrt_of(const Parts<N> &z) {
  const N radius = modulus(z);
  const Parts<N> w = root_of_size(z, radius);
  return {w.real / radius, -w.imag / radius};
}
template <class N> HLOKIT_INLINE Parts<N> cbrt_of(const Parts<N> &z) {
  const N radius = exponential(log(norm(z)) / of<N>(6));
  const Turn<N> third = sine_and_cosine(angle(z.imag, z.real) / of<N>(3));
  return {radius * third.cosine, radius * third.sine};
}
template <class N> HLOKIT_INLINE Parts<N> sign_of(const Parts<N> &z) {
  const N radius = modulus(z);
  return {z.real / radius, z.imag / radius};
}

// Hyperbolic and circular functions ----------------------------------------------------------------------------------

template <class N> struct Hyperbolic {
  N sine, cosine;
};
template <class N> HLOKIT_INLINE Hyperbolic<N> hyperbolic(const N &x) {
  const N excess = exponential_minus_one(size(x)), whole = excess + of<N>(1);
  return {with_sign(half(excess + excess / whole), x), half(whole + of<N>(1) / whole)};
}
template <class N> HLOKIT_INLINE Parts<N> sinh_of(const Parts<N> &z) {
  const Hyperbolic<N> x = hyperbolic(z.real);
  const Turn<N> y = sine_and_cosine(z.imag);
  return {x.sine * y.cosine, x.cosine * y.sine};
}
template <class N> HLOKIT_INLINE Parts<N> cosh_of(const Parts<N> &z) {
  const Hyperbolic<N> x = hyperbolic(z.real);
  const Turn<N> y = sine_and_cosine(z.imag);
  return {x.cosine * y.cosine, x.sine * y.sine};
}
template <class N> HLOKIT_INLINE Parts<N> tanh_of(const Parts<N> &z) {
  const Hyperbolic<N> x = hyperbolic(z.real);
  const Turn<N> y = sine_and_cosine(z.imag);
  const N denominator = square(x.sine) + square(y.cosine);
  return {x.sine * x.cosine / denominator, y.sine * y.cosine / denominator};
}
template <class N> HLOKIT_INLINE Parts<N> sine_of(const Parts<N> &z) { return turned_right(sinh_of(turned_left(z))); }
template <class N> HLOKIT_INLINE Parts<N> cosine_of(const Parts<N> &z) { return cosh_of(turned_left(z)); }
template <class N> HLOKIT_INLINE Parts<N> tan_of(const Parts<N> &z) { return turned_right(tanh_of(turned_left(z))); }

// Inverse functions --------------------------------------------------------------------------------------------------

// With a = (|z + 1| + |z - 1|) / 2 and x = |real part|: sqrt(a**2 - x**2) and acosh(a).
template <class N> HLOKIT_INLINE Parts<N> asin_acos_kernel_of(const Parts<N> &z) {
  const N x = size(z.real), one = of<N>(1), y_square = square(z.imag);
  const bool is_inside = about(x) <= 1;
  const N above = x + one, gap = chosen(is_inside, one - x, x - one);
  const N right = root(square(above) + y_square), left = root(square(gap) + y_square), mean = half(right + left);
  // right - (x + 1), left - |x - 1| and left + |x - 1|
  const N first = y_square / (right + above), second = y_square / (left + gap), sum = left + gap;
  const N less_x = half(first + chosen(is_inside, sum, second)), less_one = half(first + chosen(is_inside, second, sum));
  return {root((mean + x) * less_x), log_plus_one(less_one + root(less_one * (mean + one)))};
}
template <class N> HLOKIT_INLINE Parts<N> asin_of(const Parts<N> &z) {
  const Parts<N> kernel = asin_acos_kernel_of(z);
  return {angle(z.real, kernel.real), with_sign(kernel.imag, z.imag)};
}
template <class N> HLOKIT_INLINE Parts<N> acos_of(const Parts<N> &z) {
  const Parts<N> kernel = asin_acos_kernel_of(z);
  return {angle(kernel.real, z.real), with_sign(kernel.imag, -z.imag)};
}
template <class N> HLOKIT_INLINE Parts<N> acosh_of(const Parts<N> &z) {
  const Parts<N> kernel = asin_acos_kernel_of(z);
  return {kernel.imag, with_sign(angle(kernel.real, z.real), z.imag)};
}
template <class N> HLOKIT_INLINE Parts<N> asinh_of(const Parts<N> &z) { return turned_right(asin_of(turned_left(z))); }
// log1p(4 x / ((1 - x)**2 + y**2)) / 4 and half the angle of (1 - x) (1 + x) - y**2 + 2 i y, for positive x.
template <class N> HLOKIT_INLINE Parts<N> atanh_of(const Parts<N> &z) {
  const N x = size(z.real), one = of<N>(1), gap = one - x, y_square = square(z.imag);
  const N real = log_plus_one(of<N>(4) * x / (square(gap) + y_square)) / of<N>(4);
  return {with_sign(real, z.real), half(angle(z.imag + z.imag, gap * (one + x) - y_square))};
}
template <class N> HLOKIT_INLINE Parts<N> atan_of(const Parts<N> &z) { return turned_right(atanh_of(turned_left(z))); }

// Two operands -------------------------------------------------------------------------------------------------------

// exp(y log(x)). The angle of x is split into eighths of a turn and a remainder: multiples of eighths are exact, and so
// powers that are real or imaginary.
template <class N> HLOKIT_INLINE Parts<N> power_of(const Parts<N> &x, const Parts<N> &y, double real_exponent) {
  const N a = size(x.real), b = size(x.imag), gap = b - a;
  // The eighth that is nearest to the angle of (a, b), and the remaining angle.
  const bool is_flat = about(b) < 0.41 * about(a), is_steep = about(a) < 0.41 * about(b);
  const bool is_even = !is_flat & !is_steep & (about(gap) == 0);
  const N over = chosen(is_flat | is_even, b, chosen(is_steep, a, gap)), under = chosen(is_flat, a, chosen(is_steep, b, a + b));
  const N to_axis = chosen(is_even, of<N>(0), angle(over, under)), rest = chosen(is_steep, -to_axis, to_axis);
  const double eighth = is_flat ? 0 : is_steep ? 2 : 1, in_half = is_negative(x.real) ? 4 - eighth : eighth;
  const double eighths = is_negative(x.imag) ? -in_half : in_half;
  const N left = chosen(is_negative(x.real) != is_negative(x.imag), -rest, rest);
  const N logarithm = log_of_modulus(x), eighth_turn = pi_of<N>() / of<N>(4);
  const double factor = real_exponent - 8 * HLOKIT_MATH(rint)(real_exponent / 8), product = factor * eighths;
  const double whole = HLOKIT_MATH(rint)(product);
  const N power = exponential(y.real * logarithm - y.imag * (left + eighth_turn * of<N>(eighths)));
  const bool is_whole = (product == whole) & (HLOKIT_MATH(rint)(16 * factor) == 16 * factor); // the product is exact
  const N part = chosen(is_whole, of<N>(0), eighth_turn * (of<N>(factor) * of<N>(eighths) - of<N>(whole)));
  const Turn<N> t = sine_and_cosine(y.imag * logarithm + y.real * left + part);
  // The angle of count / 2 quarters of a turn and, if count is odd, an eighth.
  const double count = whole - 8 * HLOKIT_MATH(floor)(whole / 8), quarters = HLOKIT_MATH(floor)(count / 2);
  const bool is_odd = count != 2 * quarters;
  const N root_half = root(of<N>(0.5));
  const N cosine = chosen(is_odd, (t.cosine - t.sine) * root_half, t.cosine);
  const N sine = chosen(is_odd, (t.cosine + t.sine) * root_half, t.sine);
  const bool is_turned = (quarters == 1) | (quarters == 3), is_left = (quarters == 1) | (quarters == 2);
  const N real = power * chosen(is_turned, sine, cosine), imag = power * chosen(is_turned, cosine, sine);
  return {chosen(is_left, -real, real), chosen(quarters >= 2, -imag, imag)};
}

// -i log((x + i y) / sqrt(x**2 + y**2)). With p = x + i y and q = x - i y, both parts are those of log(p / q) / 2;
// where p / sqrt(p q) = -sqrt(p / q), the angle differs by half a turn.
template <class N> HLOKIT_INLINE Parts<N> atan2_of(const Parts<N> &y, const Parts<N> &x) {
  const Parts<N> p = {x.real - y.imag, x.imag + y.real}, q = {x.real + y.imag, x.imag - y.real};
  // p times the conjugate of q: |x|**2 - |y|**2 + i 2 Re(x conj(y)).
  const N across = x.real * y.real + x.imag * y.imag, along = p.real * q.real + p.imag * q.imag;
  const N turn = across + across, product = x.real * x.imag + y.real * y.imag;
  // The signs of vanishing parts of p and q do not matter; the signs of turn and product do.
  const bool is_up = !is_negative(p.imag), is_other_up = !is_negative(q.imag);
  const N deciding = chosen(is_up == is_other_up, product, turn);
  const bool is_beyond = is_up != !is_negative(deciding);
  const N near = doubted(doubted(half(angle(turn, along)), turn), deciding);
  const N real = chosen(is_beyond, near - chosen(is_positive(near), pi_of<N>(), -pi_of<N>()), near);
  // |p|**2 - |q|**2 = 4 excess
  const N excess = x.imag * y.real - x.real * y.imag;
  const bool is_less = is_negative(excess);
  const N ratio = of<N>(4) * size(excess) / chosen(is_less, norm(p), norm(q));
  const N imag = log_plus_one(ratio) / of<N>(4);
  return {real, chosen(is_less, imag, -imag)};
}

} // namespace
} // namespace hlokit::functions
