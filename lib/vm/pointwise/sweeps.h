// Sweeps: loops over blocks of elements. Part of files that are compiled for each level, with internal linkage: see
// support/variants.h.
#pragma once

#include <stddef.h>

#include <type_traits>

#include "kernels/elements/scalars.h"
#include "support/compiler.h"
#include "vm/pointwise/decisions.h"
#include "vm/pointwise/element_operations.h"
#include "vm/pointwise/functions.h"
#include "vm/pointwise/halves.h"

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

// Sweeps of functions, which take many instructions. They go in blocks of fixed length, which are vectorised without
// loops for the remainder. All types share one body for each function, from f32 to f64; its result is then rounded.
template <class Op> HLOKIT_NOINLINE void function_of_blocks(double *HLOKIT_RESTRICT to, const float *a, size_t count) {
  for (size_t block = 0; block < count; block += vector_block) {
    HLOKIT_INDEPENDENT
    for (size_t i = block; i < block + vector_block; ++i)
      to[i] = Op::of(a[i]);
  }
  decide_blocks<Op>(to, count, a);
}
template <class Op>
HLOKIT_NOINLINE void function_of_blocks(double *HLOKIT_RESTRICT to, const float *a, const float *b, size_t count) {
  for (size_t block = 0; block < count; block += vector_block) {
    HLOKIT_INDEPENDENT
    for (size_t i = block; i < block + vector_block; ++i)
      to[i] = Op::of(a[i], b[i]);
  }
  decide_blocks<Op>(to, count, a, b);
}

template <class A> HLOKIT_INLINE const float *widen_blocks(float *HLOKIT_RESTRICT to, const A *from, size_t count) {
  if (count == function_blocks) {
    if constexpr (std::is_same_v<A, float>) {
      return from;
    } else if constexpr (std::is_same_v<A, Half>) {
      widen_block<function_blocks>(to, from);
    } else {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < function_blocks; ++i)
        to[i] = widen(from[i]);
    }
  } else {
    for (size_t i = 0; i < count; ++i)
      to[i] = widen(from[i]);
  }
  return to;
}
template <class To> HLOKIT_INLINE void round_blocks(To *HLOKIT_RESTRICT to, const double *from, size_t count) {
  if (count != function_blocks) {
    for (size_t i = 0; i < count; ++i)
      to[i] = rounded_to<To>(from[i]);
  } else if constexpr (sizeof(To) == 2) { // in two steps, each of which halves the size of an element
    float middles[function_blocks];
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < function_blocks; ++i)
      middles[i] = rounded_to_odd(from[i]);
    if constexpr (std::is_same_v<To, Half>) {
      round_block<function_blocks>(to, middles);
    } else {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < function_blocks; ++i)
        to[i] = rounded_to<To>(middles[i]);
    }
  } else {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < function_blocks; ++i)
      to[i] = rounded_to<To>(from[i]);
  }
}

// The loops around functions of blocks are compiled once for each pair of types.
using FunctionOfBlocks1 = void(double *, const float *, size_t);
using FunctionOfBlocks2 = void(double *, const float *, const float *, size_t);

template <class To, class A>
HLOKIT_NOINLINE void sweep_in_blocks(FunctionOfBlocks1 *function, To *to, const A *a, size_t count) {
  double values[function_blocks];
  float operands[function_blocks] = {};
  for (size_t i = 0; i < count; i += function_blocks) {
    const size_t length = count - i < function_blocks ? count - i : function_blocks;
    function(values, widen_blocks(operands, a + i, length), length);
    round_blocks(to + i, values, length);
  }
}
template <class To, class A>
HLOKIT_NOINLINE void sweep_in_blocks(FunctionOfBlocks2 *function, To *to, const A *a, const A *b, size_t count) {
  double values[function_blocks];
  float operands[2][function_blocks] = {};
  for (size_t i = 0; i < count; i += function_blocks) {
    const size_t length = count - i < function_blocks ? count - i : function_blocks;
    const float *x = widen_blocks(operands[0], a + i, length);
    const float *y = widen_blocks(operands[1], b + i, length);
    function(values, x, y, length);
    round_blocks(to + i, values, length);
  }
}
template <class Op, class To, class A>
void sweep_function1(void *to, const void *a, const void *, const void *, size_t count) {
  sweep_in_blocks(function_of_blocks<Op>, static_cast<To *>(to), static_cast<const A *>(a), count);
}
template <class Op, class To, class A>
void sweep_function2(void *to, const void *a, const void *b, const void *, size_t count) {
  sweep_in_blocks(function_of_blocks<Op>, static_cast<To *>(to), static_cast<const A *>(a), static_cast<const A *>(b), count);
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
template <class Op, class To, class A> struct RoundedFunction {
  static To of(A a) { return rounded_to<To>(function_of<Op>(widen(a))); }
  static To of(A a, A b) { return rounded_to<To>(function_of<Op>(widen(a), widen(b))); }
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
