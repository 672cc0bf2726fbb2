#include "kernels/functions/exact.h"

#include <cmath>
#include <cstdint>

#include "kernels/functions/wide.h"

namespace hlokit::functions::exact {
namespace {

constexpr double infinity = HUGE_VAL, nan = NAN;
// Below this size, the first term of an odd function's series determines the nearest number: the next terms are less
// than 2**-55 of the first one.
constexpr double tiny = 0x1p-28;
// Beyond this size, an exponential is 0 or infinite.
constexpr double huge = 746;

Wide one() { return wide(1); }
Wide half(const Wide &value) { return scaled(value, -1); }
double size_of(double x) { return std::fabs(x); }
Wide wide_size(double x) { return wide(std::fabs(x)); }
double with_sign(const Wide &size, double sign, Rounding rounded) { return std::copysign(rounded(size), sign); }
double quarters_of_pi(double count, double sign, Rounding rounded) {
  return with_sign(half(half_pi()) * wide(count), sign, rounded);
}

} // namespace

// Exponentials -----------------------------------------------------------------------------------------------------

double exponential(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (size_of(x) == infinity)
    return x > 0 ? infinity : 0;
  if (size_of(x) > huge)
    return rounded(far_beyond(x > 0));
  return rounded(functions::exponential(wide(x)));
}

double exponential_minus_one(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (size_of(x) < 0x1p-55)
    return x;
  if (size_of(x) > huge)
    return x < 0 ? -1 : x == infinity ? x : rounded(far_beyond(true));
  return rounded(functions::exponential_minus_one(wide(x)));
}

double logistic(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (size_of(x) > huge)
    return x > 0 ? 1 : x == -infinity ? 0 : rounded(far_beyond(false));
  const Wide power = functions::exponential(-wide_size(x));
  return rounded((x > 0 ? one() : power) / (one() + power));
}

double tanh(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (size_of(x) < tiny)
    return x;
  if (size_of(x) > 20)
    return std::copysign(1, x);
  const Wide excess = functions::exponential_minus_one(scaled(wide_size(x), 1));
  return with_sign(excess / (excess + wide(2)), x, rounded);
}

double sinh(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (size_of(x) < tiny)
    return x;
  if (size_of(x) > huge)
    return size_of(x) == infinity ? x : with_sign(far_beyond(true), x, rounded);
  const Wide excess = functions::exponential_minus_one(wide_size(x));
  return with_sign(half(excess + excess / (excess + one())), x, rounded);
}

double cosh(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (size_of(x) > huge)
    return size_of(x) == infinity ? infinity : rounded(far_beyond(true));
  const Wide power = functions::exponential(wide_size(x));
  return rounded(half(power + one() / power));
}

// Logarithms -------------------------------------------------------------------------------------------------------

double log(double x, Rounding rounded) {
  if (!(x >= 0))
    return nan;
  if (x == 0)
    return -infinity;
  if (x == 1)
    return 0;
  return x == infinity ? x : rounded(functions::log(wide(x)));
}

double log_plus_one(double x, Rounding rounded) {
  if (!(x >= -1))
    return nan;
  if (x == -1)
    return -infinity;
  if (size_of(x) < 0x1p-55 || x == infinity)
    return x;
  return rounded(functions::log_plus_one(wide(x)));
}

double asinh(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (size_of(x) < tiny || size_of(x) == infinity)
    return x;
  const Wide size = wide_size(x), square = size * size;
  return with_sign(functions::log_plus_one(size + square / (one() + root(one() + square))), x, rounded);
}

double acosh(double x, Rounding rounded) {
  if (!(x >= 1))
    return nan;
  if (x == 1)
    return 0;
  if (x == infinity)
    return x;
  const Wide above = wide(x) - one();
  return rounded(functions::log_plus_one(above + root(above * (above + wide(2)))));
}

double atanh(double x, Rounding rounded) {
  if (!(size_of(x) <= 1))
    return nan;
  if (size_of(x) < tiny)
    return x;
  if (size_of(x) == 1)
    return std::copysign(infinity, x);
  const Wide size = wide_size(x);
  return with_sign(half(functions::log_plus_one(scaled(size, 1) / (one() - size))), x, rounded);
}

// Roots and powers -------------------------------------------------------------------------------------------------

double rsqrt(double x, Rounding rounded) {
  if (x == 0)
    return std::copysign(infinity, x);
  if (!(x > 0))
    return nan;
  return x == infinity ? 0 : rounded(one() / root(wide(x)));
}

double cbrt(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (x == 0 || size_of(x) == infinity)
    return x;
  return with_sign(cube_root(wide_size(x)), x, rounded);
}

double power(double x, double y, Rounding rounded) {
  if (x == 1 || y == 0)
    return 1;
  if (x != x || y != y)
    return nan;
  const bool is_integer = size_of(y) >= 0x1p53 || std::rint(y) == y;
  const bool is_odd = size_of(y) < 0x1p53 && is_integer && static_cast<int64_t>(size_of(y)) % 2 == 1;
  const double sign = is_odd ? x : 1, size = size_of(x);
  if (size_of(y) == infinity)
    return size == 1 ? 1 : (size > 1) == (y > 0) ? infinity : 0;
  if (size == 0 || size == infinity)
    return std::copysign((size == 0) == (y > 0) ? 0 : infinity, sign);
  if (x < 0 && !is_integer)
    return nan;
  if (size == 1)
    return std::copysign(1, sign);
  const Wide logarithm = functions::log(wide(size)) * wide(y);
  if (logarithm.exponent > 10)
    return with_sign(far_beyond(!logarithm.is_negative), sign, rounded);
  return with_sign(functions::exponential(logarithm), sign, rounded);
}

double magnitude(double x, double y, Rounding rounded) {
  if (size_of(x) == infinity || size_of(y) == infinity)
    return infinity;
  if (x != x || y != y)
    return nan;
  return rounded(root(wide(x) * wide(x) + wide(y) * wide(y)));
}

// Angles -----------------------------------------------------------------------------------------------------------

double sine(double x, Rounding rounded) {
  if (!(size_of(x) < infinity))
    return nan;
  if (size_of(x) < tiny)
    return x;
  const auto [quarters, rest] = reduced(x);
  const auto [sine, cosine] = sine_cosine(rest);
  const Wide result = (quarters & 1) != 0 ? cosine : sine;
  return rounded((quarters & 2) != 0 ? -result : result);
}

double cosine(double x, Rounding rounded) {
  if (!(size_of(x) < infinity))
    return nan;
  if (size_of(x) < tiny)
    return 1;
  const auto [quarters, rest] = reduced(x);
  const auto [sine, cosine] = sine_cosine(rest);
  const Wide result = (quarters & 1) != 0 ? sine : cosine;
  return rounded(((quarters + 1) & 2) != 0 ? -result : result);
}

double tan(double x, Rounding rounded) {
  if (!(size_of(x) < infinity))
    return nan;
  if (size_of(x) < tiny)
    return x;
  const auto [quarters, rest] = reduced(x);
  const auto [sine, cosine] = sine_cosine(rest);
  return rounded((quarters & 1) != 0 ? -(cosine / sine) : sine / cosine);
}

double atan2(double y, double x, Rounding rounded) {
  if (x != x || y != y)
    return nan;
  const bool is_left = std::signbit(x);
  if (size_of(y) == infinity)
    return quarters_of_pi(size_of(x) < infinity ? 2 : is_left ? 3 : 1, y, rounded);
  if (y == 0 || size_of(x) == infinity)
    return is_left ? quarters_of_pi(4, y, rounded) : std::copysign(0, y);
  if (x == 0)
    return quarters_of_pi(2, y, rounded);
  Wide angle = functions::atan2(wide(y), wide(x));
  // A subnormal quotient, of f32 or f64, may be a midpoint; the angle is less than the quotient.
  if (angle.exponent < -100)
    angle = angle - scaled(angle, -150);
  return rounded(angle);
}

double atan(double x, Rounding rounded) {
  if (x != x)
    return nan;
  if (size_of(x) < tiny)
    return x;
  return size_of(x) == infinity ? quarters_of_pi(2, x, rounded) : rounded(functions::atan2(wide(x), one()));
}

double asin(double x, Rounding rounded) {
  if (!(size_of(x) <= 1))
    return nan;
  if (size_of(x) < tiny)
    return x;
  if (size_of(x) == 1)
    return quarters_of_pi(2, x, rounded);
  return rounded(functions::atan2(wide(x), root((one() - wide(x)) * (one() + wide(x)))));
}

double acos(double x, Rounding rounded) {
  if (!(size_of(x) <= 1))
    return nan;
  if (size_of(x) == 1)
    return x > 0 ? 0 : quarters_of_pi(4, 1, rounded);
  if (x == 0)
    return quarters_of_pi(2, 1, rounded);
  return rounded(functions::atan2(root((one() - wide(x)) * (one() + wide(x))), wide(x)));
}

} // namespace hlokit::functions::exact
