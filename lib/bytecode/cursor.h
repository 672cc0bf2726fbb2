// A bounds-checked reader of bytes. No other code reads the input directly.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hlokit {

// The input is malformed. `offset` is the byte of the file where the reader noticed the error.
class BytecodeError : public std::runtime_error {
public:
  BytecodeError(const std::string &message, uint64_t offset)
      : std::runtime_error(message + " (at byte " + std::to_string(offset) + ")"), offset(offset) {}

  uint64_t offset;
};

// A part of the file. Ranges come only from Cursor::take, so they never leave the file.
struct Range {
  uint64_t offset = 0;
  uint64_t size = 0;
};

// Reads one part of the file from front to back. Positions count from the start of the file, so that errors and alignment
// need no translation.
class Cursor {
public:
  Cursor(std::string_view file, Range part)
      : file_(file), position_(part.offset), end_(part.offset + part.size) {}

  uint64_t position() const { return position_; }
  uint64_t remaining() const { return end_ - position_; }
  bool at_end() const { return position_ == end_; }

  uint8_t byte();
  uint64_t varint();
  // A varint whose lowest bit is the sign (zigzag).
  int64_t signed_varint();

  // A varint whose lowest bit is a flag.
  struct Flagged {
    uint64_t value;
    bool flag;
  };
  Flagged flagged_varint();

  // A varint that is an index of a table of `size` entries. `what` names an entry, for the error.
  uint64_t index(uint64_t size, const char *what) { return checked_index(varint(), size, what); }
  uint64_t checked_index(uint64_t index, uint64_t size, const char *what) const;

  // A varint that counts entries to come. Each entry takes a byte or more, so an impossible count fails here, before
  // memory is allocated for the entries. The result fits into 32 bits.
  uint64_t count(const char *what);

  Range take(uint64_t size);
  // The bytes up to the next zero byte, which is skipped.
  Range zero_terminated();
  // Skips the padding up to the next multiple of `alignment`.
  void align(uint64_t alignment);

  [[noreturn]] void fail(const std::string &message) const { throw BytecodeError(message, position_); }

private:
  std::string_view file_;
  uint64_t position_;
  uint64_t end_;
};

} // namespace hlokit
