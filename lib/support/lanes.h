// Vectors of 64 bytes, and sums of their lanes. With internal linkage: see support/variants.h.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "support/compiler.h"

namespace hlokit {
namespace {

// 64 bytes on every processor, so that sums have one order.
template <class R> constexpr size_t lanes = 64 / sizeof(R);

#if defined(HLOKIT_HAS_VECTORS)
template <class R> struct LanesOf;
template <> struct LanesOf<float> { typedef float type __attribute__((vector_size(64))); };
template <> struct LanesOf<double> { typedef double type __attribute__((vector_size(64))); };
template <class R> using Lanes = typename LanesOf<R>::type;
#define HLOKIT_ALL(R, value) ((value) - Lanes<R>{})
#else
template <class R> struct Lanes {
  R values[lanes<R>];
  R operator[](size_t i) const { return values[i]; }
  Lanes &operator+=(const Lanes &other) {
    for (size_t i = 0; i < lanes<R>; ++i)
      values[i] += other.values[i];
    return *this;
  }
  Lanes &operator-=(const Lanes &other) {
    for (size_t i = 0; i < lanes<R>; ++i)
      values[i] -= other.values[i];
    return *this;
  }
};
template <class R> Lanes<R> operator*(Lanes<R> a, const Lanes<R> &b) {
  for (size_t i = 0; i < lanes<R>; ++i)
    a.values[i] *= b.values[i];
  return a;
}
template <class R> Lanes<R> operator+(Lanes<R> a, const Lanes<R> &b) { return a += b; }
template <class R> Lanes<R> operator-(Lanes<R> a, const Lanes<R> &b) { return a -= b; }
template <class R> Lanes<R> all_lanes(R value) {
  Lanes<R> result;
  for (size_t i = 0; i < lanes<R>; ++i)
    result.values[i] = value;
  return result;
}
#define HLOKIT_ALL(R, value) all_lanes<R>(value)
#endif

// The sum of all lanes, in halves; every `step`-th lane only.
template <class R, size_t step> HLOKIT_INLINE R sum_of_lanes(const Lanes<R> &all, size_t first) {
  constexpr size_t count = lanes<R> / step;
  R parts[count];
  for (size_t i = 0; i < count; ++i)
    parts[i] = all[i * step + first];
  for (size_t half = count / 2; half; half /= 2)
    for (size_t i = 0; i < half; ++i)
      parts[i] += parts[i + half];
  return parts[0];
}

template <class R> HLOKIT_INLINE void load(Lanes<R> &to, const R *from) { memcpy(&to, from, sizeof to); }
template <class R> HLOKIT_INLINE void load_some(Lanes<R> &to, const R *from, size_t count) {
  R all[lanes<R>] = {};
  for (size_t i = 0; i < count; ++i)
    all[i] = from[i];
  memcpy(&to, all, sizeof to);
}

// Swaps neighbours: real parts with imaginary parts.
template <class R> HLOKIT_INLINE void turn(Lanes<R> &to, const Lanes<R> &from) {
#if defined(__GNUC__) && !defined(__clang__)
  if constexpr (sizeof(R) == 4) {
    typedef int32_t Order __attribute__((vector_size(64)));
    to = __builtin_shuffle(from, Order{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14});
  } else {
    typedef int64_t Order __attribute__((vector_size(64)));
    to = __builtin_shuffle(from, Order{1, 0, 3, 2, 5, 4, 7, 6});
  }
#else
  R all[lanes<R>];
  for (size_t i = 0; i < lanes<R>; ++i)
    all[i] = from[i ^ 1];
  memcpy(&to, all, sizeof to);
#endif
}

} // namespace
} // namespace hlokit
