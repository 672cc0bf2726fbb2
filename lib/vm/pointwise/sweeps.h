// Sweeps: loops over blocks of elements. Part of kernels.cpp, with internal linkage: see support/variants.h.
#pragma once

#include <stddef.h>

#include <type_traits>

#include "kernels/elements/scalars.h"
#include "support/compiler.h"
#include "vm/pointwise/decisions.h"
#include "vm/pointwise/functions.h"

namespace hlokit::vm {
namespace {

// Blocks --------------------------------------------------------------------------------------------------

template <class Op, class To, class A>
void sweep1(void *to, const void *a, const void *, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i]);
}
template <class Op, class To, class A, class B>
HLOKIT_NOINLINE void sweep2(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  auto *second = static_cast<const B *>(b);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i], second[i]);
}
template <class Op, class To, class A, class B, class C>
void sweep3(void *to, const void *a, const void *b, const void *c, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  auto *second = static_cast<const B *>(b);
  auto *third = static_cast<const C *>(c);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i], second[i], third[i]);
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
    if constexpr (std::is_same_v<A, float>)
      return from;
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < function_blocks; ++i)
      to[i] = widen(from[i]);
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
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < function_blocks; ++i)
      to[i] = rounded_to<To>(middles[i]);
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

// Sweeps in which some operands are one element for all.
template <class Op, class To, class A, class B>
HLOKIT_NOINLINE void sweep2_first(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  const A first = *static_cast<const A *>(a);
  auto *second = static_cast<const B *>(b);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first, second[i]);
}
template <class Op, class To, class A, class B>
HLOKIT_NOINLINE void sweep2_second(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  const B second = *static_cast<const B *>(b);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i], second);
}
template <class Op, class To, class A, class B, class C>
void sweep3_outer(void *to, const void *a, const void *b, const void *c, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  const A first = *static_cast<const A *>(a);
  auto *second = static_cast<const B *>(b);
  const C third = *static_cast<const C *>(c);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first, second[i], third);
}
template <class Op, class To, class A, class B, class C>
void sweep3_last(void *to, const void *a, const void *b, const void *c, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  const B second = *static_cast<const B *>(b);
  const C third = *static_cast<const C *>(c);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i], second, third);
}
// Clamps between two values. The usual bounds of programs need no decision between zeros: one comparison each.
template <class T> void clamp_between(void *to, const void *a, const void *b, const void *c, size_t count) {
  const T least = *static_cast<const T *>(a), most = *static_cast<const T *>(c);
  const Bits<T> negative_zero = sign_bit<T>;
  if (least != least || most != most || bits_of<Bits<T>>(least) == negative_zero || bits_of<Bits<T>>(most) == 0)
    return sweep3_outer<Clamp<T>, T, T, T, T>(to, a, b, c, count);
  auto *HLOKIT_RESTRICT result = static_cast<T *>(to);
  auto *operand = static_cast<const T *>(b);
  for (size_t i = 0; i < count; ++i) {
    const T above = operand[i] <= least ? least : operand[i];
    result[i] = above >= most ? most : above;
  }
}

// Types that are rare in large arrays have no sweeps with broadcasts.
template <class T> constexpr bool has_broadcasts = sizeof(T) >= 4 || std::is_same_v<T, BFloat>;

} // namespace
} // namespace hlokit::vm
