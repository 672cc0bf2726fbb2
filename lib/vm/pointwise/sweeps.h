// Sweeps: loops over blocks of elements. Part of files that are compiled for each level, with internal linkage: see
// support/variants.h.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "kernels/elements/scalars.h"
#include "support/compiler.h"
#include "vm/pointwise/decisions.h"
#include "vm/pointwise/element_operations.h"
#include "vm/pointwise/functions.h"
#include "vm/pointwise/halves.h"
#include "vm/pointwise/remainders.h"

namespace hlokit::vm {
namespace {

// Blocks --------------------------------------------------------------------------------------------------

// An operand of a sweep: an element for each of the result, or one element for all.
template <class T> struct Each {
  const T *at;
  T operator[](size_t i) const { return at[i]; }
};
template <class T> struct One {
  T value;
  T operator[](size_t) const { return value; }
};
template <bool is_one, class T> HLOKIT_INLINE auto operand(const void *from) {
  if constexpr (is_one)
    return One<T>{*static_cast<const T *>(from)};
  else
    return Each<T>{static_cast<const T *>(from)};
}

// The loop of all sweeps. Results overlap no operand, so compilers need not check that.
template <class Op, class To, class... Operands>
HLOKIT_INLINE void compute_each(void *to, size_t count, Operands... operands) {
  auto *result = static_cast<To *>(to);
  HLOKIT_INDEPENDENT
  for (size_t i = compute_halves<Op>(result, count, operands...); i < count; ++i)
    result[i] = Op::of(operands[i]...);
}

// `ones`: the bits of the operands that are one element for all.
template <class Op, class To, class A>
void sweep1(void *to, const void *a, const void *, const void *, size_t count) {
  compute_each<Op, To>(to, count, operand<false, A>(a));
}
template <class Op, class To, class A, class B, unsigned ones = 0>
HLOKIT_NOINLINE void sweep2(void *to, const void *a, const void *b, const void *, size_t count) {
  compute_each<Op, To>(to, count, operand<(ones & 1) != 0, A>(a), operand<(ones & 2) != 0, B>(b));
}
template <class Op, class To, class A, class B, class C, unsigned ones = 0>
HLOKIT_NOINLINE void sweep3(void *to, const void *a, const void *b, const void *c, size_t count) {
  compute_each<Op, To>(to, count, operand<(ones & 1) != 0, A>(a), operand<(ones & 2) != 0, B>(b),
                       operand<(ones & 4) != 0, C>(c));
}

// Shifts of narrow integers by one amount for all. A shift of a word of 8 bytes shifts all of its integers; a mask removes
// the bits that come from neighbours.
template <class Op, class T>
HLOKIT_NOINLINE void shift_words(void *to, const void *a, const void *b, const void *, size_t count) {
  constexpr bool is_left = std::is_same_v<Op, ShiftLeft<T>>, is_arithmetic = std::is_same_v<Op, ShiftRightArithmetic<T>>;
  constexpr uint64_t ones = ~uint64_t(0) / all_bits<T>; // 1 in each integer of a word
  const T shift = *static_cast<const T *>(b);
  const bool is_inside = shift < width<T> || is_arithmetic;
  const unsigned amount = shift < width<T> ? shift : is_arithmetic ? width<T> - 1 : 0;
  const auto kept = static_cast<T>(is_left ? all_bits<T> << amount : all_bits<T> >> amount);
  const uint64_t mask = is_inside ? ones * kept : 0;
  const size_t word = sizeof(uint64_t) / sizeof(T), whole = count / word * word;
  const auto *from = static_cast<const T *>(a);
  auto *HLOKIT_RESTRICT result = static_cast<T *>(to);
  for (size_t i = 0; i < whole; i += word) {
    uint64_t bits;
    memcpy(&bits, from + i, sizeof bits);
    bits = (is_left ? bits << amount : bits >> amount) & mask;
    memcpy(result + i, &bits, sizeof bits);
  }
  if constexpr (is_arithmetic) { // copies of the sign come before the bits
    const auto sign = static_cast<T>(T(1) << (width<T> - 1 - amount));
    for (size_t i = 0; i < whole; ++i)
      result[i] = static_cast<T>((result[i] ^ sign) - sign);
  }
  for (size_t i = whole; i < count; ++i)
    result[i] = Op::of(from[i], shift);
}

// Sweeps of functions, which take many instructions. They go in blocks of fixed length, which are vectorised without
// loops for the remainder: operands and results beyond `count` are those of no element. All types share one body for each
// function, from f32 to f64; its result is then rounded.

// Loops of a known number of elements keep the constants of a function in registers. `nearest`: the least distances from
// midpoints so far, a vector of them, since the least of a vector takes as long as the function of several elements.
template <class Op, size_t count, class... Operands>
HLOKIT_INLINE void compute_block(double *HLOKIT_RESTRICT to, uint32_t *HLOKIT_RESTRICT nearest, const Operands *...operands) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i)
    to[i] = Op::of(operands[i]...);
  for (size_t block = 0; block < count; block += vector_block) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < vector_block; ++i) {
      const uint32_t distance = from_midpoint(to[block + i]);
      nearest[i] = distance < nearest[i] ? distance : nearest[i];
    }
  }
}
template <class Op, class... Operands>
HLOKIT_INLINE void compute_blocks(double *HLOKIT_RESTRICT to, size_t count, const Operands *...operands) {
  constexpr size_t several = 4 * vector_block;
  uint32_t nearest[vector_block];
  for (size_t i = 0; i < vector_block; ++i)
    nearest[i] = ~uint32_t(0);
  size_t i = 0;
  for (; i + several <= count; i += several)
    compute_block<Op, several>(to + i, nearest, operands + i...);
  for (; i < count; i += vector_block)
    compute_block<Op, vector_block>(to + i, nearest, operands + i...);
  bool is_near = false;
  for (i = 0; i < vector_block; ++i)
    is_near |= nearest[i] < near_midpoint;
  if (is_near && any_near_midpoint(to, count))
    decide_each<Op>(to, count, operands...);
}
template <class Op> HLOKIT_NOINLINE void function_of_blocks(double *HLOKIT_RESTRICT to, const float *a, size_t count) {
  compute_blocks<Op>(to, count, a);
}
template <class Op>
HLOKIT_NOINLINE void function_of_blocks(double *HLOKIT_RESTRICT to, const float *a, const float *b, size_t count) {
  compute_blocks<Op>(to, count, a, b);
}
// All exponents are the same, and short.
inline HLOKIT_NOINLINE void short_powers_of_blocks(double *HLOKIT_RESTRICT to, const float *a, const float *b, size_t count) {
  const ShortExponent exponent(b[0]);
  for (size_t block = 0; block < count; block += vector_block)
    short_powers<vector_block>(to + block, a + block, exponent);
  if (any_near_midpoint(to, count))
    decide_each<Power>(to, count, a, b);
}

// `count` is a multiple of the length of blocks.
template <class A> HLOKIT_INLINE const float *widen_blocks(float *HLOKIT_RESTRICT to, const A *from, size_t count) {
  if constexpr (std::is_same_v<A, float>) {
    return from;
  } else {
    for (size_t block = 0; block < count; block += vector_block) {
      if constexpr (std::is_same_v<A, Half>) {
        widen_block<vector_block>(to + block, from + block);
      } else {
        HLOKIT_INDEPENDENT
        for (size_t i = block; i < block + vector_block; ++i)
          to[i] = widen(from[i]);
      }
    }
    return to;
  }
}
template <class To> HLOKIT_INLINE void round_blocks(To *HLOKIT_RESTRICT to, const double *from, size_t count) {
  if constexpr (sizeof(To) != 2)
    if (count == function_blocks) {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < function_blocks; ++i)
        to[i] = rounded_to<To>(from[i]);
      return;
    }
  for (size_t block = 0; block < count; block += vector_block) {
    if constexpr (sizeof(To) == 2) { // in two steps, each of which halves the size of an element
      float middles[vector_block];
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < vector_block; ++i)
        middles[i] = rounded_to_odd(from[block + i]);
      if constexpr (std::is_same_v<To, Half>) {
        round_block<vector_block>(to + block, middles);
      } else {
        HLOKIT_INDEPENDENT
        for (size_t i = 0; i < vector_block; ++i)
          to[block + i] = rounded_to<To>(middles[i]);
      }
    } else {
      HLOKIT_INDEPENDENT
      for (size_t i = block; i < block + vector_block; ++i)
        to[i] = rounded_to<To>(from[i]);
    }
  }
}

// The loops around functions of blocks are compiled once for each pair of types.
using FunctionOfBlocks1 = void (*)(double *, const float *, size_t);
using FunctionOfBlocks2 = void (*)(double *, const float *, const float *, size_t);

template <class To, class A> HLOKIT_INLINE void compute_piece(FunctionOfBlocks1 function, To *to, size_t count, const A *a) {
  double values[function_blocks];
  float operands[function_blocks];
  function(values, widen_blocks(operands, a, count), count);
  round_blocks(to, values, count);
}
template <class To, class A>
HLOKIT_INLINE void compute_piece(FunctionOfBlocks2 function, To *to, size_t count, const A *a, const A *b) {
  double values[function_blocks];
  float operands[2][function_blocks];
  function(values, widen_blocks(operands[0], a, count), widen_blocks(operands[1], b, count), count);
  round_blocks(to, values, count);
}

// One block of fewer elements. Copies are conditional: vectors then load elements under a mask. After stores of single
// elements, the load of a vector would have to wait until the store buffer is empty.
struct ShortBlock {
  float values[vector_block];
  template <class A> HLOKIT_INLINE ShortBlock(const A *from, size_t count) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < vector_block; ++i)
      values[i] = i < count ? widen(from[i]) : 1;
  }
};

// The last block overlaps the one before, so that it needs no copy.
template <class To, class Function, class... Operands>
HLOKIT_NOINLINE void sweep_in_blocks(Function function, To *to, size_t count, const Operands *...operands) {
  if (count < vector_block) {
    To results[vector_block];
    compute_piece(function, results, vector_block, static_cast<const float *>(ShortBlock(operands, count).values)...);
    for (size_t i = 0; i < count; ++i)
      to[i] = results[i];
    return;
  }
  for (size_t i = 0, length; i < count; i += length) {
    length = count - i < function_blocks ? (count - i) / vector_block * vector_block : function_blocks;
    if (length == 0) {
      length = vector_block;
      i = count - vector_block;
    }
    compute_piece(function, to + i, length, operands + i...);
  }
}
template <class Op, class To, class A>
void sweep_function1(void *to, const void *a, const void *, const void *, size_t count) {
  sweep_in_blocks<To, FunctionOfBlocks1>(function_of_blocks<Op>, static_cast<To *>(to), count, static_cast<const A *>(a));
}
template <class Op, class To, class A>
void sweep_function2(void *to, const void *a, const void *b, const void *, size_t count) {
  sweep_in_blocks<To, FunctionOfBlocks2>(function_of_blocks<Op>, static_cast<To *>(to), count, static_cast<const A *>(a),
                                         static_cast<const A *>(b));
}

// The second operand is one element for all.
template <class T>
HLOKIT_NOINLINE void sweep_with_one(FunctionOfBlocks2 function, void *to, const void *a, const void *b, size_t count) {
  T ones[function_blocks];
  for (size_t i = 0; i < function_blocks; ++i)
    ones[i] = *static_cast<const T *>(b);
  for (size_t i = 0; i < count; i += function_blocks) {
    const size_t length = count - i < function_blocks ? count - i : function_blocks;
    sweep_in_blocks<T>(function, static_cast<T *>(to) + i, length, static_cast<const T *>(a) + i,
                       static_cast<const T *>(ones));
  }
}

// Powers of one exponent. The square is rounded once, as all powers are.
template <class T> void sweep_powers_of_one(void *to, const void *a, const void *b, const void *, size_t count) {
  const T exponent = *static_cast<const T *>(b);
  if constexpr (std::is_same_v<T, float>)
    if (exponent == 2)
      return sweep2<Multiply<float>, float, float, float>(to, a, a, nullptr, count);
  FunctionOfBlocks2 function = function_of_blocks<Power>;
  if (ShortExponent::holds(widen(exponent)))
    function = short_powers_of_blocks;
  sweep_with_one<T>(function, to, a, b, count);
}

// Remainders of f32 and narrower floats. Scalars are faster than a block of which less than half is used.
template <class Op, class T> void sweep_remainders(void *to, const void *a, const void *b, const void *, size_t count) {
  if (count < vector_block / 2)
    return sweep2<Op, T, T, T>(to, a, b, nullptr, count);
  sweep_in_blocks<T, FunctionOfBlocks2>(remainders_of_blocks, static_cast<T *>(to), count, static_cast<const T *>(a),
                                        static_cast<const T *>(b));
}
template <class Op, class T>
void sweep_remainders_by_one(void *to, const void *a, const void *b, const void *, size_t count) {
  if (count < vector_block / 2) {
    for (size_t i = 0; i < count; ++i)
      static_cast<T *>(to)[i] = Op::of(static_cast<const T *>(a)[i], *static_cast<const T *>(b));
    return;
  }
  sweep_with_one<T>(remainders_by_one_of_blocks, to, a, b, count);
}

// Computes all angles as near angles, then recomputes the far angles.
template <class To, class A>
HLOKIT_NOINLINE void sweep_far_angles(double (*far)(double), To *to, const A *a, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count; ++i)
    any |= is_far(widen(a[i]));
  for (size_t i = 0; any && i < count; ++i)
    if (is_far(widen(a[i])))
      to[i] = rounded_to<To>(far(widen(a[i])));
}
template <class Op> double decided_far(double x) { return decided<Op>(Op::far(x), x); }
template <class Op, class To, class A>
void sweep_angles(void *to, const void *a, const void *, const void *, size_t count) {
  sweep_function1<Near<Op>, To, A>(to, a, nullptr, nullptr, count);
  sweep_far_angles(decided_far<Op>, static_cast<To *>(to), static_cast<const A *>(a), count);
}

// Functions of scalars: all types share one body.
template <class Op> HLOKIT_NOINLINE double function_of(float a) { return decided<Op>(Op::of(a), a); }
template <class Op> HLOKIT_NOINLINE double function_of(float a, float b) {
  return decided<Op>(Op::of(a, b), a, b);
}
inline HLOKIT_NOINLINE double power_of(float a, float b) {
  if (!ShortExponent::holds(b))
    return function_of<Power>(a, b);
  double result;
  short_powers<1>(&result, &a, ShortExponent(b));
  return decided<Power>(result, a, b);
}
template <class Op, class To, class A> struct RoundedFunction {
  static To of(A a) { return rounded_to<To>(function_of<Op>(widen(a))); }
  static To of(A a, A b) { return rounded_to<To>(function_of<Op>(widen(a), widen(b))); }
};
template <class T> struct RoundedPower {
  static T of(T a, T b) { return rounded_to<T>(power_of(widen(a), widen(b))); }
};

// Clamps between two values. The usual bounds of programs need no decision between zeros: one comparison each.
template <class T> void clamp_between(void *to, const void *a, const void *b, const void *c, size_t count) {
  const T least = *static_cast<const T *>(a), most = *static_cast<const T *>(c);
  const Bits<T> negative_zero = sign_bit<T>;
  if (least != least || most != most || bits_of<Bits<T>>(least) == negative_zero || bits_of<Bits<T>>(most) == 0)
    return sweep3<Clamp<T>, T, T, T, T, 5>(to, a, b, c, count);
  auto *result = static_cast<T *>(to);
  auto *values = static_cast<const T *>(b);
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i) {
    const T above = values[i] <= least ? least : values[i];
    result[i] = above >= most ? most : above;
  }
}

} // namespace
} // namespace hlokit::vm
