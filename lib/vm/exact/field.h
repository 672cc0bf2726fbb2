// Arithmetic modulo the prime 2^61 - 1, on integers below the prime.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlokit::exact {

constexpr unsigned field_bits = 61;
constexpr uint64_t prime = (uint64_t(1) << field_bits) - 1;

// Any 64-bit integer modulo the prime.
constexpr uint64_t reduced(uint64_t number) {
  const uint64_t folded = (number & prime) + (number >> field_bits);
  return folded >= prime ? folded - prime : folded;
}

constexpr uint64_t sum(uint64_t lhs, uint64_t rhs) {
  const uint64_t total = lhs + rhs;
  return total >= prime ? total - prime : total;
}

constexpr uint64_t negative(uint64_t number) { return number == 0 ? 0 : prime - number; }

#ifdef __SIZEOF_INT128__
__extension__ using Wide = unsigned __int128;
// Pairs of products whose sum fits into a wide integer.
constexpr size_t wide_terms = 31;

constexpr uint64_t reduced(Wide number) {
  const auto low = static_cast<uint64_t>(number) & prime, middle = static_cast<uint64_t>(number >> field_bits) & prime;
  return reduced(low + middle + static_cast<uint64_t>(number >> (2 * field_bits)));
}

constexpr uint64_t product(uint64_t lhs, uint64_t rhs) { return reduced(static_cast<Wide>(lhs) * rhs); }
#else
// From products of halves of 31 bits, where 2^61 is 1.
constexpr uint64_t product(uint64_t lhs, uint64_t rhs) {
  constexpr uint64_t low_half = (uint64_t(1) << 31) - 1, low_middle = (uint64_t(1) << 30) - 1;
  const uint64_t lhs_high = lhs >> 31, lhs_low = lhs & low_half, rhs_high = rhs >> 31, rhs_low = rhs & low_half;
  const uint64_t middle = lhs_high * rhs_low + lhs_low * rhs_high;
  return reduced(((lhs_high * rhs_high) << 1) + (middle >> 30) + ((middle & low_middle) << 31) + lhs_low * rhs_low);
}
#endif

// 1 / number, and 0 for 0: number^(prime - 2).
constexpr uint64_t inverse(uint64_t number) {
  uint64_t result = 1, square = number;
  for (uint64_t exponent = prime - 2; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result = product(result, square);
    square = product(square, square);
  }
  return result;
}

// A salt for a function with a name.
constexpr uint64_t salt_of(std::string_view name) {
  uint64_t state = 0xCBF29CE484222325;
  for (const char letter : name)
    state = (state ^ static_cast<unsigned char>(letter)) * 0x100000001B3;
  return state;
}

// A permutation of 64-bit words that spreads every bit (the finalizer of SplitMix64).
constexpr uint64_t mixed(uint64_t word) {
  word += 0x9E3779B97F4A7C15;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
  return word ^ (word >> 31);
}

// A float as a number of the field, m * 2^e; infinities and NaN have numbers of their own.
inline uint64_t embedded(double value) {
  constexpr uint64_t infinity = salt_of("infinity") & prime, not_a_number = salt_of("nan") & prime;
  if (!std::isfinite(value))
    return std::isnan(value) ? not_a_number : value > 0 ? infinity : prime - infinity;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  const auto integer = static_cast<uint64_t>(std::ldexp(fraction, 53));
  const int bits = static_cast<int>(field_bits), turn = (exponent - 53) % bits;
  const int shift = turn < 0 ? turn + bits : turn; // a factor of 2 is a rotation
  const uint64_t number = reduced(((integer << shift) & prime) | (integer >> (bits - shift)));
  return value < 0 ? negative(number) : number;
}

} // namespace hlokit::exact
