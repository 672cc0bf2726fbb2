// What pointwise operations compute, of scalars and of blocks of elements.
//
// Everything is as the specification has it, bit for bit what the Python kernels give: integers wrap,
// x / 0 has all bits set, x % 0 is x, shifts by the width or more give 0 or the sign, floats are IEEE-754's
// and rounded once an operation. Only signs and payloads of NaNs are left open.
//
// This file is compiled once more for AVX2 (vm_kernels_avx2.cpp) and for AVX-512. Nothing here may therefore be
// shared between objects: all is internal, and nothing inline of the standard library is called.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "vm.h"
#include "vm_arithmetic.h"
#include "vm_functions.h"
#include "vm_pointwise.h"
#include "vm_powers.h"
#include "vm_types.h"

#ifndef HLOKIT_VM_OPERATIONS
#define HLOKIT_VM_OPERATIONS baseline_operations
#endif

namespace hlokit::vm {
namespace {

// How they are run --------------------------------------------------------------------------------------

template <class T> inline T load(const unsigned char *registers, uint32_t offset) {
  T value;
  memcpy(&value, registers + offset, sizeof value);
  return value;
}

template <class T> inline void store(unsigned char *registers, uint32_t offset, T value) {
  memcpy(registers + offset, &value, sizeof value);
}

template <class Op, class To, class A>
const Instruction *step1(const Instruction *at, unsigned char *registers) {
  store<To>(registers, at->to, Op::of(load<A>(registers, at->a)));
  return at[1].step(at + 1, registers);
}
template <class Op, class To, class A, class B>
const Instruction *step2(const Instruction *at, unsigned char *registers) {
  store<To>(registers, at->to, Op::of(load<A>(registers, at->a), load<B>(registers, at->b)));
  return at[1].step(at + 1, registers);
}
template <class Op, class To, class A, class B, class C>
const Instruction *step3(const Instruction *at, unsigned char *registers) {
  store<To>(registers, at->to,
            Op::of(load<A>(registers, at->a), load<B>(registers, at->b), load<C>(registers, at->c)));
  return at[1].step(at + 1, registers);
}

template <class Op, class To, class A>
void sweep1(void *to, const void *a, const void *, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i]);
}
template <class Op, class To, class A, class B>
void sweep2(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  auto *second = static_cast<const B *>(b);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i], second[i]);
}
template <class Op, class To, class A, class B, class C>
void sweep3(void *to, const void *a, const void *b, const void *c, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  auto *second = static_cast<const B *>(b);
  auto *third = static_cast<const C *>(c);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i], second[i], third[i]);
}

// Near angles first, all of them, then those that are far.
template <class Op, template <class, class> class As, class To, class A>
void sweep_angles(void *to, const void *a, const void *, const void *, size_t count) {
  sweep1<As<Near<Op>, A>, To, A>(to, a, nullptr, nullptr, count);
  auto *result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  bool any = false;
  for (size_t i = 0; i < count; ++i)
    any |= Op::is_far(widen(first[i]));
  for (size_t i = 0; any && i < count; ++i)
    if (Op::is_far(widen(first[i])))
      result[i] = As<Op, A>::of(first[i]);
}

// The same where some operands are one element for all.
template <class Op, class To, class A, class B>
void sweep2_first(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  const A first = *static_cast<const A *>(a);
  auto *second = static_cast<const B *>(b);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first, second[i]);
}
template <class Op, class To, class A, class B>
void sweep2_second(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  const B second = *static_cast<const B *>(b);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i], second);
}
template <class Op, class To, class A, class B, class C>
void sweep3_outer(void *to, const void *a, const void *b, const void *c, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  const A first = *static_cast<const A *>(a);
  auto *second = static_cast<const B *>(b);
  const C third = *static_cast<const C *>(c);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first, second[i], third);
}
// Clamp between two values. The usual ones leave nothing to decide about zeros: a comparison each.
template <class T> void clamp_between(void *to, const void *a, const void *b, const void *c, size_t count) {
  const T least = *static_cast<const T *>(a), most = *static_cast<const T *>(c);
  const Bits<T> negative_zero = sign_bit<T>;
  if (least != least || most != most || bits_of<Bits<T>>(least) == negative_zero || bits_of<Bits<T>>(most) == 0)
    return sweep3_outer<Clamp<T>, T, T, T, T>(to, a, b, c, count);
  auto *HLOKIT_RESTRICT result = static_cast<T *>(to);
  auto *operand = static_cast<const T *>(b);
  for (size_t i = 0; i < count; ++i) {
    const T above = operand[i] <= least ? least : operand[i];
    result[i] = above >= most ? most : above;
  }
}

template <class Op, class To, class A, class B, class C>
void sweep3_last(void *to, const void *a, const void *b, const void *c, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<To *>(to);
  auto *first = static_cast<const A *>(a);
  const B second = *static_cast<const B *>(b);
  const C third = *static_cast<const C *>(c);
  for (size_t i = 0; i < count; ++i)
    result[i] = Op::of(first[i], second, third);
}

// Types that large arrays seldom have go without.
template <class T> constexpr bool has_variants = sizeof(T) >= 4 || std::is_same_v<T, BFloat>;

template <class Op, class To, class A> constexpr Variant first_is_one() {
  if constexpr (has_variants<A>)
    return {1, sweep2_first<Op, To, A, A>};
  else
    return {};
}
template <class Op, class To, class A> constexpr Variant second_is_one() {
  if constexpr (has_variants<A>)
    return {2, sweep2_second<Op, To, A, A>};
  else
    return {};
}
template <class Op, class T> constexpr Variant outer_are_one() {
  if constexpr (has_variants<T>)
    return {5, sweep3_outer<Op, T, T, T, T>};
  else
    return {};
}
template <class Op, class A, class T> constexpr Variant last_are_one() {
  if constexpr (has_variants<T>)
    return {6, sweep3_last<Op, T, A, T, T>};
  else
    return {};
}

// The table ---------------------------------------------------------------------------------------------

#define ROW1(name, Op, to, To, a, A)                                                                           \
  {name, Type::to, {Type::a}, 1, step1<Op, To, A>, sweep1<Op, To, A>},
#define ROW2(name, Op, to, To, a, A)                                                                           \
  {name, Type::to, {Type::a, Type::a}, 2, step2<Op, To, A, A>, sweep2<Op, To, A, A>, 1,                        \
   {first_is_one<Op, To, A>(), second_is_one<Op, To, A>()}},
#define ROW3(name, Op, to, To, a, A)                                                                           \
  {name, Type::to, {Type::a, Type::a, Type::a}, 3, step3<Op, To, A, A, A>, sweep3<Op, To, A, A, A>, 1,         \
   {outer_are_one<Op, A>(), last_are_one<Op, A, A>()}},

// A function that is computed in f64: of f32 and bf16, and what an f32 is rounded from.
#define AS(name, Op, As, sweep, to, To, a, A) {name, Type::to, {Type::a}, 1, step1<As<Op, A>, To, A>, sweep, 16},
#define FUNCTION_AS(name, Op, As, to, To, a, A) AS(name, Op, As, (sweep1<As<Op, A>, To, A>), to, To, a, A)
#define ANGLES_AS(name, Op, As, to, To, a, A) AS(name, Op, As, (sweep_angles<Op, As, To, A>), to, To, a, A)
#define FOR_FLOATS(M, name, Op)                                                                                \
  M(name, Op, Rounded, f32, float, f32, float)                                                                 \
  M(name, Op, Rounded, bf16, BFloat, bf16, BFloat)                                                             \
  M(name, Op, Unrounded, f64, double, f32, float)
#define FUNCTION2_AS(name, Op, As, to, To, a, A)                                                                \
  {name, Type::to, {Type::a, Type::a}, 2, step2<As<Op, A>, To, A, A>, sweep2<As<Op, A>, To, A, A>, 16},
#define FUNCTION2(name, Op) FOR_FLOATS(FUNCTION2_AS, name, Op)
#define FUNCTION(name, Op) FOR_FLOATS(FUNCTION_AS, name, Op)
#define FUNCTION_OF_ANGLES(name, Op) FOR_FLOATS(ANGLES_AS, name, Op)

#define SIGNED_TYPES(M, ...)                                                                                   \
  M(i8, int8_t, __VA_ARGS__) M(i16, int16_t, __VA_ARGS__) M(i32, int32_t, __VA_ARGS__) M(i64, int64_t, __VA_ARGS__)
#define UNSIGNED_TYPES(M, ...)                                                                                 \
  M(ui8, uint8_t, __VA_ARGS__) M(ui16, uint16_t, __VA_ARGS__) M(ui32, uint32_t, __VA_ARGS__)                   \
  M(ui64, uint64_t, __VA_ARGS__)
#define INTEGER_TYPES(M, ...) SIGNED_TYPES(M, __VA_ARGS__) UNSIGNED_TYPES(M, __VA_ARGS__)
#define FLOAT_TYPES(M, ...) M(f32, float, __VA_ARGS__) M(f64, double, __VA_ARGS__)
#define NUMBER_TYPES(M, ...) INTEGER_TYPES(M, __VA_ARGS__) FLOAT_TYPES(M, __VA_ARGS__)

#define SAME1(type, T, name, Op) ROW1(name, Op<T>, type, T, type, T)
#define SAME2(type, T, name, Op) ROW2(name, Op<T>, type, T, type, T)
#define SAME3(type, T, name, Op) ROW3(name, Op<T>, type, T, type, T)
// Those that no processor has vectors for.
#define SLOW2(type, T, name, Op)                                                                               \
  {name, Type::type, {Type::type, Type::type}, 2, step2<Op<T>, T, T, T>, sweep2<Op<T>, T, T, T>, 16},
#define TO_BOOL1(type, T, name, Op) ROW1(name, Op<T>, i1, Bool, type, T)
#define TO_BOOL2(type, T, name, Op) ROW2(name, Op<T>, i1, Bool, type, T)

#define OF_NUMBERS1(name, Op) NUMBER_TYPES(SAME1, name, Op) ROW1(name, InF32<Op>, bf16, BFloat, bf16, BFloat)
#define OF_NUMBERS2(name, Op) NUMBER_TYPES(SAME2, name, Op) ROW2(name, InF32<Op>, bf16, BFloat, bf16, BFloat)
#define OF_FLOATS1(name, Op) FLOAT_TYPES(SAME1, name, Op) ROW1(name, InF32<Op>, bf16, BFloat, bf16, BFloat)
#define OF_BITS1(name, Op) INTEGER_TYPES(SAME1, name, Op)
#define OF_BITS2(name, Op) INTEGER_TYPES(SAME2, name, Op)
#define OF_BOOLS1(name, Op) ROW1(name, OfBool<Op>, i1, Bool, i1, Bool)
#define OF_BOOLS2(name, Op) ROW2(name, OfBool<Op>, i1, Bool, i1, Bool)
#define COMPARE(name, Op)                                                                                      \
  NUMBER_TYPES(TO_BOOL2, name, Op)                                                                             \
  TO_BOOL2(i1, Bool, name, Op) TO_BOOL2(bf16, BFloat, name, Op)

#define COMPARE_TOTALLY(name, Op)                                                                              \
  ROW2(name, TotalOrder<Op>, i1, Bool, f32, float)                                                             \
  ROW2(name, TotalOrder<Op>, i1, Bool, f64, double)                                                            \
  ROW2(name, TotalOrder<Op>, i1, Bool, bf16, BFloat)

#define CLAMP(type, T, unused)                                                                                 \
  {"clamp", Type::type, {Type::type, Type::type, Type::type}, 3, step3<Clamp<T>, T, T, T, T>,                  \
   sweep3<Clamp<T>, T, T, T, T>, 1, {{5, clamp_between<T>}, last_are_one<Clamp<T>, T, T>()}},

#define SELECT(type, T, name)                                                                                  \
  {name,                                                                                                       \
   Type::type,                                                                                                 \
   {Type::i1, Type::type, Type::type},                                                                         \
   3,                                                                                                          \
   step3<Select<T>, T, Bool, T, T>,                                                                            \
   sweep3<Select<T>, T, Bool, T, T>,                                                                           \
   1,                                                                                                          \
   {last_are_one<Select<T>, Bool, T>()}},

#define CONVERT(to, To, a, A)                                                                                  \
  {"convert", Type::to, {Type::a}, 1, step1<Convert<To, A>, To, A>, sweep1<Convert<To, A>, To, A>},
#define CONVERT_ALL(to, To, unused)                                                                            \
  CONVERT(to, To, i1, Bool)                                                                                    \
  CONVERT(to, To, i8, int8_t)                                                                                  \
  CONVERT(to, To, i16, int16_t)                                                                                \
  CONVERT(to, To, i32, int32_t)                                                                                \
  CONVERT(to, To, i64, int64_t)                                                                                \
  CONVERT(to, To, ui8, uint8_t)                                                                                \
  CONVERT(to, To, ui16, uint16_t)                                                                              \
  CONVERT(to, To, ui32, uint32_t)                                                                              \
  CONVERT(to, To, ui64, uint64_t)                                                                              \
  CONVERT(to, To, f32, float)                                                                                  \
  CONVERT(to, To, f64, double)                                                                                 \
  CONVERT(to, To, bf16, BFloat)

#define CAST(a, A, b, B)                                                                                       \
  {"bitcast_convert", Type::b, {Type::a}, 1, step1<Bitcast<B, A>, B, A>, sweep1<Bitcast<B, A>, B, A>},
#define CASTS(a, A, b, B) CAST(a, A, b, B) CAST(b, B, a, A)

const Operation table[] = {
    // clang-format off
    OF_NUMBERS2("add", Add) OF_BOOLS2("add", Or)
    OF_NUMBERS2("subtract", Subtract)
    OF_NUMBERS2("multiply", Multiply) OF_BOOLS2("multiply", And)
    INTEGER_TYPES(SLOW2, "divide", Divide) FLOAT_TYPES(SAME2, "divide", Divide)
    ROW2("divide", InF32<Divide>, bf16, BFloat, bf16, BFloat)
    NUMBER_TYPES(SLOW2, "remainder", Remainder) ROW2("remainder", InF32<Remainder>, bf16, BFloat, bf16, BFloat)
    SIGNED_TYPES(SLOW2, "floor_divide", FloorDivide) SIGNED_TYPES(SLOW2, "floor_remainder", FloorRemainder)
    OF_NUMBERS2("maximum", Maximum) OF_BOOLS2("maximum", Or)
    OF_NUMBERS2("minimum", Minimum) OF_BOOLS2("minimum", And)
    OF_NUMBERS1("negate", Negate)
    OF_NUMBERS1("abs", Absolute)
    OF_NUMBERS1("sign", Sign)
    OF_FLOATS1("floor", Floor)
    OF_FLOATS1("ceil", Ceil)
    OF_FLOATS1("round_nearest_even", RoundEven)
    OF_FLOATS1("round_nearest_afz", RoundAway)
    OF_FLOATS1("sqrt", SquareRoot)
    FLOAT_TYPES(TO_BOOL1, "is_finite", IsFinite)
    ROW1("is_finite", IsFiniteBFloat, i1, Bool, bf16, BFloat)
    INTEGER_TYPES(SAME3, "clamp", Clamp) FLOAT_TYPES(CLAMP, )
    ROW3("clamp", ClampBool, i1, Bool, i1, Bool)
    ROW3("clamp", InF32<Clamp>, bf16, BFloat, bf16, BFloat)

    FUNCTION("exponential", Exp) FUNCTION("exponential_minus_one", ExpMinusOne)
    FUNCTION("log", Log) FUNCTION("log_plus_one", LogPlusOne)
    FUNCTION("tanh", Tanh) FUNCTION("logistic", Logistic)
    FUNCTION_OF_ANGLES("sine", Sine) FUNCTION_OF_ANGLES("cosine", Cosine) FUNCTION_OF_ANGLES("tan", Tangent)
    FUNCTION("rsqrt", ReciprocalRoot) FUNCTION("cbrt", CubeRoot)
    FUNCTION2("power", Power) FUNCTION2("atan2", ArcTangent2)
    FUNCTION("atan", ArcTangent) FUNCTION("asin", ArcSine) FUNCTION("acos", ArcCosine)
    FUNCTION("sinh", HyperbolicSine) FUNCTION("cosh", HyperbolicCosine)
    FUNCTION("asinh", AreaHyperbolicSine) FUNCTION("acosh", AreaHyperbolicCosine)
    FUNCTION("atanh", AreaHyperbolicTangent)
    FUNCTION("erf", Erf) FUNCTION("erfc", Erfc) FUNCTION("erf_inv", ErfInverse)

    OF_BITS2("and", And) OF_BOOLS2("and", And)
    OF_BITS2("or", Or) OF_BOOLS2("or", Or)
    OF_BITS2("xor", Xor) OF_BOOLS2("xor", Xor)
    OF_BITS1("not", Not) OF_BOOLS1("not", Not)
    OF_BITS2("shift_left", ShiftLeft)
    OF_BITS2("shift_right_logical", ShiftRightLogical)
    OF_BITS2("shift_right_arithmetic", ShiftRightArithmetic)
    ROW3("rotate", Rotate<uint32_t>, ui32, uint32_t, ui32, uint32_t)
    ROW3("rotate", Rotate<uint64_t>, ui64, uint64_t, ui64, uint64_t)
    OF_BITS1("popcnt", PopulationCount)
    OF_BITS1("count_leading_zeros", CountLeadingZeros)

    COMPARE("EQ", Equal) COMPARE("NE", NotEqual) COMPARE("LT", Less)
    COMPARE("LE", LessEqual) COMPARE("GT", Greater) COMPARE("GE", GreaterEqual)
    COMPARE_TOTALLY("TOTALORDER EQ", Equal) COMPARE_TOTALLY("TOTALORDER NE", NotEqual)
    COMPARE_TOTALLY("TOTALORDER LT", Less) COMPARE_TOTALLY("TOTALORDER LE", LessEqual)
    COMPARE_TOTALLY("TOTALORDER GT", Greater) COMPARE_TOTALLY("TOTALORDER GE", GreaterEqual)

    SELECT(i1, Bool, "select") SELECT(bf16, BFloat, "select") NUMBER_TYPES(SELECT, "select")

    CONVERT_ALL(i1, Bool, ) NUMBER_TYPES(CONVERT_ALL, )
    CONVERT(bf16, BFloat, f32, float) CONVERT(bf16, BFloat, f64, double) CONVERT(bf16, BFloat, i1, Bool)
    CONVERT(bf16, BFloat, i8, int8_t) CONVERT(bf16, BFloat, i16, int16_t) CONVERT(bf16, BFloat, i32, int32_t)
    CONVERT(bf16, BFloat, ui8, uint8_t) CONVERT(bf16, BFloat, ui16, uint16_t)
    CONVERT(bf16, BFloat, ui32, uint32_t)
    {"convert", Type::bf16, {Type::bf16}, 1, step1<Bitcast<BFloat, BFloat>, BFloat, BFloat>,
     sweep1<Bitcast<BFloat, BFloat>, BFloat, BFloat>},

    CASTS(i8, int8_t, ui8, uint8_t) CASTS(i16, int16_t, ui16, uint16_t) CASTS(i32, int32_t, ui32, uint32_t)
    CASTS(i64, int64_t, ui64, uint64_t) CASTS(i32, int32_t, f32, float) CASTS(ui32, uint32_t, f32, float)
    CASTS(i64, int64_t, f64, double) CASTS(ui64, uint64_t, f64, double)
    CASTS(i16, int16_t, bf16, BFloat) CASTS(ui16, uint16_t, bf16, BFloat)
    // clang-format on
};

#include "vm_rows.h"

} // namespace

Operations HLOKIT_VM_OPERATIONS() {
  return {table,
          sizeof table / sizeof *table,
          pairs,
          sizeof pairs / sizeof *pairs,
          reductions,
          sizeof reductions / sizeof *reductions};
}

} // namespace hlokit::vm
