// Sums of two doubles, the second below half a unit in the last place of the first: some 106 bits. No function
// branches, so that compilers vectorise loops. Internal linkage, as for all that is compiled several times
// (support/variants.h).
#pragma once

#include <math.h>

#include "kernels/elements/polynomials.h"
#include "kernels/elements/scalars.h"

namespace hlokit::functions {
namespace {

struct Pair {
  double high, low;
};

// a + b and its error (Knuth), and the same for |a| >= |b| (Dekker).
HLOKIT_INLINE Pair two_sum(double a, double b) {
  const double high = a + b, part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}
HLOKIT_INLINE Pair fast_two_sum(double a, double b) {
  const double high = a + b;
  return {high, b - (high - a)};
}
// a * b and its error: the same numbers with a fused operation and without (Veltkamp and Dekker), as long as nothing
// overflows and no error is subnormal.
HLOKIT_INLINE Pair two_product(double a, double b) {
  const double high = a * b;
#if defined(__FMA__) || defined(__FP_FAST_FMA)
  return {high, HLOKIT_MATH(fma)(a, b, -high)};
#else
  constexpr double splitter = 134217729;
  const double scaled_a = a * splitter, scaled_b = b * splitter;
  const double a_high = scaled_a - (scaled_a - a), b_high = scaled_b - (scaled_b - b);
  const double a_low = a - a_high, b_low = b - b_high;
  return {high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low};
#endif
}

// Each operation errs by less than 2**-100 of its result; a sum of operands of different signs, by less than 2**-100 of
// the operands.
HLOKIT_INLINE Pair operator+(Pair a, Pair b) {
  const Pair sum = two_sum(a.high, b.high);
  return fast_two_sum(sum.high, sum.low + (a.low + b.low));
}
HLOKIT_INLINE Pair operator+(double a, Pair b) {
  const Pair sum = two_sum(a, b.high);
  return fast_two_sum(sum.high, sum.low + b.low);
}
HLOKIT_INLINE Pair operator-(Pair a) { return {-a.high, -a.low}; }
HLOKIT_INLINE Pair operator*(Pair a, Pair b) {
  const Pair product = two_product(a.high, b.high);
  return fast_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
// The second part of a quotient may be some units in the last place of the first.
HLOKIT_INLINE Pair quotient(Pair a, Pair b) {
  const double inverse = 1 / b.high, high = a.high * inverse;
  const Pair product = two_product(high, b.high);
  const double rest = ((a.high - product.high) - product.low) + (a.low - high * b.low);
  return {high, rest * inverse};
}
HLOKIT_INLINE Pair operator/(Pair a, Pair b) {
  const Pair result = quotient(a, b);
  return fast_two_sum(result.high, result.low);
}
// The square root of a positive number.
HLOKIT_INLINE Pair root(Pair a) {
  const double guess = sqrt(a.high);
  const Pair square = two_product(guess, guess);
  return fast_two_sum(guess, (((a.high - square.high) - square.low) + a.low) * (0.5 / guess));
}
// The product with a power of two.
HLOKIT_INLINE Pair scaled(Pair a, double factor) { return {a.high * factor, a.low * factor}; }

// A number within `error` of high + low.
struct Approximation {
  double high, low, error;
};
HLOKIT_INLINE Approximation approximation(Pair value, double error) { return {value.high, value.low, error}; }

// Ziv's test: the nearest double to all numbers within the error, if they have one. NaNs have no nearest double.
struct Decision {
  double result;
  bool is_decided;
};
HLOKIT_INLINE Decision decide(Approximation found) {
  const Pair sum = fast_two_sum(found.high, found.low);
  // The second part is itself rounded.
  const double error = found.error + fabs(sum.low) * 0x1p-51;
  const double least = sum.high + (sum.low - error), most = sum.high + (sum.low + error);
  return {least, least == most};
}

// pred ? x : y without a branch. Compilers would make branches of conditions that depend on each other.
HLOKIT_INLINE double choose(bool pred, double x, double y) {
  const uint64_t mask = 0 - static_cast<uint64_t>(pred);
  return bits_of<double>((bits_of<uint64_t>(x) & mask) | (bits_of<uint64_t>(y) & ~mask));
}
HLOKIT_INLINE Pair choose(bool pred, Pair x, Pair y) { return {choose(pred, x.high, y.high), choose(pred, x.low, y.low)}; }
HLOKIT_INLINE double magnitude(double x) { return bits_of<double>(bits_of<uint64_t>(x) & ~sign_bit<double>); }
// The sign of `sign`, times x.
HLOKIT_INLINE double signed_by(double x, double sign) {
  return bits_of<double>(bits_of<uint64_t>(x) ^ (bits_of<uint64_t>(sign) & sign_bit<double>));
}

} // namespace
} // namespace hlokit::functions
