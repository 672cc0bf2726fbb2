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

template <class T> constexpr int mantissa_bits = sizeof(T) == 8 ? 52 : 23;
template <> constexpr int mantissa_bits<BFloat> = 7;
template <> constexpr int mantissa_bits<Half> = 10;

// NaNs become the canonical NaN: positive, quiet, without payload. Other values stay.
template <class T> struct CanonicalNan {
  static T of(T a) {
    // An infinity has all bits of the exponent set; a quiet NaN also has the next bit set.
    constexpr auto infinity = static_cast<Bits<T>>(all_bits<T> >> 1 & all_bits<T> << mantissa_bits<T>);
    constexpr auto nan = static_cast<Bits<T>>(infinity | Bits<T>(1) << (mantissa_bits<T> - 1));
    const Bits<T> bits = bits_of<Bits<T>>(a);
    if constexpr (is_float<T>)
      return bits_of<T>(a == a ? bits : nan); // processors compare floats faster than their bits
    else
      return bits_of<T>((bits & all_bits<T> >> 1) > infinity ? nan : bits);
  }
};

} // namespace
} // namespace hlokit
