// Sums, products, extrema and logic of two elements, and the NaN that operations give. Internal linkage, as in scalars.h.
#pragma once

#include "kernels/elements/scalars.h"

namespace hlokit {
namespace {

template <class T> struct Add {
  static T of(T a, T b) {
    if constexpr (is_float<T>)
      return a + b;
    else
      return static_cast<T>(wide(a) + wide(b));
  }
};
template <class T> struct Multiply {
  static T of(T a, T b) {
    if constexpr (is_float<T>)
      return a * b;
    else
      return static_cast<T>(wide(a) * wide(b));
  }
};
// +0 is greater than -0: the bits decide between equal operands. A NaN wins.
template <class T> struct Maximum {
  static T of(T a, T b) {
    if constexpr (is_float<T>) {
      Bits<T> x = bits_of<Bits<T>>(a), y = bits_of<Bits<T>>(b);
      Bits<T> result = a > b ? x : y;
      result = a == b ? x & y : result;
      result = a != a ? x : result;
      return bits_of<T>(result);
    } else {
      return a > b ? a : b;
    }
  }
};
template <class T> struct Minimum {
  static T of(T a, T b) {
    if constexpr (is_float<T>) {
      Bits<T> x = bits_of<Bits<T>>(a), y = bits_of<Bits<T>>(b);
      Bits<T> result = a < b ? x : y;
      result = a == b ? x | y : result;
      result = a != a ? x : result;
      return bits_of<T>(result);
    } else {
      return a < b ? a : b;
    }
  }
};
template <class T> struct And {
  static T of(T a, T b) { return static_cast<T>(wide(a) & wide(b)); }
};
template <class T> struct Or {
  static T of(T a, T b) { return static_cast<T>(wide(a) | wide(b)); }
};
template <class T> struct Xor {
  static T of(T a, T b) { return static_cast<T>(wide(a) ^ wide(b)); }
};

// NaNs become the one that is positive and quiet and has no payload; other values stay.
template <class T> struct CanonicalNan {
  static T of(T a) {
    constexpr Bits<T> infinity = sizeof(T) == 8   ? static_cast<Bits<T>>(uint64_t{0x7FF0000000000000})
                                 : sizeof(T) == 4 ? static_cast<Bits<T>>(0x7F800000u)
                                 : std::is_same_v<T, Half> ? static_cast<Bits<T>>(0x7C00u)
                                                           : static_cast<Bits<T>>(0x7F80u);
    constexpr Bits<T> nan = sizeof(T) == 8   ? static_cast<Bits<T>>(uint64_t{0x7FF8000000000000})
                            : sizeof(T) == 4 ? static_cast<Bits<T>>(0x7FC00000u)
                            : std::is_same_v<T, Half> ? static_cast<Bits<T>>(0x7E00u)
                                                      : static_cast<Bits<T>>(0x7FC0u);
    const Bits<T> bits = bits_of<Bits<T>>(a);
    if constexpr (is_float<T>)
      return bits_of<T>(a == a ? bits : nan); // processors compare floats faster than their bits
    else
      return bits_of<T>((bits & all_bits<T> >> 1) > infinity ? nan : bits);
  }
};

} // namespace
} // namespace hlokit
