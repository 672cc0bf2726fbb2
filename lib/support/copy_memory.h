// Copies of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hlokit {

// Copies bytes that do not overlap. glibc copies 2 KiB and more by `rep movsb`. On AMD's processors that is 15 times slower
// if the destination begins up to 31 bytes behind the source, modulo a page. Up to a line behind it, this function copies
// line by line, by moves of vectors.
inline void copy_memory(void *to, const void *from, size_t bytes) {
  constexpr size_t page = 4096, line = 64, least = 2048;
  auto *target = static_cast<unsigned char *>(to);
  const auto *source = static_cast<const unsigned char *>(from);
  const size_t distance = (reinterpret_cast<uintptr_t>(target) - reinterpret_cast<uintptr_t>(source)) % page;
  if (bytes >= least && distance < line)
    for (; bytes >= line; bytes -= line, target += line, source += line) {
      unsigned char copied[line];
      std::memcpy(copied, source, line);
      std::memcpy(target, copied, line);
    }
  std::memcpy(target, source, bytes);
}

// The same of rows that are often short: a few moves, of which the last two may overlap, take less time than a call.
inline void copy_row_bytes(unsigned char *to, const unsigned char *from, size_t bytes) {
  if (bytes > 256) {
    copy_memory(to, from, bytes);
  } else if (bytes >= 16) {
    for (size_t i = 0; i + 16 < bytes; i += 16)
      std::memcpy(to + i, from + i, 16);
    std::memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else if (bytes >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + bytes - 8, from + bytes - 8, 8);
  } else if (bytes >= 4) {
    std::memcpy(to, from, 4);
    std::memcpy(to + bytes - 4, from + bytes - 4, 4);
  } else {
    for (size_t i = 0; i < bytes; ++i)
      to[i] = from[i];
  }
}

} // namespace hlokit
