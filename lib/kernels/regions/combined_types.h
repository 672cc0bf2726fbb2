// The types in which elements are combined. Part of combinations.cpp and updates.cpp, with internal linkage.
#pragma once

#include <type_traits>

#include "kernels/elements/arithmetic.h"

namespace hlokit::regions {
namespace {

// The type that combines elements of type T, and conversions to and from it.
template <class T> struct Element {
  using Value = T;
  static T load(T value) { return value; }
  static T store(T value) { return value; }
};
template <> struct Element<BFloat> {
  using Value = float;
  static float load(BFloat value) { return widen(value); }
  static BFloat store(float value) { return narrow(value); }
};

template <> struct Element<Half> {
  using Value = float;
  static float load(Half value) { return widen(value); }
  static Half store(float value) { return narrow_to_half(value); }
};

template <class T> using Value = typename Element<T>::Value;

// The type of partial results: f64 for sums and products of floats.
template <template <class> class Op, class T> struct PartialOf { using type = Value<T>; };
template <> struct PartialOf<Add, float> { using type = double; };
template <> struct PartialOf<Add, BFloat> { using type = double; };
template <> struct PartialOf<Multiply, float> { using type = double; };
template <> struct PartialOf<Multiply, BFloat> { using type = double; };
template <> struct PartialOf<Add, Half> { using type = double; };
template <> struct PartialOf<Multiply, Half> { using type = double; };
template <template <class> class Op, class T> using Partial = typename PartialOf<Op, T>::type;

template <class P, class T> inline P load(T value) { return static_cast<P>(Element<T>::load(value)); }

// Sums and products of floats round, so their order matters: the order of `sum_lanes` (elements/order_of_sums.h). The order
// of all other combinations is irrelevant.
template <template <class> class Op, class T>
constexpr bool is_sum = is_float<Value<T>> && (std::is_same_v<Op<Value<T>>, Add<Value<T>>> ||
                                               std::is_same_v<Op<Value<T>>, Multiply<Value<T>>>);

} // namespace
} // namespace hlokit::regions
