// Pairs of operations in one sweep, which fused programs have. Part of kernels.cpp, with internal linkage: see
// support/variants.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/elements/arithmetic.h"
#include "kernels/elements/scalars.h"
#include "support/compiler.h"
#include "vm/pointwise/element_operations.h"
#include "vm/pointwise/kernels.h"
#include "vm/pointwise/sweeps.h"
#include "vm/type_lists.h"

namespace hlokit::vm {
namespace {

// Operations ----------------------------------------------------------------------------------------------

// `place`: which operand of the outer operation is the result of the inner one.
template <class Inner, class Outer, int place> struct Nested {
  template <class T> static T of(T a, T b, T c) {
    return place == 0 ? Outer::of(Inner::of(a, b), c) : Outer::of(c, Inner::of(a, b));
  }
};
// The result of an operation of two operands, its NaNs made canonical.
template <class Inner> struct Canonical {
  template <class T> static T of(T a, T b) { return CanonicalNan<T>::of(Inner::of(a, b)); }
};
// select(compare(a, b), c, d)
template <class Compare> struct Chosen {
  template <class T> static T of(T a, T b, T c, T d) { return Compare::of(a, b).value ? c : d; }
};
template <class T> struct RotateXor {
  static T of(T a, T b, T c, T d) { return static_cast<T>(d ^ Rotate<T>::of(a, b, c)); }
};

// Sweeps --------------------------------------------------------------------------------------------------

// `ones`: the bits of the operands that are one element for all, where those of the inner operation come first, then the
// others of the outer one.
template <class Op, class T, unsigned ones> void sweep_two(void *to, const void *const *operands, size_t count) {
  sweep2<Op, T, T, T, ones>(to, operands[0], operands[1], nullptr, count);
}
template <class Op, class T, unsigned ones> void sweep_three(void *to, const void *const *operands, size_t count) {
  sweep3<Op, T, T, T, T, ones>(to, operands[0], operands[1], operands[2], count);
}
template <class Op, class T, unsigned ones>
HLOKIT_NOINLINE void sweep_four(void *to, const void *const *operands, size_t count) {
  compute_each<Op, T>(to, count, operand<(ones & 1) != 0, T>(operands[0]), operand<(ones & 2) != 0, T>(operands[1]),
                      operand<(ones & 4) != 0, T>(operands[2]), operand<(ones & 8) != 0, T>(operands[3]));
}

template <class T, class Inner, class Outer, int place, unsigned ones>
constexpr PairSweep sweep_pair = sweep_three<Nested<Inner, Outer, place>, T, ones>;

// The same with the operands of a commutative inner operation swapped.
template <class Op, class T, unsigned ones> void sweep_swapped(void *to, const void *const *operands, size_t count) {
  constexpr unsigned exchanged = (ones & 4) | (ones & 1) << 1 | (ones & 2) >> 1;
  sweep3<Op, T, T, T, T, exchanged>(to, operands[1], operands[0], operands[2], count);
}
template <class T, class Inner, class Outer, int place, unsigned ones>
constexpr PairSweep sweep_swapped_pair = sweep_swapped<Nested<Inner, Outer, place>, T, ones>;

template <class T, class Compare, unsigned ones> constexpr PairSweep sweep_choice = sweep_four<Chosen<Compare>, T, ones>;

// The same for the opposite of a comparison.
template <class T, class Opposite, unsigned ones>
void sweep_other_choice(void *to, const void *const *operands, size_t count) {
  const void *swapped[] = {operands[0], operands[1], operands[3], operands[2]};
  constexpr unsigned exchanged = (ones & 3) | (ones & 4) << 1 | (ones & 8) >> 1;
  sweep_choice<T, Opposite, exchanged>(to, swapped, count);
}
// The same for a comparison with its operands swapped.
template <class T, class Mirrored, unsigned ones>
void sweep_mirrored_choice(void *to, const void *const *operands, size_t count) {
  const void *swapped[] = {operands[1], operands[0], operands[2], operands[3]};
  constexpr unsigned exchanged = (ones & 12) | (ones & 1) << 1 | (ones & 2) >> 1;
  sweep_choice<T, Mirrored, exchanged>(to, swapped, count);
}

// The table -----------------------------------------------------------------------------------------------

#define ROTATE_XOR(type, T, place)                                                                            \
  {"rotate", "xor", ElementType::type, ElementType::type, place,                                             \
   {sweep_four<RotateXor<T>, T, 0>, nullptr, nullptr, nullptr, nullptr, nullptr, sweep_four<RotateXor<T>, T, 6>}},

// `mirrored` sweeps where the first operand of the inner operation is one element for all.
#define PAIR_OF(inner, outer, type, T, Inner, Outer, place, function, mirrored)                               \
  {inner,                                                                                                     \
   outer,                                                                                                     \
   ElementType::type,                                                                                         \
   ElementType::type,                                                                                         \
   place,                                                                                                     \
   {sweep_pair<T, Inner<T>, Outer<T>, function, 0>, mirrored<T, Inner<T>, Outer<T>, function, 1>,             \
    sweep_pair<T, Inner<T>, Outer<T>, function, 2>, nullptr, sweep_pair<T, Inner<T>, Outer<T>, function, 4>,  \
    mirrored<T, Inner<T>, Outer<T>, function, 5>, sweep_pair<T, Inner<T>, Outer<T>, function, 6>}},
// Sums and products of two have one function for both places.
#define PAIRS_OF(type, T, inner, Inner, mirrored)                                                             \
  PAIR_OF(inner, "add", type, T, Inner, Add, 0, 0, mirrored)                                                  \
  PAIR_OF(inner, "add", type, T, Inner, Add, 1, 0, mirrored)                                                  \
  PAIR_OF(inner, "subtract", type, T, Inner, Subtract, 0, 0, mirrored)                                        \
  PAIR_OF(inner, "subtract", type, T, Inner, Subtract, 1, 1, mirrored)                                        \
  PAIR_OF(inner, "multiply", type, T, Inner, Multiply, 0, 0, mirrored)                                        \
  PAIR_OF(inner, "multiply", type, T, Inner, Multiply, 1, 0, mirrored)
#define PAIRS(type, T, unused)                                                                                \
  PAIRS_OF(type, T, "multiply", Multiply, sweep_swapped_pair)                                                 \
  PAIRS_OF(type, T, "add", Add, sweep_swapped_pair)                                                           \
  PAIRS_OF(type, T, "subtract", Subtract, sweep_pair)

#define CANONICAL(inner, Inner, type, T)                                                                      \
  {inner,                                                                                                     \
   "canonical_nan",                                                                                           \
   ElementType::type,                                                                                         \
   ElementType::type,                                                                                         \
   0,                                                                                                         \
   {sweep_two<Canonical<Inner<T>>, T, 0>, sweep_two<Canonical<Inner<T>>, T, 1>, sweep_two<Canonical<Inner<T>>, T, 2>}},
#define CANONICALS(type, T, unused)                                                                           \
  CANONICAL("add", Add, type, T)                                                                              \
  CANONICAL("subtract", Subtract, type, T)                                                                    \
  CANONICAL("multiply", Multiply, type, T)                                                                    \
  CANONICAL("divide", Divide, type, T)                                                                        \
  CANONICAL("maximum", Maximum, type, T)                                                                      \
  CANONICAL("minimum", Minimum, type, T)

#define CHOICE(compare, Compare, type, T, function)                                                           \
  {compare,                                                                                                   \
   "select",                                                                                                  \
   ElementType::type,                                                                                         \
   ElementType::type,                                                                                         \
   0,                                                                                                         \
   {function<T, Compare<T>, 0>, nullptr, function<T, Compare<T>, 2>, nullptr,                                 \
    function<T, Compare<T>, 4>, nullptr, function<T, Compare<T>, 6>, nullptr,                                 \
    function<T, Compare<T>, 8>, nullptr, function<T, Compare<T>, 10>, nullptr,                                \
    function<T, Compare<T>, 12>, nullptr, function<T, Compare<T>, 14>}},
// Among floats, the opposite of "less" is also true for NaNs. `Word`: the type whose equality is that of T.
#define CHOICES_OF(type, T, Word, at_least)                                                                   \
  CHOICE("EQ", Equal, type, Word, sweep_choice)                                                               \
  CHOICE("NE", Equal, type, Word, sweep_other_choice)                                                         \
  CHOICE("LT", Less, type, T, sweep_choice)                                                                   \
  CHOICE("LE", LessEqual, type, T, sweep_choice)                                                              \
  at_least(type, T)
#define AT_LEAST_OF_FLOATS(type, T)                                                                           \
  CHOICE("GT", Less, type, T, sweep_mirrored_choice) CHOICE("GE", LessEqual, type, T, sweep_mirrored_choice)
#define AT_LEAST_OF_INTEGERS(type, T)                                                                         \
  CHOICE("GT", LessEqual, type, T, sweep_other_choice) CHOICE("GE", Less, type, T, sweep_other_choice)

const Pair pairs[] = {
    // clang-format off
    HLOKIT_FLOAT_TYPES(PAIRS, ) HLOKIT_FLOAT_TYPES(CANONICALS, )
    CHOICES_OF(f32, float, float, AT_LEAST_OF_FLOATS) CHOICES_OF(f64, double, double, AT_LEAST_OF_FLOATS)
    CHOICES_OF(i32, int32_t, uint32_t, AT_LEAST_OF_INTEGERS) CHOICES_OF(ui32, uint32_t, uint32_t, AT_LEAST_OF_INTEGERS)
    ROTATE_XOR(ui32, uint32_t, 0) ROTATE_XOR(ui32, uint32_t, 1)
    ROTATE_XOR(ui64, uint64_t, 0) ROTATE_XOR(ui64, uint64_t, 1)
    PAIR_OF("add", "add", ui32, uint32_t, Add, Add, 0, 0, sweep_swapped_pair)
    PAIR_OF("add", "add", ui32, uint32_t, Add, Add, 1, 0, sweep_swapped_pair)
    // clang-format on
};

} // namespace
} // namespace hlokit::vm
