// The wire format of protocol buffers, as python/hlokit/programs/importers/protobuf.py reads it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hlokit {

// The bytes are not a protocol buffer.
class MalformedMessage : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads the fields of a message from front to back.
class Fields {
public:
  explicit Fields(std::string_view message) : message_(message) {}

  bool at_end() const { return position_ == message_.size(); }
  // Where the next field starts.
  size_t position() const { return position_; }

  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_end())
        throw MalformedMessage("a number is cut off");
      const auto byte = static_cast<unsigned char>(message_[position_++]);
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80)
        return value;
    }
    throw MalformedMessage("a number is too long");
  }

  // The number of the next field. `read` must follow.
  uint64_t number() {
    key_ = varint();
    if (key_ >> 3 == 0)
      throw MalformedMessage("a field has the number 0");
    return key_ >> 3;
  }

  // A field: an integer, or the bytes of it.
  struct Value {
    bool is_integer;
    uint64_t integer;
    std::string_view bytes;
  };

  Value read() {
    uint64_t size = 0;
    switch (key_ & 7) {
    case 0:
      return {true, varint(), {}};
    case 1:
      size = 8;
      break;
    case 2:
      size = varint();
      break;
    case 5:
      size = 4;
      break;
    default:
      throw MalformedMessage("a field has the wire type " + std::to_string(key_ & 7));
    }
    if (size > message_.size() - position_)
      throw MalformedMessage("a field is longer than its message");
    const std::string_view bytes = message_.substr(position_, size);
    position_ += size;
    return {false, 0, bytes};
  }

private:
  std::string_view message_;
  size_t position_ = 0;
  uint64_t key_ = 0;
};

} // namespace hlokit
