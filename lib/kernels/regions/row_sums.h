// Sums of elements side by side, in vectors and in the order of elements/order_of_sums.h. Part of combinations.cpp, with internal
// linkage: see support/variants.h.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "kernels/elements/scalars.h"
#include "support/compiler.h"
#include "support/conversions.h"
#include "support/shuffles.h"

namespace hlokit::regions {
namespace {

#if defined(HLOKIT_SHUFFLES)
// Eight elements. Of bf16, each a half of a word, `low` has the even ones and `high` the odd ones.
HLOKIT_INLINE void load_fours(FourDoubles &low, FourDoubles &high, const double *from) {
  memcpy(&low, from, sizeof low);
  memcpy(&high, from + 4, sizeof high);
}
HLOKIT_INLINE void load_fours(FourDoubles &low, FourDoubles &high, const float *from) {
  FourFloats values, more;
  memcpy(&values, from, sizeof values);
  memcpy(&more, from + 4, sizeof more);
  convert(low, values);
  convert(high, more);
}
// A bf16 is the upper half of an f32.
HLOKIT_INLINE void load_fours(FourDoubles &low, FourDoubles &high, const BFloat *from) {
  typedef uint32_t Words __attribute__((vector_size(16)));
  Words words;
  memcpy(&words, from, sizeof words);
  convert(low, reinterpret_cast<FourFloats>(words << 16));
  convert(high, reinterpret_cast<FourFloats>(words & 0xFFFF0000));
}
template <class T>
constexpr bool has_fours = std::is_same_v<T, double> || std::is_same_v<T, float> || std::is_same_v<T, BFloat>;

// Elements after the last whole row of lanes, eight at a time. Those that are missing are -0, which changes no sum.
template <class T> struct LastElements {
  const T *from;
  size_t count;
  T last[8], none[8];

  HLOKIT_INLINE LastElements(const T *row, size_t whole, size_t all) : from(row + whole), count(all - whole) {
    const size_t first = count / 8 * 8, rest = count - first;
    HLOKIT_UNROLL
    for (size_t j = 0; j < 8; ++j)
      last[j] = none[j] = rounded_to<T>(-0.0);
    if (rest == 0)
      return;
    if (sizeof(T) > 2 || all < 8) { // by loads under a mask
      for (size_t j = 0; j < 8; ++j)
        last[j] = j < rest ? from[first + j] : none[j];
    } else { // the last eight of the row, without those that are none of the rest
      __extension__ typedef unsigned __int128 Words;
      Words words, zeros;
      memcpy(&words, row + all - 8, sizeof words);
      memcpy(&zeros, none, sizeof zeros);
      words = words >> (16 * (8 - rest)) | zeros << (16 * rest);
      memcpy(last, &words, sizeof words);
    }
  }
  HLOKIT_INLINE const T *at(size_t first) const {
    return first + 8 <= count ? from + first : first < count ? last : none;
  }
};
// The sums of the lanes from `first` on, four in each vector.
template <class T, size_t lanes, size_t fours>
HLOKIT_INLINE void sum_lanes_from(FourDoubles (&sums)[fours], size_t first, const T *from, size_t whole, const LastElements<T> &last) {
  FourDoubles low, high;
  HLOKIT_UNROLL
  for (size_t k = 0; k < fours; k += 2)
    load_fours(sums[k], sums[k + 1], whole > 0 ? from + first + 4 * k : last.at(first + 4 * k));
  for (size_t i = first + lanes; i < whole; i += lanes) {
    HLOKIT_UNROLL
    for (size_t k = 0; k < fours; k += 2) {
      load_fours(low, high, from + i + 4 * k);
      sums[k] += low;
      sums[k + 1] += high;
    }
  }
  if (whole == 0 || last.count <= first)
    return;
  HLOKIT_UNROLL
  for (size_t k = 0; k < fours; k += 2) {
    load_fours(low, high, last.at(first + 4 * k));
    sums[k] += low;
    sums[k + 1] += high;
  }
}
// In registers: half of 64 lanes at a time, since compilers keep arrays in memory.
template <class T, size_t lanes> HLOKIT_INLINE double sum_of_row(const T *from, size_t count) {
  constexpr size_t fours = lanes / 4 < 8 ? lanes / 4 : 8;
  const size_t whole = count / lanes * lanes;
  const LastElements<T> last(from, whole, count);
  FourDoubles sums[fours];
  sum_lanes_from<T, lanes>(sums, 0, from, whole, last);
  if constexpr (lanes > 4 * fours) {
    static_assert(lanes == 8 * fours);
    FourDoubles others[fours];
    sum_lanes_from<T, lanes>(others, lanes / 2, from, whole, last);
    HLOKIT_UNROLL
    for (size_t k = 0; k < fours; ++k)
      sums[k] += others[k];
  }
  HLOKIT_UNROLL
  for (size_t half = fours / 2; half > 1; half /= 2) {
    HLOKIT_UNROLL
    for (size_t k = 0; k < half; ++k)
      sums[k] += sums[k + half];
  }
  if constexpr (std::is_same_v<T, BFloat>)
    interleave(sums[0], sums[1], FourDoubles(sums[0]), FourDoubles(sums[1]));
  sums[0] += sums[1];
  return (sums[0][0] + sums[0][2]) + (sums[0][1] + sums[0][3]);
}
#else
template <class T> constexpr bool has_fours = false;
#endif

} // namespace
} // namespace hlokit::regions
