// Blocks of complex numbers, computed in vectors. Internal linkage, as for all that is compiled several times
// (support/variants.h).
#pragma once

#include <stddef.h>

#include <type_traits>

#include "kernels/complex/balls.h"
#include "kernels/complex/nears.h"

namespace hlokit::functions {
namespace {

// Bounds -------------------------------------------------------------------------------------------------------------

// A zero is represented by a tiny number of its sign. A part of a result below the smallest number is a zero as well:
// formulas with a zero are used for parts of moderate sizes only, so that other parts are larger than the contribution
// of the zero. In f32 such a part is a zero anyway.
constexpr double tiny_near = 0x1p-480, tiny_ball = 0x1p-450, least_result = 0x1p-250;

// Sizes of parts, and of their inverses, up to which formulas hold: beside a zero, so that the fourth powers of parts are above
// the least result, and times a zero below it; without a zero, so that squares of norms lose no bits.
struct Bounds {
  double with_zero, without_zero;
};
constexpr Bounds of_function = {0x1p60, 0x1p130}, of_power = {0x1p20, 0x1p130}, of_atan2 = {0x1p40, 0x1p100};
// The limit of atan2 of f32, whose results have fewer bits.
constexpr Bounds of_atan2_near = {0x1p60, 0x1p60};
// The largest part that goes into exponentials beside a zero; e**120 is 2**173.
constexpr double most_exponential = 120;
// The largest powers beside a zero, and the inverses of the least ones, as exponents of 2.
constexpr double most_power_near = 320, most_power_ball = 80;

enum class Exponent { none = -1, real = 0, imag = 1, roots = 2 }; // the part that goes into exponentials, or only roots

HLOKIT_INLINE bool has_zero(const double *parts) { return (parts[0] == 0) | (parts[1] == 0); }
HLOKIT_INLINE bool is_zero(const double *parts) { return (parts[0] == 0) & (parts[1] == 0); }
HLOKIT_INLINE bool is_finite(const double *parts) { return (parts[0] - parts[0]) + (parts[1] - parts[1]) == 0; }
// Whether the parts are zero, or their sizes and the sizes of their inverses are at most the limit.
HLOKIT_INLINE bool is_moderate(double part, double most) {
  return (part == 0) | ((magnitude(part) >= 1 / most) & (magnitude(part) <= most));
}
HLOKIT_INLINE bool is_moderate(const double *parts, Bounds bounds, bool is_with_zero) {
  const double most = choose(is_with_zero, bounds.with_zero, bounds.without_zero);
  return is_moderate(parts[0], most) & is_moderate(parts[1], most);
}
// Whether the size of a power and its inverse are at most 2**most, for a number with moderate parts. The size is that of
// exp(y[0] log(|x|) - y[1] angle(x)), with angles up to pi.
HLOKIT_INLINE bool is_moderate_power(const double *x, const double *y, double most) {
  const double a = magnitude(x[0]), b = magnitude(x[1]);
  const uint64_t exponent = bits_of<uint64_t>(choose(a > b, a, b)) >> 52;
  const double size = bits_of<double>(exponent | 0x4330000000000000) - (0x1p52 + 1023);
  return magnitude(y[0]) * (magnitude(size) + 2) + magnitude(y[1]) * 5 <= most;
}
// Whether a formula of one operand holds.
template <class T> HLOKIT_INLINE bool holds(const double *z, Exponent exponent) {
  if constexpr (std::is_same_v<T, float>)
    return is_finite(z) & !is_zero(z);
  const bool is_with_zero = has_zero(z), is_moderate_number = is_moderate(z, of_function, is_with_zero) & !is_zero(z);
  if (exponent != Exponent::real && exponent != Exponent::imag)
    return is_moderate_number;
  return is_moderate_number & ((!is_with_zero) | (magnitude(z[static_cast<int>(exponent)]) <= most_exponential));
}

HLOKIT_INLINE double visible(double part, double tiny) { return part == 0 ? copysign(tiny, part) : part; }

// Blocks -------------------------------------------------------------------------------------------------------------

constexpr size_t block = 16;

// The parts of a block, of which the last numbers may be copies of the first one.
template <class T> struct LastBlock {
  T parts[2 * block];

  LastBlock(const T *a, size_t count) {
    for (size_t i = 0; i < block; ++i)
      for (size_t part = 0; part < 2; ++part)
        parts[2 * i + part] = a[(i < count ? 2 * i : 0) + part];
  }
};

// The results of a block, and the doubtful ones, which the bounds of their errors do not decide, or whose number is zero or not
// finite.
template <class T> struct Results;
template <> struct Results<float> {
  double values[2][block], errors[2][block];
  float parts[2][block];
  uint32_t doubts[block];

  HLOKIT_INLINE void put(size_t i, bool is_sure, bool, const Parts<NearInBlock> &found) {
    values[0][i] = choose(is_sure, found.real.value, 0);
    values[1][i] = choose(is_sure, found.imag.value, 0);
    errors[0][i] = found.real.error;
    errors[1][i] = found.imag.error;
  }
  HLOKIT_INLINE void round() {
    for (size_t i = 0; i < block; ++i)
      doubts[i] = (values[0][i] == 0) | (values[1][i] == 0);
    for (size_t part = 0; part < 2; ++part) {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < block; ++i) {
        const float least = static_cast<float>(values[part][i] - errors[part][i]);
        const float most = static_cast<float>(values[part][i] + errors[part][i]);
        parts[part][i] = least;
        doubts[i] |= (bits_of<uint32_t>(least) ^ bits_of<uint32_t>(most)) | (least != least);
      }
    }
  }
};
// Decisions are not const: see functions/functions.cpp.
template <> struct Results<double> {
  double parts[2][block];
  uint64_t doubts[block];

  HLOKIT_INLINE void put(size_t i, bool is_sure, bool is_with_zero, const Parts<BallInBlock> &found) {
    Decision real = rounded(is_with_zero, found.real), imag = rounded(is_with_zero, found.imag);
    parts[0][i] = real.result;
    parts[1][i] = imag.result;
    doubts[i] = is_sure & real.is_decided & imag.is_decided ? 0 : 1;
  }
  static HLOKIT_INLINE Decision rounded(bool is_with_zero, const BallInBlock &found) {
    const double size = magnitude(found.high);
    const bool is_vanishing = is_with_zero & (size + found.error < least_result);
    Decision decision = decide({found.high, found.low, found.error});
    bool is_decided = (is_vanishing & (found.error < size)) | (!is_vanishing & decision.is_decided);
    return {choose(is_vanishing, signed_by(0, found.high), decision.result), is_decided};
  }
  void round() {}
};

// The parts of the numbers of a block.
template <class T> struct Separate {
  double parts[2][block];

  explicit HLOKIT_INLINE Separate(const T *a) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < block; ++i) {
      parts[0][i] = a[2 * i];
      parts[1][i] = a[2 * i + 1];
    }
  }
};

// Store the results, and return whether there is a doubt.
template <class T> HLOKIT_INLINE bool store(T *HLOKIT_RESTRICT to, Bits<T> *HLOKIT_RESTRICT doubts, Results<T> &results) {
  results.round();
  Bits<T> doubt = 0;
  for (size_t i = 0; i < block; ++i)
    doubt |= results.doubts[i];
  memcpy(doubts, results.doubts, sizeof results.doubts);
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    to[2 * i] = results.parts[0][i];
    to[2 * i + 1] = results.parts[1][i];
  }
  return doubt != 0;
}
template <class T> using InBlock = std::conditional_t<std::is_same_v<T, float>, NearInBlock, BallInBlock>;
template <class T> HLOKIT_INLINE Parts<InBlock<T>> visible_parts(double x, double y) {
  constexpr double tiny = std::is_same_v<T, float> ? tiny_near : tiny_ball;
  return {of<InBlock<T>>(visible(x, tiny)), of<InBlock<T>>(visible(y, tiny))};
}

// Compute a block, and return whether there is a doubt.
template <class T, class... Operand> using Block = bool (*)(T *to, Bits<T> *doubts, const Operand *...operands);
template <class T, auto formula, Exponent exponent>
HLOKIT_FLATTEN bool compute_block(T *HLOKIT_RESTRICT to, Bits<T> *doubts, const T *a) {
  const Separate<T> z(a);
  Results<T> results;
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    const double parts[2] = {z.parts[0][i], z.parts[1][i]};
    results.put(i, holds<T>(parts, exponent), has_zero(parts), formula(visible_parts<T>(parts[0], parts[1])));
  }
  return store(to, doubts, results);
}
template <class T, auto formula, Exponent exponent> constexpr Block<T, T> block_of() {
  if constexpr (HLOKIT_IS_FALLBACK)
    return nullptr;
  else
    return compute_block<T, formula, exponent>;
}
template <class T, class Function>
HLOKIT_FLATTEN bool compute_block(T *HLOKIT_RESTRICT to, Bits<T> *doubts, const T *a, const T *b) {
  const Separate<T> all_x(a), all_y(b);
  Results<T> results;
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    const double x[2] = {all_x.parts[0][i], all_x.parts[1][i]}, y[2] = {all_y.parts[0][i], all_y.parts[1][i]};
    results.put(i, Function::template holds<T>(x, y), has_zero(x) | has_zero(y),
                Function::of(visible_parts<T>(x[0], x[1]), visible_parts<T>(y[0], y[1]), y[0]));
  }
  return store(to, doubts, results);
}

} // namespace
} // namespace hlokit::functions
