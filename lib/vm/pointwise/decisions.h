// Which of two f32 is nearest to a function, if the f64 of functions.h is too close to the midpoint of both to decide:
// for one element in a hundred thousand. The exact functions of f64 decide.
//
// Part of kernels.cpp, with internal linkage.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/elements/scalars.h"
#include "kernels/functions/exact.h"
#include "support/vectors.h"
#include "vm/pointwise/powers.h"

namespace hlokit::vm {
namespace {

// The function itself, rounded to odd, so that rounding it once more gives the nearest f32.
template <class Op> struct Exact;
#define HLOKIT_EXACT_plain(name, Class, operands)                                                                    \
  template <> struct Exact<Class> {                                                                                  \
    static double of(HLOKIT_PARAMETERS##operands) {                                                                  \
      return functions::exact::name(HLOKIT_ARGUMENTS##operands, functions::to_odd);                                  \
    }                                                                                                                \
  };
#define HLOKIT_EXACT_angle(name, Class, operands) HLOKIT_EXACT_plain(name, Class, operands)
#define HLOKIT_EXACT_power(name, Class, operands)
#define HLOKIT_EXACT_none(name, Class, operands)
#define HLOKIT_EXACT(name, Class, operands, formula, kernel) HLOKIT_EXACT_##kernel(name, Class, operands)
HLOKIT_FUNCTIONS(HLOKIT_EXACT)
template <> struct Exact<Power> {
  static double of(double x, double y) {
    const float base = static_cast<float>(x);
    double result;
    if (!is_exact_power(base, static_cast<float>(y)))
      return functions::exact::power(x, y, functions::to_odd);
    short_powers<1>(&result, &base, ShortExponent(y));
    return result;
  }
};
template <class Op> struct Exact<Near<Op>> : Exact<Op> {};

// Blocks that go through a function together: when the next step loads the values, in vectors of another length, the
// stores of this step have left the store buffer.
constexpr size_t function_blocks = 16 * vector_block;

// A bound of the errors of all functions, in units in the last place of f64: 2**-41 of a number. tools/coefficients.py has
// those of their polynomials.
constexpr uint64_t most_error = 4096;

// The distance of the last 28 bits from 0, with a bias: a number may be near a midpoint of two f32 if this is less than
// `near_midpoint`. Words of 32 bits, of which a vector has twice as many as of 64, decide for most blocks.
constexpr uint32_t near_midpoint = 2 * most_error << 4;
HLOKIT_INLINE uint32_t from_midpoint(double x) {
  return (static_cast<uint32_t>(bits_of<uint64_t>(x)) + static_cast<uint32_t>(most_error)) << 4;
}

// The highest bit of this is set if a number is near a midpoint: if its last 28 bits are about 0, and the bit before them is
// set. Without that bit it is near one of the f32 themselves, which are the results for many operands, such as exp(0). A
// number that is subnormal in f32 has fewer bits, and always counts. All levels of processors have vector instructions for
// this test.
HLOKIT_INLINE uint64_t is_near_midpoint(double x) {
  constexpr uint64_t least = 0x3690000000000000, normal = 0x3810000000000000; // 2**-150 and 2**-126
  constexpr uint64_t last = (uint64_t(1) << 28) - 2 * most_error;
  const uint64_t bits = bits_of<uint64_t>(x), magnitude = bits & ~sign_bit<double>;
  const uint64_t is_subnormal = (magnitude - normal) & ~(magnitude + most_error - least);
  const uint64_t is_about_0 = ((bits + most_error) & last) - 1;
  return is_about_0 & ((bits + most_error) << 35 | is_subnormal);
}
HLOKIT_INLINE bool any_of(const uint64_t (&near)[vector_block]) {
  uint64_t any = 0;
  for (size_t i = 0; i < vector_block; ++i)
    any |= near[i];
  return any >> 63 != 0;
}
HLOKIT_NOINLINE inline bool any_near_midpoint(const double *values, size_t count) {
  uint64_t near[vector_block] = {};
  for (size_t block = 0; block < count; block += vector_block) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < vector_block; ++i)
      near[i] |= is_near_midpoint(values[block + i]);
  }
  return any_of(near);
}

// The elements of `to` that are near a midpoint become the exact function of their operands.
template <class Op, class... Operands>
HLOKIT_NOINLINE void decide_each(double *to, size_t count, const Operands *...operands) {
  for (size_t i = 0; i < count; ++i)
    if (is_near_midpoint(to[i]) >> 63 != 0)
      to[i] = Exact<Op>::of(static_cast<double>(operands[i])...);
}
template <class Op, class... Operands> HLOKIT_INLINE double decided(double result, Operands... operands) {
  return is_near_midpoint(result) >> 63 != 0 ? Exact<Op>::of(static_cast<double>(operands)...) : result;
}

} // namespace
} // namespace hlokit::vm
