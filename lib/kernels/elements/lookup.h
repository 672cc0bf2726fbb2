// Functions of few bits, by tables of all results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace hlokit::lookup {

// The place of a value in a table.
inline size_t place_of(uint8_t code) { return code; }
inline size_t place_of(uint16_t code) { return code; }
// The upper half, whose last bit counts as set if a lower bit is.
inline size_t place_of(uint32_t code) { return code >> 16 | size_t{(code & 0xFFFF) != 0}; }

template <class Value, class Code>
void look_up(const void *table, const void *codes, void *results, size_t count) {
  const auto *values = static_cast<const Value *>(table);
  const auto *places = static_cast<const Code *>(codes);
  auto *to = static_cast<Value *>(results);
  for (size_t i = 0; i < count; ++i)
    to[i] = values[place_of(places[i])];
}

using LookUp = void (*)(const void *table, const void *codes, void *results, size_t count);

// By the sizes of values and codes in bytes. Throws for others than 1, 2, 4, 8 and 1, 2, 4.
template <class Code> LookUp look_up_of_values(size_t size) {
  switch (size) {
  case 1:
    return look_up<uint8_t, Code>;
  case 2:
    return look_up<uint16_t, Code>;
  case 4:
    return look_up<uint32_t, Code>;
  case 8:
    return look_up<uint64_t, Code>;
  default:
    throw std::invalid_argument("values of a table must have 1, 2, 4 or 8 bytes");
  }
}

inline LookUp look_up_of(size_t value_size, size_t code_size) {
  switch (code_size) {
  case 1:
    return look_up_of_values<uint8_t>(value_size);
  case 2:
    return look_up_of_values<uint16_t>(value_size);
  case 4:
    return look_up_of_values<uint32_t>(value_size);
  default:
    throw std::invalid_argument("codes must have 1, 2 or 4 bytes");
  }
}

// The number of values of a table for codes of a size.
constexpr size_t values_of(size_t code_size) { return size_t{1} << (code_size == 1 ? 8 : 16); }

} // namespace hlokit::lookup
