// Vectors, and how sums are divided into runs and blocks. Part of kernels.cpp, with internal linkage.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "support/compiler.h"
#include "kernels/matmul/kernels.h"

#if defined(_MSC_VER) && !defined(__clang__)
#define HLOKIT_LAMBDA
#define HLOKIT_PREFETCH(address, is_written)
#else
#define HLOKIT_LAMBDA __attribute__((always_inline))
#define HLOKIT_PREFETCH(address, is_written) __builtin_prefetch(address, is_written)
#endif

namespace hlokit::matmul {
namespace {

template <class T> HLOKIT_INLINE T least(T a, T b) { return a < b ? a : b; }

#if defined(__AVX512F__)
constexpr size_t vector_bytes = 64, vector_registers = 32;
constexpr int tile_rows = 14, few_rows = 3, some_rows = 6;
#elif defined(__AVX2__)
constexpr size_t vector_bytes = 32, vector_registers = 16;
constexpr int tile_rows = 6, few_rows = 1, some_rows = 3;
#else
constexpr size_t vector_bytes = 16, vector_registers = 16;
constexpr int tile_rows = 6, few_rows = 1, some_rows = 3;
#endif

template <class T> constexpr size_t lanes = vector_bytes / sizeof(T);
// The shortest vectors, in bytes.
constexpr size_t least_vector = 16;

// `count` numbers, at most `lanes`.
#if defined(HLOKIT_HAS_VECTORS)
template <class T, size_t count> struct VectorOf { typedef T type __attribute__((vector_size(count * sizeof(T)))); };
template <class T, size_t count = lanes<T>> using Vector = typename VectorOf<T, count>::type;

template <class T, size_t count = lanes<T>> HLOKIT_INLINE Vector<T, count> all(T value) {
  return value - Vector<T, count>{};
}
#else
template <class T, size_t count = lanes<T>> struct Vector {
  T values[count];
  Vector &operator+=(const Vector &other) {
    for (size_t i = 0; i < count; ++i)
      values[i] += other.values[i];
    return *this;
  }
  T &operator[](size_t i) { return values[i]; }
  T operator[](size_t i) const { return values[i]; }
};
template <class T, size_t count> Vector<T, count> operator*(Vector<T, count> a, const Vector<T, count> &b) {
  for (size_t i = 0; i < count; ++i)
    a.values[i] *= b.values[i];
  return a;
}
template <class T, size_t count> Vector<T, count> operator+(Vector<T, count> a, const Vector<T, count> &b) {
  return a += b;
}
template <class T, size_t count> Vector<T, count> operator&(Vector<T, count> a, const Vector<T, count> &b) {
  for (size_t i = 0; i < count; ++i)
    a.values[i] &= b.values[i];
  return a;
}
template <class T, size_t count = lanes<T>> Vector<T, count> all(T value) {
  Vector<T, count> result;
  for (size_t i = 0; i < count; ++i)
    result.values[i] = value;
  return result;
}
#endif

template <class T, size_t count = lanes<T>> HLOKIT_INLINE Vector<T, count> load(const T *from) {
  Vector<T, count> result;
  memcpy(&result, from, sizeof result);
  return result;
}

template <class T, class V> HLOKIT_INLINE void store(T *to, const V &value) { memcpy(to, &value, sizeof value); }

// sum + a * b, rounded once: in hardware, or by the C library where the processor has no such instruction.
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
template <class T, size_t count = lanes<T>>
HLOKIT_INLINE void multiply_add(Vector<T, count> &sum, const Vector<T, count> &a, const Vector<T, count> &b) {
  sum += a * b; // the compiler makes one instruction of both (-ffp-contract=fast)
}
#else
template <class T, size_t count = lanes<T>>
HLOKIT_NOINLINE void multiply_add(Vector<T, count> &sum, const Vector<T, count> &a, const Vector<T, count> &b) {
  for (size_t i = 0; i < count; ++i)
    sum[i] = sizeof(T) == 4 ? static_cast<T>(HLOKIT_MATH(fmaf)(float(a[i]), float(b[i]), float(sum[i])))
                            : static_cast<T>(HLOKIT_MATH(fma)(double(a[i]), double(b[i]), double(sum[i])));
}
#endif

template <class T> HLOKIT_INLINE void multiply_add(T &sum, T a, T b) {
  sum = sizeof(T) == 4 ? static_cast<T>(HLOKIT_MATH(fmaf)(float(a), float(b), float(sum)))
                       : static_cast<T>(HLOKIT_MATH(fma)(double(a), double(b), double(sum)));
}

// THE ORDER OF A SUM of products is a function of the number of its terms alone: not of layouts, other dimensions,
// threads or the processor. Blocks of `block_terms` terms are sums of lanes: lane l adds the products of terms l,
// l + lanes, l + 2 lanes, ... one by one, beginning with +0, each product and sum rounded once together. Lanes are
// added in halves: l and l + lanes / 2, then l and l + lanes / 4, and so on. Sums of blocks are added in their order
// in more precision (`Sums`). At the end +0 is added, so that no sum is -0.

// The number of lanes of a block of `terms` terms: a power of two.
HLOKIT_INLINE constexpr size_t lanes_of(size_t terms) {
  return terms >= 128 ? 16 : terms >= 8 ? 8 : terms > 2 ? 4 : terms == 2 ? 2 : 1;
}

// The lanes in an order in which they are added like the digits of a binary counter: l and l + 8 follow each other.
constexpr unsigned char lane_order[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

// The sum of a vector of lanes, in the order above.
template <class T, size_t width> HLOKIT_INLINE T sum_of_lanes(const Vector<T, width> &lanes) {
  if constexpr (width == 2) {
    return lanes[0] + lanes[1];
  } else {
    Vector<T, width / 2> low, high;
    memcpy(&low, &lanes, sizeof low);
    memcpy(&high, reinterpret_cast<const unsigned char *>(&lanes) + sizeof low, sizeof high);
    return sum_of_lanes<T, width / 2>(low + high);
  }
}

// Sums of lanes wait until their partner is there: at most one of 1, 2, 4 and 8 lanes.
constexpr int tree_height = 4;

} // namespace
} // namespace hlokit::matmul
