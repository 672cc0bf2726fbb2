// Where windows begin: start indices, clamped or checked, times strides. Part of windows.cpp.
#pragma once

#include <array>
#include <cstring>
#include <string>

#include "kernels/regions/offsets.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

using LoadIndex = int64_t (*)(const unsigned char *at);

template <class T> int64_t load_index(const unsigned char *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  // A ui64 that no i64 holds is beyond all arrays.
  if (sizeof(T) == 8 && static_cast<uint64_t>(value) > static_cast<uint64_t>(most_elements) && T(-1) > T(0))
    return 2 * most_elements;
  return static_cast<int64_t>(value);
}

LoadIndex index_loader(ElementType type) {
  switch (type) {
  case ElementType::i8:
    return load_index<int8_t>;
  case ElementType::i16:
    return load_index<int16_t>;
  case ElementType::i32:
    return load_index<int32_t>;
  case ElementType::i64:
    return load_index<int64_t>;
  case ElementType::ui8:
    return load_index<uint8_t>;
  case ElementType::ui16:
    return load_index<uint16_t>;
  case ElementType::ui32:
    return load_index<uint32_t>;
  case ElementType::ui64:
    return load_index<uint64_t>;
  default:
    throw ProgramError(std::string("start indices must be integers, got ") + name_of(type));
  }
}

using ByteStrides = std::array<ptrdiff_t, most_dimensions>;

// The place of a window is its distance from the one at start 0, in bytes: in 32 bits, which vectors of the processor hold.
using WindowPlace = int32_t;
using regions::outside;

struct StartComponent;

// Starts that lie `step` bytes apart as indices. Starts that no array holds are below 0 or above the limit. The result may be
// `to` or the starts themselves.
using LoadIndices = const int32_t *(*)(const StartComponent &component, const unsigned char *start, ptrdiff_t step,
                                       size_t count, int32_t *to);

struct StartComponent {
  RegisterRef start;
  LoadIndex load;
  LoadIndices load_indices;
  ByteStrides batch{};
  int64_t limit;
  ptrdiff_t stride;
  regions::IndexRange range; // the limit, and the stride if there is more than one place
  int window_dimension;

  bool is_inside(int64_t index) const { return index >= 0 && index <= limit; }
  ptrdiff_t place(int64_t index) const {
    return static_cast<ptrdiff_t>(index < 0 ? 0 : index > limit ? limit : index) * stride;
  }
};

const int32_t *load_indices(const StartComponent &, const unsigned char *start, ptrdiff_t step, size_t count, int32_t *to) {
  if (step == sizeof(int32_t))
    return reinterpret_cast<const int32_t *>(start);
  for (size_t i = 0; i < count; ++i, start += step)
    std::memcpy(to + i, start, sizeof(int32_t));
  return to;
}

const int32_t *load_unsigned_indices(const StartComponent &component, const unsigned char *start, ptrdiff_t step,
                                     size_t count, int32_t *to) {
  const auto beyond = static_cast<uint32_t>(component.limit + 1);
  for (size_t i = 0; i < count; ++i, start += step) {
    uint32_t index;
    std::memcpy(&index, start, sizeof index);
    to[i] = static_cast<int32_t>(index < beyond ? index : beyond);
  }
  return to;
}

const int32_t *load_any_indices(const StartComponent &component, const unsigned char *start, ptrdiff_t step, size_t count,
                                int32_t *to) {
  for (size_t i = 0; i < count; ++i, start += step) {
    const int64_t index = component.load(start);
    to[i] = static_cast<int32_t>(index < 0 ? -1 : index > component.limit ? component.limit + 1 : index);
  }
  return to;
}

LoadIndices indices_loader(ElementType type) {
  return type == ElementType::i32 ? load_indices : type == ElementType::ui32 ? load_unsigned_indices : load_any_indices;
}

} // namespace
} // namespace hlokit::vm
