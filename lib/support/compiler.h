// Attributes and keywords that differ between compilers. Compilers vectorise a loop only if they inline all functions
// that the loop calls, whatever their size: hence HLOKIT_INLINE.
#pragma once

// Vectors as types. clang-cl has them, and does not define __GNUC__.
#if defined(__GNUC__) || defined(__clang__)
#define HLOKIT_HAS_VECTORS
#endif
// Numbers of vectors in another order, with __builtin_shufflevector.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HLOKIT_SHUFFLES
#endif
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#include <math.h>
#define HLOKIT_INLINE __forceinline
#define HLOKIT_NOINLINE __declspec(noinline)
#define HLOKIT_FLATTEN
#define HLOKIT_RESTRICT __restrict
#define HLOKIT_INDEPENDENT __pragma(loop(ivdep))
#define HLOKIT_ROLLED
#define HLOKIT_UNROLL
#define HLOKIT_UNLIKELY(condition) (condition)
#define HLOKIT_MATH(function) function
#else
#define HLOKIT_INLINE inline __attribute__((always_inline))
#define HLOKIT_NOINLINE __attribute__((noinline))
// A function into which all calls are inlined.
#define HLOKIT_FLATTEN __attribute__((flatten))
#define HLOKIT_RESTRICT __restrict__
#define HLOKIT_UNLIKELY(condition) (__builtin_expect((condition), 0))
// A function of C's math.h, without its header, which brings inline functions.
#define HLOKIT_MATH(function) __builtin_##function
// The iterations of the following loop are independent of each other: the compiler should vectorise the loop, and not
// unroll it first.
#if defined(__clang__)
#define HLOKIT_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define HLOKIT_ROLLED _Pragma("clang loop unroll(disable)")
#define HLOKIT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HLOKIT_INDEPENDENT _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
// The following loop is short and runs seldom: unrolling would cost more code than it saves time.
#define HLOKIT_ROLLED _Pragma("GCC unroll 1")
// The number of iterations of the following loop is a constant, and its arrays are registers.
#define HLOKIT_UNROLL _Pragma("GCC unroll 32")
#endif
#endif
