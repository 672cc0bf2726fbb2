// What compilers spell differently. Compilers vectorise a loop only if they inline all that the loop calls, however
// large it is: hence HLOKIT_INLINE.
#pragma once

#if defined(_MSC_VER) && !defined(__clang__)
#define HLOKIT_INLINE __forceinline
#define HLOKIT_NOINLINE __declspec(noinline)
#define HLOKIT_RESTRICT __restrict
#define HLOKIT_INDEPENDENT __pragma(loop(ivdep))
#else
#define HLOKIT_INLINE inline __attribute__((always_inline))
#define HLOKIT_NOINLINE __attribute__((noinline))
#define HLOKIT_RESTRICT __restrict__
// The iterations of the loop that follows are independent of each other.
#if defined(__clang__)
#define HLOKIT_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define HLOKIT_INDEPENDENT _Pragma("GCC ivdep")
#endif
#endif
