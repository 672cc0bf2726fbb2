// Conversions of vectors of four and eight numbers. With internal linkage: see support/variants.h.
#pragma once

#include <stdint.h>

#include "support/compiler.h"

#if defined(HLOKIT_HAS_VECTORS)
namespace hlokit {
namespace {

typedef double FourDoubles __attribute__((vector_size(32)));
typedef float FourFloats __attribute__((vector_size(16)));
#if defined(__AVX512F__)
typedef double EightDoubles __attribute__((vector_size(64)));
typedef float EightFloats __attribute__((vector_size(32)));
#endif

// By reference, since compilers warn of results that are wider than the vectors of the processor. GCC would convert between
// vectors of different lengths by halves, through memory.
#if defined(__AVX__) && !defined(__clang__)
HLOKIT_INLINE void convert(FourDoubles &to, const FourFloats &from) { to = __builtin_ia32_cvtps2pd256(from); }
HLOKIT_INLINE void convert(FourFloats &to, const FourDoubles &from) { to = __builtin_ia32_cvtpd2ps256(from); }
#if defined(__AVX512F__)
constexpr int current = 4; // the processor's mode of rounding
HLOKIT_INLINE void convert(EightDoubles &to, const EightFloats &from) {
  to = __builtin_ia32_cvtps2pd512_mask(from, EightDoubles{}, 0xFF, current);
}
HLOKIT_INLINE void convert(EightFloats &to, const EightDoubles &from) {
  to = __builtin_ia32_cvtpd2ps512_mask(from, EightFloats{}, 0xFF, current);
}
#endif
#endif
template <class To, class From> HLOKIT_INLINE void convert(To &to, const From &from) { to = __builtin_convertvector(from, To); }

} // namespace
} // namespace hlokit
#endif
