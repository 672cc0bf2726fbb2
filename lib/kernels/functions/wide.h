// Numbers with 256 bits, for the few results of functions that faster formulas leave undecided: arithmetic, exponentials and
// logarithms (wide.cpp), angles (wide_angles.cpp). All arithmetic is on integers, so results are the same on every
// processor; the C library gives only starting values, of which some 40 bits matter.
#pragma once

#include <cstdint>

namespace hlokit::functions {

// sign * mantissa * 2**(exponent - 256). The words of the mantissa begin with the lowest; its highest bit is set, unless
// the number is 0. Operations err by some units of the last bit.
struct Wide {
  uint64_t words[4];
  int64_t exponent;
  bool is_negative;

  bool is_zero() const { return (words[0] | words[1] | words[2] | words[3]) == 0; }
};

// Exact, for a finite number.
Wide wide(double value);
// The nearest f64 to a number whose bits from `trusted_bits` on are noise: one so close to a midpoint is the midpoint.
constexpr int trusted_bits = 180;
// The bits of a format, and the exponents of its least and greatest normal numbers (as of Wide).
struct FloatLimits {
  int digits, least, most;
};
constexpr FloatLimits f32_limits = {24, -125, 128}, f64_limits = {53, -1021, 1024};
double nearest(const Wide &value, FloatLimits limits = f64_limits);
// Ways to round to f64.
using Rounding = double (*)(const Wide &);
double nearest_f64(const Wide &value);
// Round to odd: an exact f64 itself, otherwise the one of the two neighbouring f64 whose last bit is 1. A second
// rounding, to a type with fewer bits, then gives the nearest value to the number itself.
double to_odd(const Wide &value);
// A double near the number: 0 or infinite beyond the range of f64, and with fewer bits among subnormal numbers.
double approximate(const Wide &value);

Wide operator-(Wide value);
Wide operator+(const Wide &a, const Wide &b);
Wide operator-(const Wide &a, const Wide &b);
Wide operator*(const Wide &a, const Wide &b);
Wide operator/(const Wide &a, const Wide &b);
Wide root(const Wide &a);
Wide cube_root(const Wide &a);
// a * 2**count
Wide scaled(Wide a, int64_t count);
Wide magnitude(Wide a);
// A positive number beyond the largest f64, or below the smallest one.
inline Wide far_beyond(bool is_large) { return scaled(wide(1), is_large ? 5000 : -5000); }
bool is_less(const Wide &a, const Wide &b);

// Arguments beyond +-2**20 count as 2**20: beyond all formats, also times the sine of the least angle of finite
// numbers, some 2**-2100.
Wide exponential(const Wide &a);
Wide exponential_minus_one(const Wide &a);
Wide log(const Wide &a); // for a > 0
Wide log_plus_one(const Wide &a);
// The sine and cosine of |a| <= 4.
struct SineCosine {
  Wide sine, cosine;
};
SineCosine sine_cosine(const Wide &a);
// The angle of the point (x, y), neither of which is 0, from -pi to pi.
Wide atan2(const Wide &y, const Wide &x);
Wide half_pi();

// x = (quarters + 4 n) * pi / 2 + rest, |rest| <= pi / 4, for a finite x.
struct WideAngle {
  unsigned quarters;
  Wide rest;
};
WideAngle reduced(double x);
// The rest loses as many bits as the angle has before its binary point, and is 0 beyond 2**250.
WideAngle reduced(const Wide &x);

} // namespace hlokit::functions
