// Blocks of f16 as f32 and back: by the processor's own instructions where it has them, which compilers do not use for
// loops. Part of files that are compiled for each level, with internal linkage: see support/variants.h.
#pragma once

#include <stddef.h>
#include <string.h>

#include <type_traits>

#include "kernels/elements/scalars.h"
#include "support/compiler.h"
#include "vm/pointwise/element_operations.h"

namespace hlokit::vm {
namespace {

// Elements that are computed at a time.
constexpr size_t half_block = 64;

#if defined(__F16C__)

constexpr bool has_half_instructions = true;

// By builtin functions, because the header of the instructions takes long to compile.
using EightFloats = float __attribute__((vector_size(32)));
using EightHalves = short __attribute__((vector_size(16)));

template <size_t count> HLOKIT_INLINE void widen_block(float *to, const Half *from) {
  for (size_t i = 0; i < count; i += 8) {
    EightHalves narrow;
    memcpy(&narrow, from + i, sizeof narrow);
    const EightFloats wide = __builtin_ia32_vcvtph2ps256(narrow);
    memcpy(to + i, &wide, sizeof wide);
  }
}
template <size_t count> HLOKIT_INLINE void round_block(Half *to, const float *from) {
  for (size_t i = 0; i < count; i += 8) {
    EightFloats wide;
    memcpy(&wide, from + i, sizeof wide);
    const EightHalves narrow = __builtin_ia32_vcvtps2ph256(wide, 0); // to the nearest, ties to even
    memcpy(to + i, &narrow, sizeof narrow);
  }
}

#else

constexpr bool has_half_instructions = false;

template <size_t count> HLOKIT_INLINE void widen_block(float *HLOKIT_RESTRICT to, const Half *from) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i)
    to[i] = widen(from[i]);
}
template <size_t count> HLOKIT_INLINE void round_block(Half *HLOKIT_RESTRICT to, const float *from) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i)
    to[i] = narrow_to_half(from[i]);
}

#endif

// The operation on f32 by which an operation on f16 is computed; none if `type` is void.
template <class Op> struct OperationInF32 { using type = void; };
template <template <class> class Op> struct OperationInF32<InF32<Op, Half>> { using type = Op<float>; };

template <class Op> HLOKIT_INLINE void compute_block(float *HLOKIT_RESTRICT to, const float (&wide)[1][half_block]) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < half_block; ++i)
    to[i] = Op::of(wide[0][i]);
}
template <class Op> HLOKIT_INLINE void compute_block(float *HLOKIT_RESTRICT to, const float (&wide)[2][half_block]) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < half_block; ++i)
    to[i] = Op::of(wide[0][i], wide[1][i]);
}
template <class Op> HLOKIT_INLINE void compute_block(float *HLOKIT_RESTRICT to, const float (&wide)[3][half_block]) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < half_block; ++i)
    to[i] = Op::of(wide[0][i], wide[1][i], wide[2][i]);
}

// Computes whole blocks of an operation on f16 or of a conversion between f16 and f32, if the processor has instructions for
// it; returns the number of elements.
template <class Op, class To, class... Operands>
HLOKIT_INLINE size_t compute_halves([[maybe_unused]] To *to, size_t count, [[maybe_unused]] Operands... operands) {
  constexpr bool is_in_f32 = !std::is_void_v<typename OperationInF32<Op>::type>;
  constexpr bool widens = std::is_same_v<Op, Convert<float, Half>>, rounds = std::is_same_v<Op, Convert<Half, float>>;
  if constexpr (!has_half_instructions || (!is_in_f32 && !widens && !rounds)) {
    return 0;
  } else {
    const size_t whole = count - count % half_block;
    for (size_t start = 0; start < whole; start += half_block) {
      if constexpr (is_in_f32) {
        float wide[sizeof...(operands)][half_block], results[half_block];
        size_t operand = 0;
        (widen_block<half_block>(wide[operand++], operands.at + start), ...);
        compute_block<typename OperationInF32<Op>::type>(results, wide);
        round_block<half_block>(to + start, results);
      } else if constexpr (widens) {
        (widen_block<half_block>(to + start, operands.at + start), ...);
      } else {
        (round_block<half_block>(to + start, operands.at + start), ...);
      }
    }
    return whole;
  }
}

} // namespace
} // namespace hlokit::vm
