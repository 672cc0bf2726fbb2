// Elements as C++ values, and their bits. For files that are compiled several times (support/variants.h): everything
// here has internal linkage.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "support/compiler.h"

namespace hlokit {
namespace {

// A separate type, so that overloads distinguish i1 from ui8.
struct Bool {
  uint8_t value;
};
struct BFloat {
  uint16_t bits;
};
struct Half {
  uint16_t bits;
};

template <class To, class From> inline To bits_of(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  memcpy(&result, &value, sizeof result);
  return result;
}

template <size_t size> struct UnsignedOf;
template <> struct UnsignedOf<1> { using type = uint8_t; };
template <> struct UnsignedOf<2> { using type = uint16_t; };
template <> struct UnsignedOf<4> { using type = uint32_t; };
template <> struct UnsignedOf<8> { using type = uint64_t; };
template <class T> using Bits = typename UnsignedOf<sizeof(T)>::type;

template <class T> constexpr bool is_float = std::is_floating_point_v<T>;
template <class T> constexpr bool is_signed = std::is_signed_v<T>;
template <class T> constexpr int width = 8 * sizeof(T);

// Integers wrap, so arithmetic uses unsigned types, and never `int`, to which C++ promotes narrow types.
template <class T> using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T> inline Wide<T> wide(T value) { return static_cast<Wide<T>>(value); }

template <class T> constexpr Bits<T> sign_bit = static_cast<Bits<T>>(Bits<T>(1) << (width<T> - 1));
template <class T> constexpr Bits<T> all_bits = static_cast<Bits<T>>(~Bits<T>(0));

HLOKIT_INLINE float widen(float value) { return value; }

HLOKIT_INLINE float widen(BFloat value) { return bits_of<float>(static_cast<uint32_t>(value.bits) << 16); }

// The product moves the exponent from the bias of f16 to that of f32. It is exact, also for subnormal numbers. As on
// processors with instructions for it, NaNs become quiet and keep their sign and payload.
HLOKIT_INLINE float widen(Half value) {
  const uint32_t magnitude = value.bits & 0x7FFFu;
  uint32_t result = bits_of<uint32_t>(bits_of<float>(magnitude << 13) * bits_of<float>(uint32_t{0x77800000}));
  result = magnitude >= 0x7C00 ? 0x7F800000u | magnitude << 13 : result;
  result |= magnitude > 0x7C00 ? 0x00400000u : 0u;
  return bits_of<float>(result | (value.bits & 0x8000u) << 16);
}

// To the nearest bf16, ties to even. A NaN keeps only its sign.
HLOKIT_INLINE BFloat narrow(float value) {
  const uint32_t bits = bits_of<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  const uint32_t nan = ((bits >> 16) & 0x8000) | 0x7FC0;
  return {static_cast<uint16_t>((bits & 0x7FFFFFFF) > 0x7F800000 ? nan : rounded)};
}

// Rounding to odd: the f32 towards zero, with its last bit set if it is inexact. A second rounding to a narrower type
// then gives the same result as a single rounding.
HLOKIT_INLINE float rounded_to_odd(double value) {
  const float middle = static_cast<float>(value);
  const double rounded = middle;
  uint32_t bits = bits_of<uint32_t>(middle);
  bits -= fabs(rounded) > fabs(value);
  bits |= rounded != value;
  return bits_of<float>(bits);
}

// The nearest bf16 to an f64.
HLOKIT_INLINE BFloat narrow(double value) { return narrow(rounded_to_odd(value)); }

// To the nearest f16, ties to even. NaNs become quiet and keep their sign and the first bits of their
// payload, as on processors with instructions for it.
HLOKIT_INLINE Half narrow_to_half(float value) {
  const uint32_t bits = bits_of<uint32_t>(value), magnitude = bits & 0x7FFFFFFFu;
  const uint32_t normal = (magnitude - 0x38000000u + 0xFFFu + ((magnitude >> 13) & 1)) >> 13;
  // The last bit of 0.5 is the least subnormal number.
  const uint32_t subnormal = bits_of<uint32_t>(bits_of<float>(magnitude) + 0.5f) - 0x3F000000u;
  const uint32_t nan = 0x7E00u | ((magnitude >> 13) & 0x1FFu);
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x477FF000u ? 0x7C00u : result;
  result = magnitude > 0x7F800000u ? nan : result;
  return {static_cast<uint16_t>(result | (bits >> 16 & 0x8000u))};
}
HLOKIT_INLINE Half narrow_to_half(double value) { return narrow_to_half(rounded_to_odd(value)); }

// A result computed in f32 or f64 as an element, rounded once.
template <class T, class From> HLOKIT_INLINE T rounded_to(From value) {
  if constexpr (std::is_same_v<T, BFloat>)
    return narrow(value);
  else if constexpr (std::is_same_v<T, Half>)
    return narrow_to_half(value);
  else
    return static_cast<T>(value);
}

} // namespace
} // namespace hlokit
