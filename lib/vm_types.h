// The types that kernels compute on, and their bits. For vm_kernels.cpp, and as internal as all of it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "inlining.h"

namespace hlokit::vm {
namespace {

// A type of its own, so that it is told from ui8 and ui16.
struct Bool {
  uint8_t value;
};
struct BFloat {
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

// Integers wrap: computed without a sign, and never in `int`, which narrow types are promoted to.
template <class T> using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T> inline Wide<T> wide(T value) { return static_cast<Wide<T>>(value); }

template <class T> constexpr Bits<T> sign_bit = static_cast<Bits<T>>(Bits<T>(1) << (width<T> - 1));
template <class T> constexpr Bits<T> all_bits = static_cast<Bits<T>>(~Bits<T>(0));

inline float widen(BFloat value) { return bits_of<float>(static_cast<uint32_t>(value.bits) << 16); }

inline BFloat narrow(float value) {
  uint32_t bits = bits_of<uint32_t>(value);
  uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  uint32_t nan = ((bits >> 16) & 0x8000) | 0x7FC0;
  return {static_cast<uint16_t>((bits & 0x7FFFFFFF) > 0x7F800000 ? nan : rounded)};
}

} // namespace
} // namespace hlokit::vm
