#include "bytecode/cursor.h"

#include <limits>

namespace hlokit {
namespace {

constexpr uint8_t padding_byte = 0xCB;

} // namespace

uint8_t Cursor::byte() {
  if (at_end())
    fail("the data ends where a byte was expected");
  return static_cast<uint8_t>(file_[position_++]);
}

// The number of trailing zero bits of the first byte is the number of bytes that follow. The value is in the bits above the
// lowest set bit, little-endian. After a first byte of 0 come eight bytes of value.
uint64_t Cursor::varint() {
  const uint8_t first = byte();
  unsigned following = 0;
  while (following < 8 && !(first >> following & 1))
    ++following;
  if (following > remaining())
    fail("the data ends within a number");

  uint64_t value = following == 8 ? 0 : first >> (following + 1);
  unsigned shift = following == 8 ? 0 : 7 - following;
  for (unsigned i = 0; i < following; ++i, shift += 8)
    value |= static_cast<uint64_t>(byte()) << shift;
  return value;
}

int64_t Cursor::signed_varint() {
  const uint64_t value = varint();
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

Cursor::Flagged Cursor::flagged_varint() {
  const uint64_t value = varint();
  return {value >> 1, (value & 1) != 0};
}

uint64_t Cursor::checked_index(uint64_t index, uint64_t size, const char *what) const {
  if (index >= size)
    fail(std::string(what) + " " + std::to_string(index) + " does not exist, there are " +
         std::to_string(size));
  return index;
}

uint64_t Cursor::count(const char *what) {
  const uint64_t value = varint();
  if (value > remaining() || value > std::numeric_limits<uint32_t>::max())
    fail(std::to_string(value) + " " + what + " cannot be in " + std::to_string(remaining()) + " bytes");
  return value;
}

Range Cursor::take(uint64_t size) {
  if (size > remaining())
    fail(std::to_string(size) + " bytes were expected, " + std::to_string(remaining()) + " are left");
  const Range result{position_, size};
  position_ += size;
  return result;
}

Range Cursor::zero_terminated() {
  const size_t zero = file_.substr(0, end_).find('\0', position_);
  if (zero == std::string_view::npos)
    fail("a text is not terminated");
  const Range result = take(zero - position_);
  take(1);
  return result;
}

void Cursor::align(uint64_t alignment) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    fail("alignment must be a power of two, got " + std::to_string(alignment));
  while ((position_ & (alignment - 1)) != 0)
    if (byte() != padding_byte)
      fail("padding must consist of bytes 0xCB");
}

} // namespace hlokit
