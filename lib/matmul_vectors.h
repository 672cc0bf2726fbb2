// Vectors of a processor, and how sums of products are cut. For the kernels, and as internal as all of them.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "inlining.h"
#include "matmul_kernels.h"

#if defined(_MSC_VER) && !defined(__clang__)
#define HLOKIT_UNROLL
#define HLOKIT_LAMBDA
#define HLOKIT_PREFETCH(address, is_written)
#else
#define HLOKIT_LAMBDA __attribute__((always_inline))
#define HLOKIT_PREFETCH(address, is_written) __builtin_prefetch(address, is_written)
#if defined(__clang__)
#define HLOKIT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HLOKIT_UNROLL _Pragma("GCC unroll 32")
#endif
#endif

namespace hlokit::matmul {
namespace {

template <class T> HLOKIT_INLINE T least(T a, T b) { return a < b ? a : b; }

#if defined(__AVX512F__)
constexpr size_t vector_bytes = 64;
constexpr int tile_rows = 14, few_rows = 3, some_rows = 6;
#elif defined(__AVX2__)
constexpr size_t vector_bytes = 32;
constexpr int tile_rows = 6, few_rows = 1, some_rows = 3;
#else
constexpr size_t vector_bytes = 16;
constexpr int tile_rows = 6, few_rows = 1, some_rows = 3;
#endif

template <class T> constexpr size_t lanes = vector_bytes / sizeof(T);

#if defined(__GNUC__)
template <class T> struct VectorOf;
template <> struct VectorOf<float> { typedef float type __attribute__((vector_size(vector_bytes))); };
template <> struct VectorOf<double> { typedef double type __attribute__((vector_size(vector_bytes))); };
template <class T> using Vector = typename VectorOf<T>::type;

template <class T> HLOKIT_INLINE Vector<T> load(const T *from) {
  Vector<T> result;
  memcpy(&result, from, sizeof result);
  return result;
}
template <class T> HLOKIT_INLINE Vector<T> all(T value) { return value - Vector<T>{}; }
#else
template <class T> struct Vector {
  T values[lanes<T>];
  Vector &operator+=(const Vector &other) {
    for (size_t i = 0; i < lanes<T>; ++i)
      values[i] += other.values[i];
    return *this;
  }
  T operator[](size_t i) const { return values[i]; }
};
template <class T> Vector<T> operator*(Vector<T> a, const Vector<T> &b) {
  for (size_t i = 0; i < lanes<T>; ++i)
    a.values[i] *= b.values[i];
  return a;
}
template <class T> Vector<T> load(const T *from) {
  Vector<T> result;
  memcpy(&result, from, sizeof result);
  return result;
}
template <class T> Vector<T> all(T value) {
  Vector<T> result;
  for (size_t i = 0; i < lanes<T>; ++i)
    result.values[i] = value;
  return result;
}
#endif

template <class T> HLOKIT_INLINE void store(T *to, const Vector<T> &value) { memcpy(to, &value, sizeof value); }

// How many terms are added up one by one: so that with a tree above, no term of a block is rounded more often
// than in sums that are pairwise but for 8 interleaved sums of 16 terms.
HLOKIT_INLINE size_t run_terms(size_t terms) {
  return terms >= 128 ? 16 : terms > 16 ? (terms + 7) / 8 : 2;
}

// Sums wait in a tree until their partner is there: at most one of 1, 2, 4, ... runs.
constexpr int tree_height = 8;

// How many terms a block of a sum of `terms` has, so that all blocks have about as many. Two blocks have 256 at
// most: with up to 512 terms, a sum of two must not be rounded more often than one.
size_t terms_of_block(size_t terms) {
  const size_t most = terms <= block_terms || terms > 512 ? block_terms : 256;
  const size_t count = terms ? (terms + most - 1) / most : 1;
  return ((terms + count - 1) / count + 15) / 16 * 16;
}

} // namespace
} // namespace hlokit::matmul
