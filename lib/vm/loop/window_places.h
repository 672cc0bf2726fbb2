// Where windows begin: start indices, clamped or checked, times strides. Part of windows.cpp.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <type_traits>

#include "kernels/regions/offsets.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

using ByteStrides = std::array<ptrdiff_t, most_dimensions>;

// The place of a window is its distance from the one at start 0, in bytes: in 32 bits, which vectors of the processor hold.
using WindowPlace = int32_t;
using regions::outside;

struct StartComponent;

struct IndexLoaders {
  int64_t (*one)(const unsigned char *start);
  // Starts that lie `step` bytes apart as indices. Starts that no array holds are below 0 or above the limit. The result may
  // be `to` or the starts themselves.
  const int32_t *(*many)(const StartComponent &component, const unsigned char *start, ptrdiff_t step, size_t count,
                         int32_t *to);
};

struct StartComponent {
  RegisterRef start;
  IndexLoaders load;
  ByteStrides batch{};
  int64_t limit;
  ptrdiff_t stride;
  regions::IndexRange range; // the limit, and the stride if there is more than one place
  int window_dimension;

  bool is_inside(int64_t index) const { return static_cast<uint64_t>(index) <= static_cast<uint64_t>(limit); }
  ptrdiff_t place(int64_t index) const {
    return static_cast<ptrdiff_t>(index < 0 ? 0 : index > limit ? limit : index) * stride;
  }
};

template <class T> int64_t load_index(const unsigned char *start) {
  T value;
  std::memcpy(&value, start, sizeof value);
  // A ui64 that no i64 holds is beyond all arrays.
  if (sizeof(T) == 8 && static_cast<uint64_t>(value) > static_cast<uint64_t>(most_elements) && T(-1) > T(0))
    return 2 * most_elements;
  return static_cast<int64_t>(value);
}

template <class T>
const int32_t *load_indices(const StartComponent &component, const unsigned char *start, ptrdiff_t step, size_t count,
                            int32_t *to) {
  constexpr bool is_i32 = std::is_same_v<T, int32_t>;
  if (is_i32 && step == sizeof(int32_t))
    return reinterpret_cast<const int32_t *>(start);
  for (size_t i = 0; i < count; ++i, start += step) {
    const int64_t index = load_index<T>(start);
    to[i] = static_cast<int32_t>(is_i32 ? index : index < 0 ? -1 : index > component.limit ? component.limit + 1 : index);
  }
  return to;
}

template <class T> constexpr IndexLoaders loaders_of = {load_index<T>, load_indices<T>};

IndexLoaders index_loaders(ElementType type) {
  switch (type) {
  case ElementType::i8:
    return loaders_of<int8_t>;
  case ElementType::i16:
    return loaders_of<int16_t>;
  case ElementType::i32:
    return loaders_of<int32_t>;
  case ElementType::i64:
    return loaders_of<int64_t>;
  case ElementType::ui8:
    return loaders_of<uint8_t>;
  case ElementType::ui16:
    return loaders_of<uint16_t>;
  case ElementType::ui32:
    return loaders_of<uint32_t>;
  case ElementType::ui64:
    return loaders_of<uint64_t>;
  default:
    throw ProgramError(std::string("start indices must be integers, got ") + name_of(type));
  }
}

} // namespace
} // namespace hlokit::vm
