// Where windows begin: start indices, clamped or checked, times strides. Part of windows.cpp.
#pragma once

#include <array>
#include <cstring>
#include <limits>
#include <string>

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

struct StartComponent;

// The places of `count` windows: the places `all` of the components before, and what a component, whose starts lie `step`
// bytes apart, adds to them. A place is the distance of a window from the one at start 0, in bytes.
using AddPlaces = void (*)(const StartComponent &component, const unsigned char *start, ptrdiff_t step, size_t count,
                           const ptrdiff_t *all, ptrdiff_t *places);

// Without a branch, which would be hard to predict.
inline ptrdiff_t clamped(int64_t index, int64_t limit) {
  index = index > limit ? limit : index;
  return static_cast<ptrdiff_t>(index & ~(index >> 63)); // 0 if the sign is set
}

struct StartComponent {
  RegisterRef start;
  LoadIndex load;
  AddPlaces add_places;
  ByteStrides batch{};
  int64_t limit;
  ptrdiff_t stride;
  int window_dimension;

  bool is_inside(int64_t index) const { return index >= 0 && index <= limit; }
  ptrdiff_t place(int64_t index) const { return clamped(index, limit) * stride; }
};

// The place of a window that is outside of the operand. The places of all other windows are far above `outside`.
constexpr ptrdiff_t outside = std::numeric_limits<ptrdiff_t>::min() / 2;

template <class T> struct LoadOf {
  static int64_t load(const StartComponent &, const unsigned char *at) { return load_index<T>(at); }
};

struct LoadAny {
  static int64_t load(const StartComponent &component, const unsigned char *at) { return component.load(at); }
};

template <class Load, bool clamps>
void add_places(const StartComponent &component, const unsigned char *start, ptrdiff_t step, size_t count,
                const ptrdiff_t *all, ptrdiff_t *places) {
  const int64_t limit = component.limit;
  const ptrdiff_t stride = component.stride;
  for (size_t i = 0; i < count; ++i, start += step) {
    const int64_t index = Load::load(component, start);
    const bool is_inside = clamps || (index >= 0 && index <= limit && all[i] != outside);
    places[i] = is_inside ? all[i] + clamped(index, limit) * stride : outside;
  }
}

template <bool clamps> AddPlaces places_adder(ElementType type) {
  switch (type) {
  case ElementType::i32:
    return add_places<LoadOf<int32_t>, clamps>;
  case ElementType::ui32:
    return add_places<LoadOf<uint32_t>, clamps>;
  default:
    return add_places<LoadAny, clamps>;
  }
}

} // namespace
} // namespace hlokit::vm
