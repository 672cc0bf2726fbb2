// Exponentials, logarithms and trigonometry of f32 and narrower floats. They are computed in f64 with a relative error below
// 2**-41, so that one rounding gives the nearest f32, except where two values are almost equally near: there decisions.h
// decides.
//
// Part of kernels.cpp, with internal linkage. The functions do not branch, so that compilers vectorise loops over elements:
// arguments are clamped to where the formula holds and the result has its limit, and comparisons are written so that NaNs
// pass. Every processor computes the same f32, whether it adds a product in one rounding or in two.
#pragma once

#include <math.h>
#include <stdint.h>

#include "vm/pointwise/coefficients.h"
#include "kernels/elements/polynomials.h"
#include "kernels/elements/scalars.h"

namespace hlokit::vm {
namespace {

constexpr double infinity = HUGE_VAL;

HLOKIT_INLINE double magnitude(double x) { return bits_of<double>(bits_of<uint64_t>(x) & ~sign_bit<double>); }
// `x` is not negative.
HLOKIT_INLINE double with_sign(double x, double sign) {
  return bits_of<double>(bits_of<uint64_t>(x) | (bits_of<uint64_t>(sign) & sign_bit<double>));
}
HLOKIT_INLINE double negated(double x, uint64_t is_odd) { return bits_of<double>(bits_of<uint64_t>(x) ^ (is_odd << 63)); }

// pred ? x : y without a branch. Compilers would make branches of conditions that depend on each other.
HLOKIT_INLINE double choose(bool pred, double x, double y) {
  uint64_t mask = 0 - static_cast<uint64_t>(pred);
  return bits_of<double>((bits_of<uint64_t>(x) & mask) | (bits_of<uint64_t>(y) & ~mask));
}

HLOKIT_INLINE double within(double x, double least, double most) {
  x = x < least ? least : x;
  return x > most ? most : x;
}

// Adding this number rounds to an integer, which is then in the last bits of the sum.
constexpr double rounder = 0x1.8p52;
constexpr double log2_of_e = 0x1.71547652b82fep+0, ln2 = 0x1.62e42fefa39efp-1;
// ln 2 in two parts: the product of the first with a small integer is exact.
constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;

// exp(x + tail) = power * (1 + rest), where `power` is a power of two, for |x| <= 700 and a small tail. `rest` is NaN if x
// is.
struct PowerOfE {
  double power, rest;
};
template <const auto &terms = exponential_minus_one_terms> HLOKIT_INLINE PowerOfE power_of_e(double x, double tail = -0.0) {
  double shifted = multiply_add(x, log2_of_e, rounder);
  double count = shifted - rounder;
  double r = multiply_add(-count, ln2_low, multiply_add(-count, ln2_high, x)) + tail;
  uint64_t power = (bits_of<uint64_t>(shifted) + 1023) << 52;
  return {bits_of<double>(power), multiply_add(r * r, polynomial(terms, r), r)};
}

// Beyond it, exp in f32 is 0 or infinite.
constexpr double exponent_limit = 150;

struct Exponential {
  static HLOKIT_INLINE double of(double x) {
    auto [power, rest] = power_of_e(within(x, -exponent_limit, exponent_limit));
    return multiply_add(power, rest, power);
  }
};
struct ExponentialMinusOne {
  static HLOKIT_INLINE double of(double x) {
    auto [power, rest] = power_of_e(within(x, -exponent_limit, exponent_limit));
    double result = multiply_add(power, rest, power - 1);
    return x == 0 ? x : result;
  }
};
struct Tanh {
  static HLOKIT_INLINE double of(double x) {
    double size = magnitude(x);
    size = size > 20 ? 20 : size;
    auto [power, rest] = power_of_e(-2 * size);
    double lost = multiply_add(power, rest, power - 1); // exp(-2 |x|) - 1
    return with_sign(magnitude(lost / (2 + lost)), x);
  }
};
struct Logistic {
  static HLOKIT_INLINE double of(double x) { return 1 / (1 + Exponential::of(-x)); }
};

// log(2**exponent * (1 + f)), f within sqrt(1/2) and sqrt(2) of 1.
HLOKIT_INLINE double logarithm(double exponent, double f) {
  double s = f / (2 + f);
  double square = s * s;
  return multiply_add(exponent, ln2, multiply_add(s * square, polynomial(log_terms, square), 2 * s));
}
constexpr uint64_t one_bits = 0x3FF0000000000000, root_half_bits = 0x3FE6A09E667F3BCD;
// The integer from 0 to 2**52 as a double.
HLOKIT_INLINE double double_of(uint64_t small) { return bits_of<double>(small | 0x4330000000000000) - 0x1p52; }

struct Log {
  static HLOKIT_INLINE double of(double x) {
    uint64_t bits = bits_of<uint64_t>(x);
    uint64_t biased = ((bits + (one_bits - root_half_bits)) & ~sign_bit<double>) >> 52;
    double mantissa = bits_of<double>(bits - (biased << 52) + one_bits);
    double result = logarithm(double_of(biased) - 1023, mantissa - 1);
    result = x > 0 ? result : x == 0 ? -infinity : NAN;
    return x < infinity ? result : x;
  }
};
struct LogPlusOne {
  static HLOKIT_INLINE double of(double x) {
    double sum = 1 + x, rest = sum - 1;
    double lost = (1 - (sum - rest)) + (x - rest);
    uint64_t bits = bits_of<uint64_t>(sum);
    uint64_t biased = ((bits + (one_bits - root_half_bits)) & ~sign_bit<double>) >> 52;
    double mantissa = bits_of<double>(bits - (biased << 52) + one_bits);
    double scale = bits_of<double>((2046 - biased) << 52); // 2**-exponent
    double result = logarithm(double_of(biased) - 1023, (mantissa - 1) + lost * scale);
    result = sum > 0 ? result : sum == 0 ? -infinity : NAN;
    result = x == 0 ? x : result;
    return x < infinity ? result : x;
  }
};

// Trigonometry. Angles below `near_limit` are reduced by a number of half or quarter turns times pi. Pi has three parts,
// the first two of 32 bits, so that their products with the number are exact. No f32 other than 0 is closer to a multiple
// of pi / 2 than some 2**-32; the parts lose less than 2**-90.
constexpr double near_limit = 0x1p20;

constexpr double pi_high = 0x1.921fb54400000p+1, pi_middle = 0x1.0b4611a000000p-33, pi_low = 0x1.898cc51701b84p-63;
constexpr double half_pi = 0x1.921fb54442d18p+0;

// x - count * unit * pi
HLOKIT_INLINE double without(double x, double count, double unit) {
  x = multiply_add(-count, unit * pi_middle, multiply_add(-count, unit * pi_high, x));
  return multiply_add(-count, unit * pi_low, x);
}

// For |r| <= pi / 2. The product keeps the sign of 0.
HLOKIT_INLINE double sine_of(double r) {
  double square = r * r;
  return r * multiply_add(square, polynomial(sine_terms, square), 1);
}
// For |r| <= pi / 4.
HLOKIT_INLINE double quarter_sine(double r) {
  double square = r * r;
  return r * multiply_add(square, polynomial(sine_quarter_terms, square), 1);
}
HLOKIT_INLINE double quarter_cosine(double r) {
  double square = r * r;
  const double half = multiply_add(-square, polynomial(cosine_quarter_terms, square), 0.5);
  return multiply_add(-square, half, 1);
}

// x = (quarters + 4 n) * pi / 2 + rest, |rest| <= pi / 4.
struct Angle {
  uint64_t quarters;
  double rest;
};

// The product of two words in two words.
inline void multiply_words(uint64_t a, uint64_t b, uint64_t &high, uint64_t &low) {
  constexpr uint64_t half = 0xFFFFFFFF;
  uint64_t low_low = (a & half) * (b & half), low_high = (a & half) * (b >> 32);
  uint64_t high_low = (a >> 32) * (b & half), high_high = (a >> 32) * (b >> 32);
  uint64_t middle = (low_low >> 32) + (low_high & half) + (high_low & half);
  high = high_high + (low_high >> 32) + (high_low >> 32) + (middle >> 32);
  low = (middle << 32) | (low_low & half);
}

// For any finite |x| >= 2 (Payne and Hanek). The bits of 2 / pi whose products are whole turns are left out. The 192 bits
// after them suffice: more than twice as many as x has, and as cancellation loses near a multiple of a quarter turn.
inline Angle far_angle(double x) {
  uint64_t bits = bits_of<uint64_t>(x);
  constexpr uint64_t one = uint64_t(1) << 52;
  uint64_t mantissa = (bits & (one - 1)) | one;
  int exponent = static_cast<int>((bits >> 52) & 0x7FF) - 1075; // x = mantissa * 2**exponent
  uint64_t words[3];
  for (int i = 0; i < 3; ++i) {
    int start = exponent - 2 + 64 * (i + 1); // counted with a word of zeros in front
    uint64_t first = start < 64 ? 0 : two_over_pi[start / 64 - 1], second = two_over_pi[start / 64];
    words[i] = start % 64 == 0 ? first : (first << (start % 64)) | (second >> (64 - start % 64));
  }
  uint64_t top = mantissa * words[0], low, carried, unused;
  multiply_words(mantissa, words[1], carried, low);
  top += carried;
  multiply_words(mantissa, words[2], carried, unused);
  low += carried;
  top += low < carried;
  // `top` has two bits before the binary point, which count quarters: take the nearest number of quarters.
  uint64_t quarters = (top + (uint64_t(1) << 61)) >> 62;
  auto fraction = static_cast<int64_t>(top - (quarters << 62));
  double rest = (static_cast<double>(fraction) + static_cast<double>(low) * 0x1p-64) * (0x1p-62 * half_pi);
  bool is_negative = bits >> 63 != 0;
  return {(is_negative ? 0 - quarters : quarters) & 3, is_negative ? -rest : rest};
}

// `near` is for angles below the limit. It does not branch, and gives NaN for infinities and NaN. `far` is for finite
// angles beyond the limit.
inline bool is_far(double x) { return fabs(x) >= near_limit && fabs(x) < infinity; }
template <class Op> struct OfAngle {
  static HLOKIT_INLINE double of(double x) { return is_far(x) ? Op::far(x) : Op::near(x); }
};
struct Sine : OfAngle<Sine> {
  static HLOKIT_INLINE double near(double x) {
    double shifted = x * (0.5 / half_pi) + rounder;
    return negated(sine_of(without(x, shifted - rounder, 1)), bits_of<uint64_t>(shifted) & 1);
  }
  static double far(double x) {
    auto [quarters, rest] = far_angle(x);
    return negated(quarters & 1 ? quarter_cosine(rest) : quarter_sine(rest), quarters >> 1);
  }
};
struct Cosine : OfAngle<Cosine> {
  static HLOKIT_INLINE double near(double x) {
    double shifted = (x * (0.5 / half_pi) - 0.5) + rounder;
    return negated(sine_of(without(x, (shifted - rounder) + 0.5, 1)), ~bits_of<uint64_t>(shifted) & 1);
  }
  static double far(double x) {
    auto [quarters, rest] = far_angle(x);
    return negated(quarters & 1 ? quarter_sine(rest) : quarter_cosine(rest), (quarters ^ quarters >> 1) & 1);
  }
};
struct Tan : OfAngle<Tan> {
  static HLOKIT_INLINE double quotient(uint64_t is_odd, double rest) {
    double sine = quarter_sine(rest), cosine = quarter_cosine(rest);
    return (is_odd ? -cosine : sine) / (is_odd ? sine : cosine);
  }
  static HLOKIT_INLINE double near(double x) {
    double shifted = x * (1 / half_pi) + rounder;
    return quotient(bits_of<uint64_t>(shifted) & 1, without(x, shifted - rounder, 0.5));
  }
  static double far(double x) {
    auto [quarters, rest] = far_angle(x);
    return quotient(quarters & 1, rest);
  }
};

template <class Op> struct Near {
  static HLOKIT_INLINE double of(double x) { return Op::near(x); }
};

} // namespace
} // namespace hlokit::vm
