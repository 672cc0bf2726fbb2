// Sums, products, extrema and logic of two elements. Internal linkage, as in scalars.h.
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

} // namespace
} // namespace hlokit
