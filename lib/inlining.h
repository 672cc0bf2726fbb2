// Words for compilers. Loops over elements are only vectorised if all that they call is inlined, however large it is.
#pragma once

#if defined(_MSC_VER) && !defined(__clang__)
#define HLOKIT_INLINE __forceinline
#define HLOKIT_RESTRICT __restrict
#else
#define HLOKIT_INLINE inline __attribute__((always_inline))
#define HLOKIT_RESTRICT __restrict__
#endif
