// Which of two f32 is nearest to a function, if the f64 of functions.h is too close to the midpoint of both to decide:
// for one element in some millions. The exact functions of f64 decide.
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
#define HLOKIT_EXACT(Op, function)                                                                                     \
  template <> struct Exact<Op> {                                                                                       \
    static double of(double x) { return functions::exact::function(x, functions::to_odd); }                            \
  };
#define HLOKIT_EXACT2(Op, function)                                                                                    \
  template <> struct Exact<Op> {                                                                                       \
    static double of(double x, double y) { return functions::exact::function(x, y, functions::to_odd); }               \
  };
HLOKIT_EXACT(Exp, exp) HLOKIT_EXACT(ExpMinusOne, expm1) HLOKIT_EXACT(Log, log) HLOKIT_EXACT(LogPlusOne, log1p)
HLOKIT_EXACT(Tanh, tanh) HLOKIT_EXACT(Logistic, logistic)
HLOKIT_EXACT(Sine, sin) HLOKIT_EXACT(Cosine, cos) HLOKIT_EXACT(Tangent, tan)
HLOKIT_EXACT(ReciprocalRoot, rsqrt) HLOKIT_EXACT(CubeRoot, cbrt) HLOKIT_EXACT2(Power, pow)
HLOKIT_EXACT2(ArcTangent2, atan2) HLOKIT_EXACT(ArcTangent, atan) HLOKIT_EXACT(ArcSine, asin) HLOKIT_EXACT(ArcCosine, acos)
HLOKIT_EXACT(HyperbolicSine, sinh) HLOKIT_EXACT(HyperbolicCosine, cosh)
HLOKIT_EXACT(AreaHyperbolicSine, asinh) HLOKIT_EXACT(AreaHyperbolicCosine, acosh)
HLOKIT_EXACT(AreaHyperbolicTangent, atanh)
HLOKIT_EXACT(Erf, erf) HLOKIT_EXACT(Erfc, erfc) HLOKIT_EXACT(ErfInverse, erf_inv)
template <class Op> struct Exact<Near<Op>> : Exact<Op> {};

// Blocks that go through a function together: when the next step loads the values, in vectors of another length, the
// stores of this step have left the store buffer.
constexpr size_t function_blocks = 4 * vector_block;

// A bound of the errors of all functions, in units in the last place of f64.
constexpr uint64_t most_error = 256;

// The highest bit of this is set if a number is near a midpoint of two f32, or near an f32: if its last 28 bits are about 0.
// All levels of processors have vector instructions for this test.
HLOKIT_INLINE uint64_t may_be_near_midpoint(double x) {
  constexpr uint64_t bits = (uint64_t(1) << 28) - 2 * most_error;
  return ((bits_of<uint64_t>(x) + most_error) & bits) - 1;
}
HLOKIT_INLINE bool is_near_midpoint(double x) {
  constexpr double error = static_cast<double>(most_error) * 0x1p-52;
  return static_cast<float>(x * (1 - error)) != static_cast<float>(x * (1 + error)) && x == x;
}

// The elements of `to` that are near a midpoint become the exact function of their operands.
template <class Op, class... Operands>
HLOKIT_NOINLINE void decide_each(double *to, size_t count, const Operands *...operands) {
  bool any = false;
  for (size_t i = 0; i < count; ++i)
    any |= is_near_midpoint(to[i]);
  for (size_t i = 0; any && i < count; ++i)
    if (is_near_midpoint(to[i]))
      to[i] = Exact<Op>::of(static_cast<double>(operands[i])...);
}
template <class Op, class... Operands>
HLOKIT_INLINE void decide_blocks(double *to, size_t count, const Operands *...operands) {
  uint64_t near = 0;
  if (count == function_blocks)
    for (size_t i = 0; i < function_blocks; ++i)
      near |= may_be_near_midpoint(to[i]);
  else
    for (size_t i = 0; i < count; ++i)
      near |= may_be_near_midpoint(to[i]);
  if (near >> 63 != 0)
    decide_each<Op>(to, count, operands...);
}
template <class Op, class... Operands> HLOKIT_INLINE double decided(double result, Operands... operands) {
  const bool is_near = may_be_near_midpoint(result) >> 63 != 0 && is_near_midpoint(result);
  return is_near ? Exact<Op>::of(static_cast<double>(operands)...) : result;
}

} // namespace
} // namespace hlokit::vm
