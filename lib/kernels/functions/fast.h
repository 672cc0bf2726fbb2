// Functions of f64 as sums of two doubles with a bound of the error, for a rounding test. The formulas are valid in
// limited ranges: elsewhere the error is infinite or NaN, and the test sends the operand to exact.h. No function
// branches.
//
// Bounds count each rounding as 2**-53 of its result, and add twice the contributions of all roundings.
// tests/unit/lib/functions/test_f64_functions.py measures them.
#pragma once

#include "kernels/elements/pairs.h"
#include "kernels/functions/tables.h"

namespace hlokit::functions {
namespace {

constexpr double infinity = HUGE_VAL;
// Adding this number rounds to an integer, which is then in the last bits of the sum.
constexpr double rounder = 0x1.8p52;

constexpr uint64_t power_count = sizeof powers / sizeof *powers;

// Exponentials -------------------------------------------------------------------------------------------------------

// exp(x + tail) = scale * (table + linear + rest), where scale is a power of two. The cubic term has the largest rounding error.
struct PowerOfE {
  double scale, table, linear, rest, cube;
  bool is_inside;

  HLOKIT_INLINE Pair value() const {
    const Pair sum = fast_two_sum(table, linear);
    return fast_two_sum(sum.high, sum.low + rest);
  }
  // The error of scale * value(), and the relative one; infinite outside.
  HLOKIT_INLINE double error() const { return choose(is_inside, scale * 0x1p-70, infinity); }
  HLOKIT_INLINE double relative_error() const { return choose(is_inside, 0x1.2p-71, infinity); }
  // exp(x + tail) - 1, which is exact in its leading part, and the error.
  HLOKIT_INLINE Pair less_one() const {
    const Pair whole = two_sum(scale * table, -1), sum = two_sum(whole.high, scale * linear);
    return two_sum(sum.high, sum.low + (whole.low + scale * rest));
  }
  HLOKIT_INLINE double error_less_one(Pair less_one) const {
    const double error = scale * magnitude(cube) * 0x1p-48 + magnitude(less_one.high) * 0x1p-74;
    return choose(is_inside, error, infinity);
  }
};
// Steps of log(2) / 32: the last bits of the sum count them.
HLOKIT_INLINE double steps_of_e(double x) { return multiply_add(x, 0x1.71547652b82fep+5, rounder); }
HLOKIT_INLINE uint64_t place_of_power(double x) { return bits_of<uint64_t>(steps_of_e(x)) & (power_count - 1); }

// Inside -680 <= x <= 708: beyond, low parts would be subnormal. `table` is 2**(place / 32), so that the rest is below 2**-6.5.
template <bool has_tail = false> HLOKIT_INLINE PowerOfE power_of_e(double x, Pair table, double tail = 0) {
  constexpr double step = 0x1.62e42fef80000p-6, step_low = 0x1.1cf79abc9e3b4p-41;
  const bool is_inside = (x <= 708) & (x >= -680);
  const double shifted = steps_of_e(x), count = shifted - rounder;
  const double scale = bits_of<double>(((bits_of<uint64_t>(shifted) >> 5) + 1023) << 52);
  // A first part that is less than the second one costs less than the rounding of their products.
  const Pair first = fast_two_sum(multiply_add(-count, step, x), -(count * step_low));
  const Pair r = has_tail ? two_sum(first.high, tail) : Pair{first.high, 0};
  constexpr double terms[] = {1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320};
  const Pair square = two_product(r.high, r.high), sum = fast_two_sum(r.high, 0.5 * square.high);
  const double cube = r.high * square.high * polynomial(terms, r.high);
  const double r_low = has_tail ? r.low + first.low : first.low;
  const double low = multiply_add(r.high, r_low, multiply_add(0.5, square.low, r_low)) + (sum.low + cube);
  const Pair linear = two_product(table.high, sum.high);
  const double rest = linear.low + multiply_add(table.high, low, multiply_add(table.low, sum.high, table.low));
  return {scale, table.high, linear.high, rest, table.high * cube, is_inside};
}
HLOKIT_INLINE Pair power_for(double x) { return {powers[place_of_power(x)], powers_low[place_of_power(x)]}; }
HLOKIT_INLINE PowerOfE power_of_e(Pair x) { return power_of_e<true>(x.high, power_for(x.high), x.low); }

// Functions of powers of e, whose blocks look up a vector at a time.
template <class Function> struct OfPowerOfE {
  static HLOKIT_INLINE Approximation of(double x) {
    const double exponent = Function::exponent(x);
    return Function::from(x, power_of_e(exponent, power_for(exponent)));
  }
};

struct Exponential : OfPowerOfE<Exponential> {
  static HLOKIT_INLINE double exponent(double x) { return choose(x < -750, -750, x); }
  static HLOKIT_INLINE Approximation from(double x, const PowerOfE &e) {
    const Pair sum = fast_two_sum(e.table, e.linear);
    // Less than half of the smallest f64 is 0.
    const bool is_zero = x < -746;
    const double scale = choose(is_zero, 0, e.scale);
    return {sum.high * scale, (sum.low + e.rest) * scale, choose(is_zero, 0, e.error())};
  }
};
// Odd functions keep the sign of 0.
HLOKIT_INLINE Approximation keeping_zero(double x, Approximation found) {
  return {choose(x == 0, x, found.high), choose(x == 0, x, found.low), found.error};
}

struct ExponentialMinusOne : OfPowerOfE<ExponentialMinusOne> {
  static HLOKIT_INLINE double exponent(double x) { return x; }
  static HLOKIT_INLINE Approximation from(double x, const PowerOfE &e) {
    const Pair value = e.less_one();
    return keeping_zero(x, approximation(value, e.error_less_one(value)));
  }
};
struct Logistic : OfPowerOfE<Logistic> {
  static HLOKIT_INLINE double exponent(double x) { return -magnitude(x); }
  static HLOKIT_INLINE Approximation from(double x, const PowerOfE &e) {
    const Pair power = scaled(e.value(), e.scale), whole = fast_two_sum(1, power.high);
    const Pair value = quotient(choose(x > 0, Pair{1, 0}, power), {whole.high, whole.low + power.low});
    // The relative error of either quotient is at most that of the power.
    return approximation(value, value.high * e.relative_error());
  }
};
struct Tanh : OfPowerOfE<Tanh> {
  static HLOKIT_INLINE double exponent(double x) {
    const double size = magnitude(x);
    return -2 * choose(size > 22, 22, size);
  }
  static HLOKIT_INLINE Approximation from(double x, const PowerOfE &e) {
    const Pair whole = fast_two_sum(-1, e.scale * e.table), sum = fast_two_sum(whole.high, e.scale * e.linear);
    const Pair lost = fast_two_sum(sum.high, sum.low + (whole.low + e.scale * e.rest)), rest = fast_two_sum(2, lost.high);
    const Pair value = quotient(-lost, {rest.high, rest.low + lost.low});
    // The derivative of (1 - p) / (1 + p) is -2 / (1 + p)**2, and p / (1 + p)**2 at most 1/4.
    const double error = magnitude(e.cube) * 0x1p-49 + value.high * 0x1p-74;
    return keeping_zero(x, {signed_by(value.high, x), signed_by(value.low, x), error});
  }
};
struct Sinh : OfPowerOfE<Sinh> {
  static HLOKIT_INLINE double exponent(double x) { return magnitude(x); }
  static HLOKIT_INLINE Approximation from(double x, const PowerOfE &e) {
    const Pair less_one = e.less_one(), value = scaled(less_one + less_one / (1 + less_one), 0.5);
    return {signed_by(value.high, x), signed_by(value.low, x), 2 * e.error_less_one(less_one)};
  }
};
struct Cosh : OfPowerOfE<Cosh> {
  static HLOKIT_INLINE double exponent(double x) { return magnitude(x); }
  static HLOKIT_INLINE Approximation from(double, const PowerOfE &e) {
    const Pair power = scaled(e.value(), e.scale), value = scaled(power + Pair{1, 0} / power, 0.5);
    return approximation(value, e.error() + value.high * 0x1p-98);
  }
};

// Logarithms ---------------------------------------------------------------------------------------------------------

// log(x + tail) for positive normal x. 1 / c, of some 10 bits, comes from a table with log(c), so that r = x / c - 1 is
// exact and below 2**-7.5. For x near 1, c is 1.
HLOKIT_INLINE Approximation logarithm(double x, double tail = 0, double small_tail = 0) {
  constexpr uint64_t least = 0x3FE6100000000000;
  constexpr double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
  const bool is_inside = (x >= 0x1p-1022) & (x < infinity);
  const uint64_t bits = bits_of<uint64_t>(choose(is_inside, x, 1)), above = bits - least;
  const uint64_t index = above >> 45 & 127;
  const double reciprocal = reciprocals[index], table = logarithms[index], table_low = logarithms_low[index];
  const uint64_t biased = (bits + (0x3FF0000000000000 - least)) >> 52; // exponent + 1023
  const double exponent = bits_of<double>(biased | 0x4330000000000000) - (0x1p52 + 1023);
  const double mantissa = bits_of<double>(bits - ((biased - 1023) << 52));
  // The product with each half is exact.
  const double half = bits_of<double>(bits_of<uint64_t>(mantissa) & ~uint64_t(0xFFFFFF));
  const Pair quotient = two_sum(half * reciprocal - 1, (mantissa - half) * reciprocal);
  const double scale = bits_of<double>((2046 - biased) << 52) * reciprocal; // 2**-exponent / c
  const Pair r = two_sum(quotient.high, tail * scale);
  const double low = (r.low + quotient.low) + small_tail * scale;
  const double base = exponent * ln2_high + table, base_low = exponent * ln2_low + table_low;
  const Pair square = two_product(r.high, r.high);
  const double cube = r.high * square.high;
  const double more =
      cube * (1.0 / 3 + r.high * (-0.25 + r.high * (1.0 / 5 + r.high * (-1.0 / 6 + r.high * (1.0 / 7 + r.high * (-0.125 + r.high * (1.0 / 9)))))));
  const Pair first = two_sum(base, r.high), second = two_sum(first.high, -0.5 * square.high);
  const double rest = (base_low + (low - (0.5 * square.low + r.high * low))) + more;
  const Pair sum = two_sum(second.high, (first.low + second.low) + rest);
  const double error = magnitude(cube) * 0x1p-50 + choose(base == 0, 0, 0x1p-80) + magnitude(sum.high) * 0x1p-100;
  return approximation(sum, choose(is_inside, error, infinity));
}
// log(base + x). The tail leaves less than 2**-61 of the sum for the smaller one.
HLOKIT_INLINE Approximation logarithm_of_sum(double base, Pair x) {
  const Pair sum = two_sum(base, x.high), tail = two_sum(sum.low, x.low);
  Approximation found = logarithm(sum.high, tail.high, tail.low);
  found.error += magnitude(found.high) * 0x1p-98;
  return found;
}

HLOKIT_INLINE Approximation logarithm_of_more(Pair x) { return logarithm_of_sum(1, x); }

struct Log {
  static HLOKIT_INLINE Approximation of(double x) { return logarithm(x); }
};
struct LogPlusOne {
  static HLOKIT_INLINE Approximation of(double x) { return keeping_zero(x, logarithm_of_more({x, 0})); }
};
struct Asinh {
  static HLOKIT_INLINE Approximation of(double x) {
    const double size = magnitude(x);
    const bool is_inside = (size > 0x1p-29) & (size < 0x1p400);
    const Pair square = two_product(size, size);
    const Approximation found = logarithm_of_more(size + square / (1 + root(1 + square)));
    return {signed_by(found.high, x), signed_by(found.low, x), choose(is_inside, found.error, infinity)};
  }
};
struct Acosh {
  static HLOKIT_INLINE Approximation of(double x) {
    const Pair above = two_sum(x, -1);
    const Approximation found = logarithm_of_more(above + root(above * (2 + above)));
    return {found.high, found.low, choose(x < 0x1p400, found.error, infinity)};
  }
};
struct Atanh {
  static HLOKIT_INLINE Approximation of(double x) {
    const double size = magnitude(x);
    const Pair rest = two_sum(1, -size);
    const Approximation found = logarithm_of_more(Pair{2 * size, 0} / rest);
    return {0.5 * signed_by(found.high, x), 0.5 * signed_by(found.low, x),
            choose(size > 0x1p-29, 0.5 * found.error, infinity)};
  }
};

// Roots and powers ---------------------------------------------------------------------------------------------------

struct Rsqrt {
  static HLOKIT_INLINE Approximation of(double x) {
    const double guess = sqrt(x), result = 1 / guess;
    const Pair square = two_product(guess, guess), unit = two_product(guess, result);
    const double rest = ((x - square.high) - square.low) * (result * result);
    const double low = result * (((1 - unit.high) - unit.low) - 0.5 * rest);
    return {result, low, choose(x > 0x1p-900, result * 0x1p-99, infinity)};
  }
};
// Estimates x**(-1/3) from the bits of x, within some percent, and refines the estimate by an iteration that cubes the
// error. Then one step of Newton's method with the exact remainder.
struct Cbrt {
  static HLOKIT_INLINE Approximation of(double x) {
    const double size = magnitude(x);
    const bool is_inside = (size > 0x1p-900) & (size < 0x1p900);
    const uint64_t third = ((bits_of<uint64_t>(size) >> 32) * 0xAAAAAAAB) >> 33;
    double guess = bits_of<double>((0x553EE980 - third) << 32);
    for (int i = 0; i < 3; ++i) {
      const double error = 1 - size * guess * guess * guess;
      guess += guess * error * (1.0 / 3 + error * (2.0 / 9));
    }
    const double result = size * guess * guess;
    const Pair square = two_product(result, result), cube = two_product(square.high, result);
    const double rest = ((size - cube.high) - cube.low) - square.low * result;
    const double low = rest * (guess * guess) * (1.0 / 3);
    return {signed_by(result, x), signed_by(low, x), choose(is_inside, result * 0x1p-95, infinity)};
  }
};
struct Power {
  static HLOKIT_INLINE Approximation of(double x, double y) {
    const double size = magnitude(x), size_of_power = magnitude(y);
    const bool is_inside = (size_of_power > 0x1p-60) & (size_of_power < 0x1p60);
    const Approximation logarithm_of_x = logarithm(size);
    const Pair product = Pair{logarithm_of_x.high, logarithm_of_x.low} * Pair{y, 0};
    const PowerOfE e = power_of_e(product);
    const Pair value = scaled(e.value(), e.scale);
    const double error = 2 * e.error() + 2 * value.high * (size_of_power * logarithm_of_x.error);
    // Negative numbers have powers only for integer exponents, which are less than 2**51 here.
    const bool is_moderate = size_of_power < 0x1p50;
    const double limited = choose(is_moderate, y, 0), shifted = limited + rounder;
    const bool is_integer = shifted - rounder == y;
    const double sign = bits_of<double>(bits_of<uint64_t>(shifted) << 63 & bits_of<uint64_t>(x));
    const bool has_sign = (bits_of<uint64_t>(x) >> 63) == 0 || is_integer;
    return {signed_by(value.high, sign), signed_by(value.low, sign), choose(is_inside & has_sign, error, infinity)};
  }
};

// Angles -------------------------------------------------------------------------------------------------------------

// x = count * pi / 256 + r: the sine and cosine of count * pi / 256 come from a table. For |x| < 2**20.
struct Turned {
  Pair sine, cosine; // of count * pi / 256
  Pair r, square;
  double more_sine, less_cosine; // sin(r) - r, and cos(r) - 1 + r**2 / 2
  double error;                  // of r

  // of_cosine * cos(r) + of_sine * sin(r)
  HLOKIT_INLINE Approximation sum(Pair of_cosine, Pair of_sine) const {
    const Pair product = two_product(of_sine.high, r.high), bent = two_product(of_cosine.high, -0.5 * square.high);
    const Pair first = two_sum(of_cosine.high, product.high), total = two_sum(first.high, bent.high);
    const double curved = multiply_add(of_sine.high, more_sine + r.low, of_cosine.high * (less_cosine - 0.5 * square.low));
    const double low = curved + multiply_add(of_sine.low, r.high, of_cosine.low * (1 - 0.5 * square.high));
    const Pair value = two_sum(total.high, (first.low + total.low) + ((product.low + bent.low) + low));
    return approximation(value, (magnitude(of_sine.high * more_sine) + magnitude(of_cosine.high * less_cosine)) * 0x1p-49 +
                                    error + magnitude(value.high) * 0x1p-100);
  }
  HLOKIT_INLINE Approximation sine_of_sum() const { return sum(sine, cosine); }
  HLOKIT_INLINE Approximation cosine_of_sum() const { return sum(cosine, -sine); }
};
HLOKIT_INLINE Turned turned_by(uint64_t index, Pair r, double error) {
  constexpr double of_sine[] = {-1.0 / 6, 1.0 / 120, -1.0 / 5040}, of_cosine[] = {1.0 / 24, -1.0 / 720, 1.0 / 40320};
  const Pair square = two_product(r.high, r.high);
  const double more_sine = r.high * square.high * polynomial(of_sine, square.high);
  const double less_cosine = multiply_add(square.high * square.high, polynomial(of_cosine, square.high), -r.high * r.low);
  return {{sines[index], sines_low[index]}, {sines[index + 128], sines_low[index + 128]}, r, square, more_sine, less_cosine,
          error + magnitude(r.high) * 0x1p-100};
}
// The count, and the rest as a sum of three numbers.
struct Reduced {
  double count;
  uint64_t index;
  Pair rest;
  double low;
};
HLOKIT_INLINE Reduced reduced_angle(double x) {
  constexpr double steps = 0x1.45f306dc9c883p+6;
  constexpr double step = 0x1.921fb58000000p-7, step_middle = -0x1.dde9740000000p-34, step_low = 0x1.1a62633145c07p-61;
  const double shifted = x * steps + rounder, count = shifted - rounder;
  const Pair first = two_sum(x - count * step, -(count * step_middle));
  return {count, bits_of<uint64_t>(shifted) & 511, two_sum(first.high, -(count * step_low)), first.low};
}
HLOKIT_INLINE Turned turned(double x) {
  const bool is_inside = magnitude(x) < 0x1p20;
  const Reduced found = reduced_angle(choose(is_inside, x, 0));
  return turned_by(found.index, {found.rest.high, found.rest.low + found.low},
                   choose(is_inside, magnitude(found.count) * 0x1p-108, infinity));
}
// For |x| < 2**20.
HLOKIT_INLINE Turned turned(Pair x) {
  const Reduced found = reduced_angle(x.high);
  return turned_by(found.index, two_sum(found.rest.high, found.rest.low + found.low + x.low),
                   magnitude(found.count) * 0x1p-108 + magnitude(x.low) * 0x1p-50);
}

struct Sine {
  static HLOKIT_INLINE Approximation of(double x) {
    return keeping_zero(x, turned(x).sine_of_sum());
  }
};
struct Cosine {
  static HLOKIT_INLINE Approximation of(double x) { return turned(x).cosine_of_sum(); }
};
struct Tan {
  static HLOKIT_INLINE Approximation of(double x) {
    const Turned t = turned(x);
    const Approximation s = t.sine_of_sum(), c = t.cosine_of_sum();
    const Pair value = Pair{s.high, s.low} / Pair{c.high, c.low};
    const double error = 2 * (s.error + magnitude(value.high) * c.error) / magnitude(c.high) + magnitude(value.high) * 0x1p-98;
    return keeping_zero(x, approximation(value, error));
  }
};

// atan(y / x) for y, x > 0 that are neither huge nor tiny. Tangents i / 64 come from a table: t is the tangent of the
// remaining angle.
HLOKIT_INLINE Approximation angle_of(Pair y, Pair x) {
  const bool is_steep = y.high > x.high;
  const Pair least = choose(is_steep, x, y), most = choose(is_steep, y, x);
  const double quotient = least.high / most.high, shifted = quotient * 64 + rounder, steps = shifted - rounder;
  const bool is_inside = (most.high < 0x1p500) & (least.high > 0x1p-500);
  const uint64_t index = bits_of<uint64_t>(shifted) & 127;
  const double tangent = steps * (1.0 / 64);
  const Pair part = two_product(tangent, most.high), other = two_product(tangent, least.high);
  const Pair above = two_sum(least.high, -part.high), below = two_sum(most.high, other.high);
  const Pair t = two_sum(above.high, above.low + ((least.low - tangent * most.low) - part.low)) /
                 fast_two_sum(below.high, below.low + ((most.low + tangent * least.low) + other.low));
  const double square = t.high * t.high, cube = t.high * square;
  const double more =
      cube * (-1.0 / 3 + square * (1.0 / 5 + square * (-1.0 / 7 + square * (1.0 / 9 + square * (-1.0 / 11)))));
  const Pair sum = two_sum(angles[index], t.high);
  Pair value = two_sum(sum.high, sum.low + ((angles_low[index] + t.low) + more));
  const double error = magnitude(cube) * 0x1p-50 + value.high * 0x1p-98;
  constexpr Pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  value = choose(is_steep, half_pi + -value, value);
  return approximation(value, choose(is_inside, error + choose(is_steep, 0x1p-98, 0), infinity));
}
// The same for x and y of either sign.
HLOKIT_INLINE Approximation angle_of_point(Pair y, Pair x) {
  const bool is_left = x.high < 0;
  const Approximation found =
      angle_of({signed_by(y.high, y.high), signed_by(y.low, y.high)}, {signed_by(x.high, x.high), signed_by(x.low, x.high)});
  constexpr Pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
  const Pair angle = {found.high, found.low}, value = choose(is_left, pi + -angle, angle);
  return {signed_by(value.high, y.high), signed_by(value.low, y.high), found.error + choose(is_left, 0x1p-97, 0)};
}

struct Atan2 {
  static HLOKIT_INLINE Approximation of(double y, double x) { return angle_of_point({y, 0}, {x, 0}); }
};
struct Atan {
  static HLOKIT_INLINE Approximation of(double x) { return angle_of_point({x, 0}, {1, 0}); }
};
HLOKIT_INLINE Pair leg(double x) { // sqrt(1 - x**2)
  return root(two_sum(1, -x) * two_sum(1, x));
}
struct Asin {
  static HLOKIT_INLINE Approximation of(double x) { return angle_of_point({x, 0}, leg(x)); }
};
struct Acos {
  static HLOKIT_INLINE Approximation of(double x) { return angle_of_point(leg(x), {x, 0}); }
};

} // namespace
} // namespace hlokit::functions
