#include "kernels/regions/index_vectors.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/regions/offsets.h"

namespace hlokit::regions {

FindOffsets offset_finder(bool clamps) {
  return clamps ? HLOKIT_BEST_VARIANT(clamped_offsets) : HLOKIT_BEST_VARIANT(checked_offsets);
}

namespace {

[[noreturn]] void fail_beyond(size_t rows) {
  throw std::invalid_argument("extents and steps of indices must stay within the " + std::to_string(rows) + " rows");
}

} // namespace

void IndexVectors::check(size_t rows) const {
  if (components.empty())
    throw std::invalid_argument("index vectors must have at least one component");
  size_t room = rows;
  for (const Component &component : components) {
    if (component.extent < 0 || component.step < 0)
      throw std::invalid_argument("extents and steps of components must not be negative");
    if (component.extent == 0)
      return; // no index is within the extent
  }
  if (room == 0)
    fail_beyond(rows);
  --room; // the last row
  for (const Component &component : components) {
    const auto last = static_cast<uint64_t>(component.extent) - 1, step = static_cast<uint64_t>(component.step);
    if (step != 0 && last > room / step)
      fail_beyond(rows);
    room -= static_cast<size_t>(last * step);
  }
}

namespace {

template <class T> T load(const unsigned char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Adds the rows of one component. Negative indices are large as unsigned numbers, and so outside of the extent.
template <class T>
void add_places(const unsigned char *data, ptrdiff_t stride, const IndexVectors::Component &component,
                size_t count, int64_t *to) {
  const auto extent = static_cast<uint64_t>(component.extent);
  if (stride == sizeof(T) && component.step == 1) {
    for (size_t i = 0; i < count; ++i) {
      const auto value = static_cast<int64_t>(load<T>(data + i * sizeof(T)));
      const int64_t place = to[i] + value;
      to[i] = static_cast<uint64_t>(value) < extent && to[i] >= 0 ? place : -1;
    }
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const auto value = static_cast<int64_t>(load<T>(data + static_cast<ptrdiff_t>(i) * stride));
    const bool inside = static_cast<uint64_t>(value) < extent && to[i] >= 0;
    to[i] = inside ? to[i] + value * component.step : -1;
  }
}

template <class T>
void add_clamped_places(const unsigned char *data, ptrdiff_t stride, const IndexVectors::Component &component,
                        size_t count, int64_t *to) {
  const int64_t last = component.extent - 1, step = component.step;
  for (size_t i = 0; i < count; ++i) {
    const T value = load<T>(data + static_cast<ptrdiff_t>(i) * stride);
    int64_t index = static_cast<int64_t>(value);
    if constexpr (sizeof(T) == 8 && T(-1) > T(0))
      index = value > static_cast<uint64_t>(last) ? last : index;
    index = index > last ? last : index;
    index &= ~(index >> 63); // 0 if the sign is set: a branch would be hard to predict
    to[i] += index * step;
  }
}

using AddPlaces = void (*)(const unsigned char *, ptrdiff_t, const IndexVectors::Component &, size_t,
                           int64_t *);

#define HLOKIT_OF_INTEGER(type, function)                                                                      \
  switch (type) {                                                                                              \
  case ElementType::i8:                                                                                               \
    return function<int8_t>;                                                                                   \
  case ElementType::i16:                                                                                              \
    return function<int16_t>;                                                                                  \
  case ElementType::i32:                                                                                              \
    return function<int32_t>;                                                                                  \
  case ElementType::i64:                                                                                              \
    return function<int64_t>;                                                                                  \
  case ElementType::ui8:                                                                                              \
    return function<uint8_t>;                                                                                  \
  case ElementType::ui16:                                                                                             \
    return function<uint16_t>;                                                                                 \
  case ElementType::ui32:                                                                                             \
    return function<uint32_t>;                                                                                 \
  case ElementType::ui64:                                                                                             \
    return function<uint64_t>;                                                                                 \
  default:                                                                                                     \
    throw std::invalid_argument("indices must be integers");                                                            \
  }

AddPlaces adder(ElementType type) { HLOKIT_OF_INTEGER(type, add_places) }
AddPlaces clamped_adder(ElementType type) { HLOKIT_OF_INTEGER(type, add_clamped_places) }

void add_all(const IndexVectors &indices, AddPlaces add, size_t start, size_t count, int64_t *to) {
  std::fill(to, to + count, 0);
  const unsigned char *data = indices.data + static_cast<ptrdiff_t>(start) * indices.stride;
  for (const IndexVectors::Component &component : indices.components) {
    add(data, indices.stride, component, count, to);
    data += indices.component_stride;
  }
}

// The same in vectors, for i32 that lead to rows below 2^31; returns false for all others.
bool add_offsets(const IndexVectors &vectors, bool clamps, size_t start, size_t count, int64_t *to) {
  constexpr int64_t largest = std::numeric_limits<int32_t>::max();
  int64_t last = 0;
  for (const IndexVectors::Component &component : vectors.components) {
    if (component.extent == 0)
      return false;
    last += (component.extent - 1) * component.step;
  }
  if (vectors.type != ElementType::i32 || last > largest)
    return false;
  const FindOffsets find = offset_finder(clamps);
  constexpr size_t most = 512;
  int32_t indices[most], offsets[most];
  for (const size_t end = start + count; start < end; start += most, to += most) {
    const size_t part = std::min(most, end - start);
    std::fill(offsets, offsets + part, 0);
    const unsigned char *data = vectors.data + static_cast<ptrdiff_t>(start) * vectors.stride;
    for (const IndexVectors::Component &component : vectors.components) {
      for (size_t i = 0; i < part; ++i)
        indices[i] = load<int32_t>(data + static_cast<ptrdiff_t>(i) * vectors.stride);
      const auto limit = static_cast<int32_t>(std::min(component.extent - 1, largest));
      find(indices, part, {limit, static_cast<int32_t>(component.step)}, offsets, offsets);
      data += vectors.component_stride;
    }
    for (size_t i = 0; i < part; ++i)
      to[i] = offsets[i] == outside ? -1 : offsets[i];
  }
  return true;
}

} // namespace

void IndexVectors::places(size_t start, size_t vectors, int64_t *to) const {
  if (!add_offsets(*this, false, start, vectors, to))
    add_all(*this, adder(type), start, vectors, to);
}

void IndexVectors::clamped_places(size_t start, size_t vectors, int64_t *to) const {
  if (!add_offsets(*this, true, start, vectors, to))
    add_all(*this, clamped_adder(type), start, vectors, to);
}

} // namespace hlokit::regions
