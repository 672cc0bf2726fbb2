// Attributes and keywords that differ between compilers. Compilers vectorise a loop only if they inline all that the
// loop calls, however large it is: hence HLOKIT_INLINE.
#pragma once

#if defined(_MSC_VER) && !defined(__clang__)
#define HLOKIT_INLINE __forceinline
#define HLOKIT_NOINLINE __declspec(noinline)
#define HLOKIT_RESTRICT __restrict
#define HLOKIT_INDEPENDENT __pragma(loop(ivdep))
#define HLOKIT_ROLLED
#define HLOKIT_UNLIKELY(condition) (condition)
#else
#define HLOKIT_INLINE inline __attribute__((always_inline))
#define HLOKIT_NOINLINE __attribute__((noinline))
#define HLOKIT_RESTRICT __restrict__
#define HLOKIT_UNLIKELY(condition) (__builtin_expect((condition), 0))
// The iterations of the loop that follows are independent of each other: it is to become vector instructions, rather than
// to be unrolled before.
#if defined(__clang__)
#define HLOKIT_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define HLOKIT_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define HLOKIT_INDEPENDENT _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
// The loop that follows is short and seldom run: to unroll it would cost more in code than it saves in time.
#define HLOKIT_ROLLED _Pragma("GCC unroll 1")
#endif
#endif
