// Reductions of rows, which fused programs have. Part of kernels.cpp, with internal linkage: see support/variants.h.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/elements/arithmetic.h"
#include "kernels/elements/scalars.h"
#include "support/compiler.h"
#include "vm/pointwise/kernels.h"
#include "vm/type_lists.h"

namespace hlokit::vm {
namespace {

// Values accumulate in this many lanes, which are then reduced as a tree: vectors compute the lanes, and the division
// of a row into pieces does not change the result, since all pieces but the last are multiples of the number of lanes.
constexpr size_t lane_count = reduction_lanes;

// How values of a type accumulate: sums and products of narrower floats in f64, rounded once at the end.
template <class T> struct AsItself {
  using Total = T;
  static T in(T value) { return value; }
  static T out(T value) { return value; }
};
struct F32InF64 {
  using Total = double;
  static double in(float value) { return static_cast<double>(value); }
  static float out(double value) { return static_cast<float>(value); }
};
template <class T, class Wide> struct NarrowIn {
  using Total = Wide;
  static Wide in(T value) { return static_cast<Wide>(widen(value)); }
  static T out(Wide value) { return rounded_to<T>(value); }
};

template <class Total> HLOKIT_NOINLINE void fill_lanes(void *lanes, const void *first) {
  Total value;
  memcpy(&value, first, sizeof value);
  auto *totals = static_cast<Total *>(lanes);
  for (size_t i = 0; i < lane_count; ++i)
    totals[i] = value;
}

// Reduces rows of T by Op, accumulating in Accumulation::Total. `first` is the neutral element.
template <class T, class Op, class Accumulation> struct RowReduction {
  using Total = typename Accumulation::Total;

  static void start(void *lanes, const void *first) { fill_lanes<Total>(lanes, first); }

  static void sweep(void *lanes, const void *values, size_t count) {
    auto *HLOKIT_RESTRICT totals = static_cast<Total *>(lanes);
    auto *from = static_cast<const T *>(values);
    for (; count >= lane_count; count -= lane_count, from += lane_count) {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < lane_count; ++i)
        totals[i] = Op::of(totals[i], Accumulation::in(from[i]));
    }
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < count; ++i)
      totals[i] = Op::of(totals[i], Accumulation::in(from[i]));
  }

  static void finish(void *to, void *lanes, const void *init) {
    auto *totals = static_cast<Total *>(lanes);
    HLOKIT_ROLLED
    for (size_t half = lane_count / 2; half > 0; half /= 2) {
      HLOKIT_ROLLED
      for (size_t i = 0; i < half; ++i)
        totals[i] = Op::of(totals[i], totals[i + half]);
    }
    static_cast<T *>(to)[0] = Accumulation::out(Op::of(Accumulation::in(static_cast<const T *>(init)[0]), totals[0]));
  }
};

// Sums and products of floats, in the order of kernels/elements/order_of_sums.h: lanes are added up after each block, and sums of blocks
// wait behind the lanes until their neighbour is there.
template <class T, class Op, class Accumulation> struct Sum {
  using Lanes = RowReduction<T, Op, Accumulation>;
  using Total = typename Accumulation::Total;
  static_assert(sizeof(Total) == 8, "the state of a reduction has words of eight bytes");

  struct State {
    Total lanes[lane_count], blocks[reduction_levels], first;
    uint64_t count; // of values so far
  };
  static_assert(sizeof(State) == 8 * reduction_words, "the engine reserves this much");

  static void start(void *state, const void *first) {
    auto &here = *static_cast<State *>(state);
    Lanes::start(here.lanes, first);
    memcpy(&here.first, first, sizeof here.first);
    here.count = 0;
  }

  static void sweep(void *state, const void *values, size_t count) {
    auto &here = *static_cast<State *>(state);
    auto *from = static_cast<const T *>(values);
    while (count > 0) {
      const size_t left = reduction_block - here.count % reduction_block, taken = count < left ? count : left;
      Lanes::sweep(here.lanes, from, taken);
      here.count += taken;
      from += taken;
      count -= taken;
      if (taken == left) {
        Total total = of_lanes(here);
        size_t level = 0;
        for (uint64_t blocks = here.count / reduction_block - 1; blocks & 1; blocks >>= 1)
          total = Op::of(here.blocks[level++], total);
        here.blocks[level] = total;
        Lanes::start(here.lanes, &here.first);
      }
    }
  }

  static void finish(void *to, void *state, const void *init) {
    auto &here = *static_cast<State *>(state);
    bool is_first = here.count % reduction_block == 0 && here.count > 0;
    Total total = is_first ? here.first : of_lanes(here);
    size_t level = 0;
    for (uint64_t blocks = here.count / reduction_block; blocks > 0; blocks >>= 1, ++level)
      if (blocks & 1) {
        total = is_first ? here.blocks[level] : Op::of(here.blocks[level], total);
        is_first = false;
      }
    static_cast<T *>(to)[0] = Accumulation::out(Op::of(Accumulation::in(static_cast<const T *>(init)[0]), total));
  }

private:
  static HLOKIT_NOINLINE Total of_lanes(State &here) {
    HLOKIT_ROLLED
    for (size_t half = lane_count / 2; half > 0; half /= 2)
      for (size_t i = 0; i < half; ++i)
        here.lanes[i] = Op::of(here.lanes[i], here.lanes[i + half]);
    return here.lanes[0];
  }
};

template <class T> struct Highest {
  static constexpr T value = is_signed<T> ? static_cast<T>(all_bits<T> >> 1) : static_cast<T>(all_bits<T>);
};
template <class T> struct Lowest {
  static constexpr T value = is_signed<T> ? static_cast<T>(sign_bit<T>) : T(0);
};

// A neutral element as the bits of a total.
template <class T> uint64_t bits_of_total(T value) {
  uint64_t result = 0;
  memcpy(&result, &value, sizeof value);
  return result;
}

#define ROW_REDUCTION(name, type, Accumulation, first, ...)                                                   \
  {name, ElementType::type, bits_of_total<typename Accumulation::Total>(first), __VA_ARGS__::start,           \
   __VA_ARGS__::sweep, __VA_ARGS__::finish},
#define REDUCTION(name, type, T, Op, Accumulation, first)                                                     \
  ROW_REDUCTION(name, type, Accumulation, first, RowReduction<T, Op, Accumulation>)
#define SUM(name, type, T, Op, Accumulation, first)                                                           \
  ROW_REDUCTION(name, type, Accumulation, first, Sum<T, Op, Accumulation>)
// Operations that give the same bits with and without sign are reduced as operations on unsigned integers.
#define REDUCE_INTEGERS(type, T, unused)                                                                      \
  REDUCE_BITS("add", type, T, Add, 0)                                                                         \
  REDUCE_BITS("multiply", type, T, Multiply, 1)                                                               \
  REDUCTION("maximum", type, T, Maximum<T>, AsItself<T>, Lowest<T>::value)                                    \
  REDUCTION("minimum", type, T, Minimum<T>, AsItself<T>, Highest<T>::value)                                   \
  REDUCE_BITS("and", type, T, And, all_bits<T>)                                                               \
  REDUCE_BITS("or", type, T, Or, 0)                                                                           \
  REDUCE_BITS("xor", type, T, Xor, 0)
#define REDUCE_BITS(name, type, T, Op, first)                                                                 \
  REDUCTION(name, type, Bits<T>, Op<Bits<T>>, AsItself<Bits<T>>, (static_cast<Bits<T>>(first)))
// i1 is reduced as a byte.
#define REDUCE_BOOLS(name, Op, first) REDUCTION(name, i1, uint8_t, Op<uint8_t>, AsItself<uint8_t>, uint8_t(first))

#define REDUCE_NARROW(type, T)                                                                                       \
  SUM("add", type, T, Add<double>, T##InF64, -0.0)                                                         \
  SUM("multiply", type, T, Multiply<double>, T##InF64, 1.0)                                                \
  REDUCTION("maximum", type, T, Maximum<float>, T##InF32, -HUGE_VALF)                                      \
  REDUCTION("minimum", type, T, Minimum<float>, T##InF32, HUGE_VALF)
using BFloatInF64 = NarrowIn<BFloat, double>;
using BFloatInF32 = NarrowIn<BFloat, float>;
using HalfInF64 = NarrowIn<Half, double>;
using HalfInF32 = NarrowIn<Half, float>;

const Reduction reductions[] = {
    // clang-format off
    SUM("add", f32, float, Add<double>, F32InF64, -0.0)
    SUM("multiply", f32, float, Multiply<double>, F32InF64, 1.0)
    SUM("add", f64, double, Add<double>, AsItself<double>, -0.0)
    SUM("multiply", f64, double, Multiply<double>, AsItself<double>, 1.0)
    REDUCTION("maximum", f32, float, Maximum<float>, AsItself<float>, -HUGE_VALF)
    REDUCTION("minimum", f32, float, Minimum<float>, AsItself<float>, HUGE_VALF)
    REDUCTION("maximum", f64, double, Maximum<double>, AsItself<double>, -HUGE_VAL)
    REDUCTION("minimum", f64, double, Minimum<double>, AsItself<double>, HUGE_VAL)
    REDUCE_NARROW(bf16, BFloat) REDUCE_NARROW(f16, Half)
    REDUCE_BOOLS("add", Or, 0) REDUCE_BOOLS("or", Or, 0) REDUCE_BOOLS("maximum", Or, 0)
    REDUCE_BOOLS("multiply", And, 1) REDUCE_BOOLS("and", And, 1) REDUCE_BOOLS("minimum", And, 1)
    REDUCE_BOOLS("xor", Xor, 0)
    HLOKIT_INTEGER_TYPES(REDUCE_INTEGERS, )
    // clang-format on
};

} // namespace
} // namespace hlokit::vm
