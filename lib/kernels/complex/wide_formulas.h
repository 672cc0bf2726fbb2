// Formulas for Wide (wide.h) that differ from those for all types (formulas.h). A first term may be a tie of a format,
// or cancel to zero, while the next term is beyond the bits of a Wide: these formulas let the next term decide.
#pragma once

#include "kernels/complex/formulas.h"
#include "kernels/functions/wide.h"

namespace hlokit::functions {

// Functions of numbers that the formulas call: in the namespace of Wide, where the formulas find them.
static double about(const Wide &a) { return approximate(a); }
static bool is_negative(const Wide &a) { return a.is_negative; }
static bool is_positive(const Wide &a) { return !a.is_negative && !a.is_zero(); }
static Wide doubted(const Wide &a, const Wide &) { return a; }
static Wide angle(const Wide &y, const Wide &x) {
  if (y.is_zero())
    return x.is_negative ? scaled(half_pi(), 1) : Wide{};
  if (x.is_zero())
    return y.is_negative ? -half_pi() : half_pi();
  return atan2(y, x);
}

namespace {

template <> Wide of<Wide>(double value) { return wide(value); }
template <> Wide pi_of<Wide>() { return scaled(half_pi(), 1); }

} // namespace

static Turn<Wide> sine_and_cosine(const Wide &a) {
  const auto [quarters, rest] = reduced(a);
  const auto [sine, cosine] = sine_cosine(rest);
  switch (quarters) {
  case 0:
    return {sine, cosine};
  case 1:
    return {cosine, -sine};
  case 2:
    return {-sine, -cosine};
  default:
    return {-cosine, sine};
  }
}

// A ratio of parts below 2**-74 has a square below the bits that a rounding trusts, which are 180: with some bits to spare.
constexpr int64_t tiny_ratio = 74, tiny_term = 150;
// Infinitesimals change no digit of the result.
constexpr int64_t infinitesimal_ratio = int64_t{1} << 30;

// A sum of terms; `next` is the first term that the sum may lack, and moves the sum by so little that only ties change.
static Wide beside(const Wide &sum, const Wide &next) {
  const int64_t distance = sum.exponent - next.exponent;
  if (sum.is_zero() || next.is_zero() || distance < tiny_term || distance > infinitesimal_ratio)
    return sum;
  const Wide step = scaled(magnitude(sum), -tiny_term);
  return next.is_negative ? sum - step : sum + step;
}
static Wide shortened(const Wide &sum) { return beside(sum, scaled(-sum, -tiny_term)); }
// The smaller of two parts is shorter than its first term if it is much smaller.
static Parts<Wide> with_less_shortened(const Parts<Wide> &found) {
  const int64_t distance = found.real.exponent - found.imag.exponent;
  if (distance > tiny_ratio)
    return {found.real, shortened(found.imag)};
  return {distance < -tiny_ratio ? shortened(found.real) : found.real, found.imag};
}

// sqrt(1 + i q) = 1 + i q / 2 + q**2 / 8 - i q**3 / 16, and the others likewise.
static Parts<Wide> sqrt_of(const Parts<Wide> &z) { return with_less_shortened(sqrt_of<Wide>(z)); }
static Parts<Wide> rsqrt_of(const Parts<Wide> &z) { return with_less_shortened(rsqrt_of<Wide>(z)); }
static Parts<Wide> cbrt_of(const Parts<Wide> &z) { return with_less_shortened(cbrt_of<Wide>(z)); }
static Parts<Wide> sign_of(const Parts<Wide> &z) { return with_less_shortened(sign_of<Wide>(z)); }

// Angles: atan(q) = q - q**3 / 3.
static Wide beside_tie(const Wide &angle) { return angle.exponent < -tiny_ratio ? shortened(angle) : angle; }
static Parts<Wide> log_of(const Parts<Wide> &z) {
  const Parts<Wide> found = log_of<Wide>(z);
  return {found.real, beside_tie(found.imag)};
}

// log1p(2 x + y**2 + x**2) / 2 = (first + x**2 - first**2 / 2) / 2, with 2 x + y**2 first.
static Parts<Wide> log_plus_one_of(const Parts<Wide> &z) {
  const Parts<Wide> found = log_plus_one_of<Wide>(z);
  const Wide first = z.real + z.real + square(z.imag);
  return {beside(found.real, square(z.real) - half(square(first))), beside_tie(found.imag)};
}

// The real part of the sum of z**n / n!, with x - y**2 / 2 first.
static Wide real_expm1_of_tiny(const Parts<Wide> &z) {
  constexpr int terms = 30;
  Parts<Wide> term = {half(square(z.real) - square(z.imag)), z.real * z.imag};
  Wide next = half(square(z.real));
  for (int n = 3; n < terms; ++n) {
    const Wide real = term.real * z.real - term.imag * z.imag, imag = term.real * z.imag + term.imag * z.real;
    term = {real / of<Wide>(n), imag / of<Wide>(n)};
    next = next + term.real;
  }
  return beside((z.real - half(square(z.imag))) + next, next);
}
static Parts<Wide> exponential_minus_one_of(const Parts<Wide> &z) {
  Parts<Wide> found = exponential_minus_one_of<Wide>(z);
  if (z.real.exponent < -10 && z.imag.exponent < -10)
    found.real = real_expm1_of_tiny(z);
  return found;
}

// The imaginary part is y / 4 + y (y**2 - 3 x**2) / 48.
static Parts<Wide> logistic_of(const Parts<Wide> &z) {
  const Parts<Wide> found = logistic_of<Wide>(z);
  const Wide next = found.imag * (square(z.imag) - of<Wide>(3) * square(z.real));
  return {found.real, beside(found.imag, next)};
}

// atanh(x + i y) beside the imaginary axis: x / (1 + y**2) + x**3 (1 - 3 y**2) / (3 (1 + y**2)**3) is real.
static Wide next_beside_axis(const Wide &x, const Wide &y) {
  const Wide y_square = square(y);
  return square(x) * (of<Wide>(1) - of<Wide>(3) * y_square) / square(of<Wide>(1) + y_square);
}
static Parts<Wide> atanh_of(const Parts<Wide> &z) {
  const Parts<Wide> found = atanh_of<Wide>(z);
  return {beside(found.real, found.real * next_beside_axis(z.real, z.imag)), found.imag};
}
static Parts<Wide> atan_of(const Parts<Wide> &z) {
  return turned_right(atanh_of(turned_left(z)));
}

// The angle of w = y / x if w is small, otherwise a quarter of a turn less the angle of 1 / w: w - w**3 / 3, and beside
// the real axis as above.
static Parts<Wide> atan2_of(const Parts<Wide> &y, const Parts<Wide> &x) {
  const Parts<Wide> found = atan2_of<Wide>(y, x);
  const bool is_small = is_less(norm(y), norm(x));
  const Parts<Wide> &over = is_small ? y : x, &under = is_small ? x : y;
  const Wide size = norm(under), three = of<Wide>(3);
  const Parts<Wide> w = {(over.real * under.real + over.imag * under.imag) / size,
                         (over.imag * under.real - over.real * under.imag) / size};
  const Wide next_real = three * square(w.imag) - square(w.real);
  Wide next_imag = next_beside_axis(w.imag, w.real);
  if (w.real.exponent < -tiny_ratio)
    next_imag = next_imag - three * square(w.real);
  return {is_small ? beside(found.real, found.real * next_real) : found.real, beside(found.imag, found.imag * next_imag)};
}

// Beside the axes, with q the ratio of the parts: (1 + i q)**p is 1 + p (p - 1) / 2 (i q)**2 and
// i p q (1 + (p - 1) (p - 2) / 6 (i q)**2), or these turned.
static Parts<Wide> power_of(const Parts<Wide> &x, const Parts<Wide> &y, double real_exponent, bool is_real_exponent) {
  const Parts<Wide> found = power_of<Wide>(x, y, real_exponent);
  const int64_t distance = found.real.exponent - found.imag.exponent;
  if (!is_real_exponent || (distance <= tiny_ratio && distance >= -tiny_ratio))
    return found;
  const bool is_flat = x.real.exponent > x.imag.exponent;
  const Wide less_square = -square(is_flat ? x.imag / x.real : x.real / x.imag), one = of<Wide>(1);
  const Wide of_most = less_square * y.real * (y.real - one);
  const Wide of_least = less_square * (y.real - one) * (y.real - of<Wide>(2));
  const bool is_real = distance > 0;
  return {beside(found.real, found.real * (is_real ? of_most : of_least)),
          beside(found.imag, found.imag * (is_real ? of_least : of_most))};
}

} // namespace hlokit::functions
