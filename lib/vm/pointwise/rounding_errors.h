// Whether sums, differences, products and quotients are rounded. Part of kernels.cpp, with internal linkage.
#pragma once

#include <math.h>

namespace hlokit::vm {
namespace {

// 0 where the result of an operation is exact, so that every correct implementation has its bits; `amount` where it is
// rounded, or where that is not certain. Error-free transformations: the rounding error of a sum is a float, and that of a
// product is in the fused multiply-add (of f32, in the product in f64).
template <class T> struct SumRounds {
  static T of(T a, T b, T amount) {
    const T sum = a + b, part = sum - a;
    return (a - (sum - part)) + (b - part) == 0 ? T(0) : amount;
  }
};
template <class T> struct DifferenceRounds {
  static T of(T a, T b, T amount) { return SumRounds<T>::of(a, -b, amount); }
};
template <class T> inline bool is_product(T a, T b, T product) {
  if constexpr (sizeof(T) == 4)
    return static_cast<double>(a) * static_cast<double>(b) == static_cast<double>(product);
  else
    return fabs(product) > 0x1p-960 && fma(a, b, -product) == 0;
}
template <class T> struct ProductRounds {
  static T of(T a, T b, T amount) { return is_product(a, b, a * b) ? T(0) : amount; }
};
// Compilers may multiply by the reciprocal.
template <class T> struct QuotientRounds {
  static T of(T a, T b, T amount) {
    const T quotient = a / b;
    return is_product(quotient, b, a) && a * (1 / b) == quotient ? T(0) : amount;
  }
};

}  // namespace
}  // namespace hlokit::vm
