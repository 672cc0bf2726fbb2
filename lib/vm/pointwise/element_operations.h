// Pointwise operations on one element. Part of kernels.cpp and complex.cpp, with internal linkage.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "kernels/elements/arithmetic.h"
#include "kernels/elements/scalars.h"

namespace hlokit::vm {
namespace {

// The number that a value stands for.
template <class T> inline T value_of(T a) { return a; }
inline uint8_t value_of(Bool a) { return a.value; }
inline float value_of(BFloat a) { return widen(a); }
inline float value_of(Half a) { return widen(a); }

// Arithmetic ------------------------------------------------------------------------------------------

template <class T> struct Subtract {
  static T of(T a, T b) {
    if constexpr (is_float<T>)
      return a - b;
    else
      return static_cast<T>(wide(a) - wide(b));
  }
};
template <class T> struct Divide {
  static T of(T a, T b) {
    if constexpr (is_float<T>)
      return a / b;
    else if (b == 0)
      return static_cast<T>(all_bits<T>);
    else if constexpr (is_signed<T>)
      return b == -1 ? static_cast<T>(0 - wide(a)) : static_cast<T>(a / b);
    else
      return static_cast<T>(a / b);
  }
};
template <class T> struct Remainder {
  static T of(T a, T b) {
    if constexpr (std::is_same_v<T, float>)
      return of_floats(a, b);
    else if constexpr (is_float<T>)
      return fmod(a, b);
    else if (b == 0)
      return a;
    else if constexpr (is_signed<T>)
      return b == -1 ? T(0) : static_cast<T>(a % b);
    else
      return static_cast<T>(a % b);
  }
  // The product of some 29 bits and 24 bits is exact in f64. The quotient may have been rounded up to an integer.
  static float of_floats(float a, float b) {
    const double size = fabsf(a), divisor = fabsf(b), quotient = size / divisor;
    if (!(quotient < 0x1p29 && divisor < HUGE_VAL))
      return fmodf(a, b);
    const double rest = size - static_cast<double>(static_cast<int32_t>(quotient)) * divisor;
    return copysignf(static_cast<float>(rest < 0 ? rest + divisor : rest), a);
  }
};
// Quotients and remainders of integers of up to 32 bits in f64, whose division has vector instructions: no quotient is so
// close below an integer that it is rounded up to it.
template <class T> struct DivideInF64 {
  static T of(T a, T b) {
    using Whole = std::conditional_t<is_signed<T> || sizeof(T) < 4, int32_t, uint32_t>;
    const bool is_zero = b == 0, is_minus_one = is_signed<T> && b == static_cast<T>(-1);
    const double quotient = static_cast<double>(a) / (is_zero || is_minus_one ? 1.0 : static_cast<double>(b));
    const T whole = static_cast<T>(static_cast<Whole>(quotient));
    const T result = is_minus_one ? static_cast<T>(0 - wide(whole)) : whole;
    return is_zero ? static_cast<T>(all_bits<T>) : result;
  }
};
template <class T> struct RemainderInF64 {
  static T of(T a, T b) {
    const T rest = static_cast<T>(wide(a) - wide(DivideInF64<T>::of(a, b)) * wide(b));
    return b == 0 ? a : rest;
  }
};
// The remainder and the quotient, corrected to round down.
template <class T, class Rest> struct FloorRemainderBy {
  static T of(T a, T b) {
    T result = Rest::of(a, b);
    return result != 0 && (result < 0) != (b < 0) ? static_cast<T>(wide(result) + wide(b)) : result;
  }
};
template <class T> struct FloorRemainder : FloorRemainderBy<T, Remainder<T>> {};
// An index that counts from the end if it is negative.
template <class T> struct NormalizeIndex {
  static T of(T index, T size) { return static_cast<T>(wide(index) + (index < 0 ? wide(size) : 0)); }
};
template <class T, class Quotient, class Rest> struct FloorDivideBy {
  static T of(T a, T b) {
    bool is_apart = ((a > 0) - (a < 0)) != ((b > 0) - (b < 0));
    T result = Quotient::of(a, b);
    return is_apart && Rest::of(a, b) != 0 ? static_cast<T>(wide(result) - 1) : result;
  }
};
template <class T> struct FloorDivide : FloorDivideBy<T, Divide<T>, Remainder<T>> {};
template <class T> struct Negate {
  static T of(T a) {
    if constexpr (is_float<T>)
      return -a;
    else
      return static_cast<T>(0 - wide(a));
  }
};
template <class T> struct Absolute {
  static T of(T a) {
    if constexpr (is_float<T>)
      return bits_of<T>(static_cast<Bits<T>>(bits_of<Bits<T>>(a) & ~sign_bit<T>));
    else if constexpr (is_signed<T>)
      return a < 0 ? static_cast<T>(0 - wide(a)) : a;
    else
      return a;
  }
};
template <class T> struct Square {
  static T of(T a) { return a * a; }
};
// The sign from the bits of a float.
template <class T> struct ClearSign {
  static T of(T a) { return static_cast<T>(a & static_cast<T>(all_bits<T> >> 1)); }
};
template <class T> struct FlipSign {
  static T of(T a) { return static_cast<T>(a ^ (all_bits<T> ^ static_cast<T>(all_bits<T> >> 1))); }
};
// Zeros and NaNs are their own sign.
template <class T> struct Sign {
  static T of(T a) {
    if constexpr (is_float<T>) {
      T result = a > 0 ? T(1) : a;
      return a < 0 ? T(-1) : result;
    } else {
      return static_cast<T>((a > 0) - (a < 0));
    }
  }
};
template <class T> struct Floor {
  static T of(T a) {
    if constexpr (sizeof(T) == 4)
      return floorf(a);
    else
      return floor(a);
  }
};
template <class T> struct Ceil {
  static T of(T a) {
    if constexpr (sizeof(T) == 4)
      return ceilf(a);
    else
      return ceil(a);
  }
};
template <class T> struct RoundEven {
  static T of(T a) {
    if constexpr (sizeof(T) == 4)
      return rintf(a);
    else
      return rint(a);
  }
};
// Adds the number next below one half, so that the sum never rounds up to the next integer.
template <class T> struct RoundAway {
  static T of(T a) {
    if constexpr (sizeof(T) == 4)
      return truncf(a + copysignf(0x1.fffffep-2f, a));
    else
      return trunc(a + copysign(0x1.fffffffffffffp-2, a));
  }
};
template <class T> struct SquareRoot {
  static T of(T a) {
    if constexpr (sizeof(T) == 4)
      return sqrtf(a);
    else
      return sqrt(a);
  }
};
// The number next to `a` in the direction of `b`: its bits as sign and magnitude, plus or minus one.
template <class T> struct NextAfter {
  static T of(T a, T b) {
    using Word = Bits<T>;
    constexpr Word most = static_cast<Word>(all_bits<T> >> 1), sign = static_cast<Word>(most + 1u);
    const auto x = value_of(a), y = value_of(b);
    const Word bits = bits_of<Word>(a);
    const bool is_upward = y > x, is_negative = (bits & sign) != 0, is_zero = (bits & most) == 0;
    const Word next = static_cast<Word>(is_upward != is_negative ? bits + 1u : bits - 1u);
    const Word least = static_cast<Word>(is_upward ? 1u : sign | 1u);
    const T moved = bits_of<T>(is_zero ? least : next);
    return x != x ? a : y != y || x == y ? b : moved;
  }
};
// `a` (1 + b) or `a` (1 - b), as the bits of both decide; `a` if that is not finite. A small `b` changes `a` as another
// rounding might.
template <class T> struct Disturb {
  static T of(T a, T b) {
    using Word = Bits<T>;
    constexpr Word mixer = static_cast<Word>(0x9E3779B97F4A7C15u), sign = static_cast<Word>(~(all_bits<T> >> 1));
    Word mixed = (bits_of<Word>(a) ^ bits_of<Word>(b) * mixer) * mixer;
    mixed = (mixed ^ mixed >> (4 * sizeof(T))) * mixer;
    const T moved = a * (1 + bits_of<T>(bits_of<Word>(b) ^ (mixed & sign)));
    return moved - moved == 0 ? moved : a;
  }
};
template <class T> struct IsFinite {
  static Bool of(T a) { return {static_cast<uint8_t>(a - a == 0)}; }
};
template <class T> struct Clamp {
  static T of(T least, T a, T most) { return Minimum<T>::of(Maximum<T>::of(a, least), most); }
};

// Bits ------------------------------------------------------------------------------------------------

template <class T> struct Not {
  static T of(T a) { return static_cast<T>(~wide(a)); }
};
// Amounts of shifts are unsigned. Where the amount is out of range, the operand is shifted by 0 and the result replaced.
template <class T> struct ShiftLeft {
  static T of(T a, T b) {
    Bits<T> amount = static_cast<Bits<T>>(b);
    bool inside = amount < width<T>;
    return static_cast<T>(inside ? wide(a) << (inside ? amount : 0) : 0);
  }
};
template <class T> struct ShiftRightLogical {
  static T of(T a, T b) {
    Bits<T> amount = static_cast<Bits<T>>(b);
    bool inside = amount < width<T>;
    return static_cast<T>(inside ? wide(static_cast<Bits<T>>(a)) >> (inside ? amount : 0) : 0);
  }
};
template <class T> struct ShiftRightArithmetic {
  static T of(T a, T b) {
    Bits<T> amount = static_cast<Bits<T>>(b);
    using Signed = std::make_signed_t<T>;
    return static_cast<T>(static_cast<Signed>(a) >> (amount < width<T> ? amount : width<T> - 1));
  }
};
// (a << b) | (a >> c)
template <class T> struct Rotate {
  static T of(T a, T b, T c) {
    return static_cast<T>(wide(ShiftLeft<T>::of(a, b)) | wide(ShiftRightLogical<T>::of(a, c)));
  }
};
template <class T> struct PopulationCount {
  static T of(T a) {
    Bits<T> bits = static_cast<Bits<T>>(a);
    bits = static_cast<Bits<T>>(bits - ((bits >> 1) & (all_bits<T> / 3)));
    bits = static_cast<Bits<T>>((bits & (all_bits<T> / 5)) + ((bits >> 2) & (all_bits<T> / 5)));
    bits = static_cast<Bits<T>>((bits + (bits >> 4)) & (all_bits<T> / 17));
    return static_cast<T>(static_cast<Bits<T>>(wide(bits) * (all_bits<T> / 255)) >> (width<T> - 8));
  }
};
template <class T> struct CountLeadingZeros {
  static T of(T a) {
    Bits<T> bits = static_cast<Bits<T>>(a);
    HLOKIT_UNROLL
    for (int step = 1; step < width<T>; step *= 2)
      bits = static_cast<Bits<T>>(bits | (bits >> step));
    return PopulationCount<T>::of(static_cast<T>(~wide(bits)));
  }
};

// i1 is computed as a byte.
template <template <class> class Op> struct OfBool {
  static Bool of(Bool a) { return {static_cast<uint8_t>(Op<uint8_t>::of(a.value) & 1)}; }
  static Bool of(Bool a, Bool b) { return {static_cast<uint8_t>(Op<uint8_t>::of(a.value, b.value) & 1)}; }
};
struct ClampBool {
  static Bool of(Bool least, Bool a, Bool most) {
    return {static_cast<uint8_t>((a.value | least.value) & most.value)};
  }
};

// bf16 and f16 are computed in f32 and rounded. Since f32 has more than twice as many bits, the result is as if rounded once.
template <template <class> class Op, class T> struct InF32 {
  static T of(T a) { return rounded_to<T>(Op<float>::of(widen(a))); }
  static T of(T a, T b) { return rounded_to<T>(Op<float>::of(widen(a), widen(b))); }
  static T of(T a, T b, T c) { return rounded_to<T>(Op<float>::of(widen(a), widen(b), widen(c))); }
};
template <class T> struct NarrowSign {
  static T of(T a) {
    constexpr uint16_t infinity = std::is_same_v<T, Half> ? 0x7c00 : 0x7f80, one = std::is_same_v<T, Half> ? 0x3c00 : 0x3f80;
    const uint16_t bits = bits_of<uint16_t>(a), sign = bits & 0x8000, magnitude = bits & 0x7fff;
    const bool is_number = magnitude != 0 && magnitude <= infinity;
    return bits_of<T>(static_cast<uint16_t>(is_number ? sign | one : bits)); // zeros and NaNs stay
  }
};
template <class T> struct IsFiniteNarrow {
  static Bool of(T a) { return IsFinite<float>::of(widen(a)); }
};

// Comparisons and choice --------------------------------------------------------------------------------

#define HLOKIT_COMPARISON(Name, OPERATOR)                                                                      \
  template <class T> struct Name {                                                                             \
    static Bool of(T a, T b) { return {static_cast<uint8_t>(value_of(a) OPERATOR value_of(b))}; }              \
  };
HLOKIT_COMPARISON(Equal, ==)
HLOKIT_COMPARISON(NotEqual, !=)
HLOKIT_COMPARISON(Less, <)
HLOKIT_COMPARISON(LessEqual, <=)
HLOKIT_COMPARISON(Greater, >)
HLOKIT_COMPARISON(GreaterEqual, >=)

// Bits as sign and magnitude: -0 comes before +0, and NaNs come beyond the infinities.
template <class T> inline std::make_signed_t<Bits<T>> total_order(T a) {
  using Signed = std::make_signed_t<Bits<T>>;
  Signed bits = bits_of<Signed>(a);
  return static_cast<Signed>(bits ^ ((bits >> (width<T> - 1)) & static_cast<Signed>(all_bits<T> >> 1)));
}
template <template <class> class Op> struct TotalOrder {
  template <class T> static Bool of(T a, T b) {
    return Op<std::make_signed_t<Bits<T>>>::of(total_order(a), total_order(b));
  }
};

template <class T> struct Select {
  static T of(Bool pred, T a, T b) {
    Bits<T> x = bits_of<Bits<T>>(a), y = bits_of<Bits<T>>(b);
    return bits_of<T>(pred.value ? x : y);
  }
};

template <class To, class From> struct Bitcast {
  static To of(From a) { return bits_of<To>(a); }
};

// Whether f32 has all numbers of a type.
template <class Value> constexpr bool is_in_f32 = std::is_same_v<Value, float> || (std::is_integral_v<Value> && sizeof(Value) <= 2);

// A float beyond the range of an integer type saturates; NaN becomes 0.
template <class To, class From> struct Convert {
  static To of(From from) {
    auto a = value_of(from);
    using Value = decltype(a);
    if constexpr (std::is_same_v<To, Bool>) {
      return {static_cast<uint8_t>(a != 0)};
    } else if constexpr (std::is_same_v<To, BFloat>) {
      static_assert(is_float<Value> || sizeof(Value) < 8, "f64 does not hold them");
      if constexpr (is_in_f32<Value>)
        return narrow(static_cast<float>(a));
      else
        return narrow(static_cast<double>(a));
    } else if constexpr (std::is_same_v<To, Half>) { // integers that f64 rounds are infinite
      if constexpr (is_in_f32<Value>)
        return narrow_to_half(static_cast<float>(a));
      else
        return narrow_to_half(static_cast<double>(a));
    } else if constexpr (is_float<Value> && !is_float<To>) {
      constexpr To least = is_signed<To> ? static_cast<To>(sign_bit<To>) : To(0);
      constexpr To most = static_cast<To>(is_signed<To> ? all_bits<To> >> 1 : all_bits<To>);
      constexpr int digits = is_signed<To> ? width<To> - 1 : width<To>;
      // The first float above the range is 2**digits, which is exact. Floats below it truncate to `most` at most.
      constexpr Value beyond = Value(2) * static_cast<Value>(uint64_t(1) << (digits - 1));
      constexpr Value low = static_cast<Value>(least);
      bool inside = a >= low && a < beyond;
      To result = static_cast<To>(inside ? a : Value(0));
      result = a < low ? least : result;
      return a >= beyond ? most : result;
    } else {
      return static_cast<To>(a);
    }
  }
};

// Blocks ----------------------------------------------------------------------------------------------

// Makes NaNs canonical; in place if `to` is `from`: then only blocks that have NaNs are written.
template <class T> void make_canonical(T *to, const T *from, size_t count) {
  constexpr size_t block = 1024;
  for (size_t start = 0; start < count; start += block) {
    const size_t size = count - start < block ? count - start : block;
    const T *values = from + start;
    T *result = to + start;
    if (to != from) {
      HLOKIT_INDEPENDENT
      for (size_t i = 0; i < size; ++i)
        result[i] = CanonicalNan<T>::of(values[i]);
      continue;
    }
    Bits<T> found = 0;
    for (size_t i = 0; i < size; ++i)
      found |= value_of(values[i]) != value_of(values[i]) ? Bits<T>(1) : Bits<T>(0);
    for (size_t i = 0; found && i < size; ++i)
      result[i] = CanonicalNan<T>::of(result[i]);
  }
}

} // namespace
} // namespace hlokit::vm
