// Roots, powers, inverse and hyperbolic functions of f32 and narrower floats: see functions.h.
#pragma once

#include "vm/pointwise/functions.h"

namespace hlokit::vm {
namespace {

// Roots ---------------------------------------------------------------------------------------------------

struct Rsqrt {
  static HLOKIT_INLINE double of(double x) { return 1 / sqrt(x); }
};
// Estimates x**(-1/3) from the bits of x, within some percent, and refines the estimate by an iteration that cubes the
// error and does not divide.
struct Cbrt {
  static HLOKIT_INLINE double refined(double guess, double size) {
    double error = 1 - size * guess * guess * guess;
    return guess + guess * error * (1.0 / 3 + error * (2.0 / 9));
  }
  static HLOKIT_INLINE double of(double x) {
    double size = magnitude(x);
    uint64_t third = ((bits_of<uint64_t>(size) >> 32) * 0xAAAAAAAB) >> 33;
    double guess = bits_of<double>((0x553EE980 - third) << 32);
    guess = refined(refined(refined(guess, size), size), size); // a loop would not be vectorised
    double result = with_sign(size * guess * guess, x);
    return ((x == 0) | (size == infinity)) ? x : result;
  }
};

// Powers --------------------------------------------------------------------------------------------------

// exp(y log|x|). The logarithm has some 60 bits, in two parts: the first has 24, so that its product with y is exact.
struct Power {
  static HLOKIT_INLINE double of(double x, double y) {
    double size = magnitude(x);
    uint64_t bits = bits_of<uint64_t>(size);
    uint64_t biased = (bits + (one_bits - root_half_bits)) >> 52;
    double exponent = double_of(biased) - 1023;
    double mantissa = bits_of<double>(bits - (biased << 52) + one_bits);
    // log(mantissa) = 2 atanh(s). s is in two parts: the first has 26 bits, so that its remainder is exact.
    double f = mantissa - 1, divisor = mantissa + 1;
    double quotient = f / divisor;
    double s = bits_of<double>(bits_of<uint64_t>(quotient) & ~((uint64_t(1) << 27) - 1));
    double rest = (f - s * divisor) / divisor;
    double square = quotient * quotient;
    double whole = exponent * ln2_high, high = whole + 2 * s;
    double low = ((whole - high) + 2 * s) +
                 (2 * rest + quotient * square * polynomial(log_of_power_terms, square) + exponent * ln2_low);
    double sum = high + low;
    double first = static_cast<double>(static_cast<float>(sum)), second = (high - first) + low;
    constexpr double huge = 0x1p500; // beyond the limit even times the smallest y
    bool is_limit = (size == 0) | (size == infinity);
    first = choose(is_limit, size == 0 ? -huge : huge, first);
    second = choose(is_limit, 0, second);

    double limited = within(y, -0x1p200, 0x1p200);
    double product = limited * first;
    bool is_small = fabs(product) < exponent_limit;
    const double rest_of_product = choose(is_small, limited * second, 0);
    product = within(product, -exponent_limit, exponent_limit);
    auto [power, less_one] = power_of_e<exponential_minus_one_of_power_terms>(product, rest_of_product);
    double result = power + power * less_one;
    // A power that is an f32, or the midpoint of two, must be exact: round the last two bits off.
    result = bits_of<double>((bits_of<uint64_t>(result) + 2) & ~uint64_t(3));

    double parity = within(y, -0x1p40, 0x1p40);
    double shifted = parity + rounder;
    bool is_integer = shifted - rounder == parity;
    uint64_t is_odd = bits_of<uint64_t>(shifted) & (is_integer ? 1 : 0);
    bool is_negative = bits_of<uint64_t>(x) >> 63 != 0;
    result = negated(result, is_negative ? is_odd : 0);
    result = choose((x < 0) & (size < infinity) & !is_integer, NAN, result);
    result = choose((x != x) | (y != y), x + y, result);
    return choose((x == 1) | (y == 0), 1, result);
  }
};

// Powers with a short exponent: an integer, or an integer and a half. `count` doubles the exponent of a square root. The
// errors of all roundings are less than 256 units in the last place; results of few bits are exact.
struct ShortExponent {
  static constexpr double limit = 32;
  unsigned count;
  bool is_root, is_negative;

  static HLOKIT_INLINE bool holds(double y) { return fabs(y) <= limit && 2 * y == static_cast<double>(static_cast<int>(2 * y)); }
  explicit HLOKIT_INLINE ShortExponent(double y) {
    const auto twice = static_cast<unsigned>(static_cast<int>(2 * fabs(y)));
    is_root = (twice & 1) != 0;
    is_negative = y < 0;
    count = is_root ? twice : twice / 2;
  }
};
template <size_t size> HLOKIT_INLINE void short_powers(double *HLOKIT_RESTRICT to, const float *a, ShortExponent exponent) {
  double bases[size];
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < size; ++i) {
    bases[i] = a[i];
    to[i] = 1;
  }
  if (exponent.is_root) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < size; ++i)
      bases[i] = choose(bases[i] == -infinity, infinity, sqrt(bases[i] + 0.0)); // never of -0
  }
  for (unsigned left = exponent.count; left != 0; left >>= 1) {
    if ((left & 1) != 0) {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < size; ++i)
        to[i] *= bases[i];
    }
    if (left > 1) {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < size; ++i)
        bases[i] *= bases[i];
    }
  }
  if (exponent.is_negative) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < size; ++i)
      to[i] = 1 / to[i];
  }
}
// A power that is exact in f64, as are those of operands of few bits: these may lie between two f32.
HLOKIT_INLINE bool is_exact_power(float x, float y) {
  const uint32_t mantissa = bits_of<uint32_t>(x) & 0x7FFFFF;
  return y >= 2 && y <= 32 && y == static_cast<float>(static_cast<int>(y)) && fabsf(x) >= 0x1p-126f &&
         (mantissa & (0xFFFFFFu >> 53 / static_cast<unsigned>(y))) == 0;
}

// Angles of points and related functions --------------------------------------------------------------------------

// atan(y / x), with the quadrant. One division: of the tangent of the distance from pi / 4, if the angle is nearer to it.
struct Atan2 {
  static HLOKIT_INLINE double of(double y, double x) {
    double a = magnitude(y), b = magnitude(x);
    bool is_steep = a > b;
    double least = choose(is_steep, b, a), most = choose(is_steep, a, b);
    bool beyond = (least > most * 0.41421356237309503) | (least == infinity);
    double dividend = beyond ? least - most : least, divisor = beyond ? least + most : most;
    double quotient = dividend / divisor;
    quotient = ((least == 0) | (least == infinity)) ? 0 : quotient;
    double square = quotient * quotient;
    double angle = quotient + quotient * square * polynomial(atan_terms, square);
    // A tiny quotient may be the midpoint of two numbers of the narrower type: the angle is less than it.
    angle = bits_of<double>(bits_of<uint64_t>(angle) - uint64_t((square < 0x1p-54) & (quotient > 0)));
    angle = beyond ? 0.5 * half_pi + angle : angle;
    angle = choose(is_steep, half_pi - angle, angle);
    angle = bits_of<uint64_t>(x) >> 63 ? 2 * half_pi - angle : angle;
    return choose((x != x) | (y != y), x + y, with_sign(angle, y));
  }
};
struct Atan {
  static HLOKIT_INLINE double of(double x) { return Atan2::of(x, 1); }
};
struct Asin {
  static HLOKIT_INLINE double of(double x) { return Atan2::of(x, sqrt((1 - x) * (1 + x))); }
};
struct Acos {
  static HLOKIT_INLINE double of(double x) { return Atan2::of(sqrt((1 - x) * (1 + x)), x); }
};

// Hyperbolic functions -------------------------------------------------------------------------------------

struct Sinh {
  static HLOKIT_INLINE double of(double x) {
    double lost = ExponentialMinusOne::of(magnitude(x));
    return with_sign(0.5 * (lost + lost / (lost + 1)), x);
  }
};
struct Cosh {
  static HLOKIT_INLINE double of(double x) {
    double power = Exponential::of(magnitude(x));
    return 0.5 * (power + 1 / power);
  }
};
struct Asinh {
  static HLOKIT_INLINE double of(double x) {
    double size = magnitude(x), square = size * size;
    double result = LogPlusOne::of(size + square / (1 + sqrt(1 + square)));
    return with_sign(size < infinity ? result : size, x);
  }
};
struct Acosh {
  static HLOKIT_INLINE double of(double x) {
    double above = x - 1;
    double result = LogPlusOne::of(above + sqrt(above * (x + 1)));
    return x < 1 ? NAN : result;
  }
};
struct Atanh {
  static HLOKIT_INLINE double of(double x) {
    double size = magnitude(x);
    return with_sign(0.5 * LogPlusOne::of(2 * size / (1 - size)), x);
  }
};

// Error functions ------------------------------------------------------------------------------------------

// From 4 on, the nearest f32 to the result is 1.
struct Erf {
  static HLOKIT_INLINE double of(double x) {
    double limited = within(x, -4, 4);
    return limited * polynomial(erf_terms, limited * limited * 0.125 - 1);
  }
};
// From 10.2 on, the nearest f32 to the result is 0. Squares of f32 are exact in f64.
struct Erfc {
  static HLOKIT_INLINE double of(double x) {
    double size = magnitude(x);
    size = size > 10.2 ? 10.2 : size;
    double scaled = polynomial(erfc_terms, (size - 4) / (size + 4));
    double result = Exponential::of(-(size * size)) * scaled;
    return x < 0 ? 2 - result : result;
  }
};
// A polynomial in the logarithm of 1 - x**2, which is 16 at most in magnitude, for the f32 next to 1.
struct ErfInv {
  static HLOKIT_INLINE double of(double x) {
    double size = magnitude(x);
    double logarithm = -Log::of((1 - size) * (1 + size));
    double result = x * polynomial(erf_inv_terms, logarithm * 0.125 - 1);
    result = size == 1 ? with_sign(infinity, x) : result;
    return size > 1 ? NAN : result;
  }
};

} // namespace
} // namespace hlokit::vm
