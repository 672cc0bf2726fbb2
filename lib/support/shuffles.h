// Numbers of vectors in other orders. With internal linkage: see support/variants.h.
#pragma once

#include "support/compiler.h"

#if defined(HLOKIT_SHUFFLES)
#include <utility>

namespace hlokit {
namespace {

// The indices of the numbers of a vector.
template <class Vector> constexpr int count_of = sizeof(Vector) / sizeof(Vector{}[0]);
template <class Vector> constexpr auto indices_of = std::make_integer_sequence<int, count_of<Vector>>();

// By reference, since compilers warn of results that are wider than the vectors of the processor.
template <bool upper, class Vector, int... i>
HLOKIT_INLINE void interleave_halves(Vector &to, const Vector &a, const Vector &b, std::integer_sequence<int, i...>) {
  constexpr int count = count_of<Vector>;
  to = __builtin_shufflevector(a, b, ((upper ? count / 2 : 0) + i / 2 + (i % 2 ? count : 0))...);
}
// The numbers of two vectors in turn.
template <class Vector> HLOKIT_INLINE void interleave(Vector &low, Vector &high, const Vector &a, const Vector &b) {
  interleave_halves<false>(low, a, b, indices_of<Vector>);
  interleave_halves<true>(high, a, b, indices_of<Vector>);
}

template <class Vector, int... i>
HLOKIT_INLINE void separate_at(Vector &even, Vector &odd, const Vector &a, const Vector &b, std::integer_sequence<int, i...>) {
  even = __builtin_shufflevector(a, b, (2 * i)...);
  odd = __builtin_shufflevector(a, b, (2 * i + 1)...);
}
// The inverse of `interleave`.
template <class Vector> HLOKIT_INLINE void separate(Vector &even, Vector &odd, const Vector &low, const Vector &high) {
  separate_at(even, odd, low, high, indices_of<Vector>);
}

// Rows of `count` numbers each become columns.
template <class Vector, int count> HLOKIT_INLINE void transpose(Vector (&rows)[count]) {
  static_assert(count == count_of<Vector>);
  Vector swapped[count];
  // Each step sorts by one more bit of the column number.
  HLOKIT_UNROLL
  for (int step = 1; step < count; step *= 2) {
    HLOKIT_UNROLL
    for (int i = 0; i < count / 2; ++i)
      interleave(swapped[2 * i], swapped[2 * i + 1], rows[i], rows[i + count / 2]);
    HLOKIT_UNROLL
    for (int i = 0; i < count; ++i)
      rows[i] = swapped[i];
  }
}

} // namespace
} // namespace hlokit
#endif
