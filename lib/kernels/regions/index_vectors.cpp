#include "kernels/regions/index_vectors.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "kernels/regions/offsets.h"
#include "support/by_size.h"

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

// An index in a type of offsets: negative ones stay negative, and those beyond the largest offset become it.
template <class Offset, class T> Offset as_offset(T index) {
  constexpr Offset largest = std::numeric_limits<Offset>::max();
  if constexpr (sizeof(T) < sizeof(Offset) || std::is_same_v<T, Offset>)
    return index;
  else if constexpr (std::is_signed_v<T>)
    return static_cast<Offset>(std::clamp<T>(index, -1, largest));
  else
    return static_cast<Offset>(std::min<T>(index, static_cast<T>(largest)));
}

// `count` indices from an address on: in place, or copied to a buffer.
template <class Offset, class T>
const Offset *load_indices(const unsigned char *from, ptrdiff_t stride, size_t count, Offset *to) {
  if (stride == sizeof(T)) {
    if constexpr (std::is_same_v<T, Offset>)
      if (reinterpret_cast<uintptr_t>(from) % alignof(T) == 0)
        return reinterpret_cast<const T *>(from);
    for (size_t i = 0; i < count; ++i) // a loop that compilers vectorise
      to[i] = as_offset<Offset>(load<T>(from + i * sizeof(T)));
    return to;
  }
  for (size_t i = 0; i < count; ++i)
    to[i] = as_offset<Offset>(load<T>(from + static_cast<ptrdiff_t>(i) * stride));
  return to;
}

template <class Offset> using LoadIndices = const Offset *(*)(const unsigned char *, ptrdiff_t, size_t, Offset *);

template <class Offset> LoadIndices<Offset> loader(ElementType type) {
  switch (type) {
  case ElementType::i8:
    return load_indices<Offset, int8_t>;
  case ElementType::i16:
    return load_indices<Offset, int16_t>;
  case ElementType::i32:
    return load_indices<Offset, int32_t>;
  case ElementType::i64:
    return load_indices<Offset, int64_t>;
  case ElementType::ui8:
    return load_indices<Offset, uint8_t>;
  case ElementType::ui16:
    return load_indices<Offset, uint16_t>;
  case ElementType::ui32:
    return load_indices<Offset, uint32_t>;
  case ElementType::ui64:
    return load_indices<Offset, uint64_t>;
  default:
    throw std::invalid_argument("indices must be integers");
  }
}

// Calls `add(indices, count, component, offsets)` for each component of some vectors at a time, then `finish(offsets, done, count)`
// for these vectors, of which `done` come before.
template <class Offset, class Add, class Finish>
void add_up(const IndexVectors &vectors, size_t start, size_t count, const Add &add, const Finish &finish) {
  constexpr size_t most = 512;
  const LoadIndices<Offset> load_part = loader<Offset>(vectors.type);
  Offset buffer[most], offsets[most];
  for (size_t done = 0; done < count; done += most) {
    const size_t part = std::min(most, count - done);
    std::fill(offsets, offsets + part, 0);
    for (const IndexVectors::Component &component : vectors.components) {
      const unsigned char *data = component.data + static_cast<ptrdiff_t>(start + done) * component.stride;
      add(load_part(data, component.stride, part, buffer), part, component, offsets);
    }
    finish(offsets, done, part);
  }
}

// Whether all offsets, and one more, are i32: then they are computed in vectors.
bool are_narrow(const std::vector<IndexVectors::Component> &components) {
  constexpr int64_t largest = std::numeric_limits<int32_t>::max();
  int64_t last = 0;
  for (const IndexVectors::Component &component : components) {
    if (component.extent > largest)
      return false;
    last += (component.extent - 1) * component.step;
  }
  return last < largest;
}

template <class Finish>
void add_narrow(const IndexVectors &vectors, bool clamps, size_t start, size_t count, const Finish &finish) {
  const FindOffsets find = offset_finder(clamps);
  const auto add = [find](const int32_t *indices, size_t part, const IndexVectors::Component &component, int32_t *offsets) {
    find(indices, part, {static_cast<int32_t>(component.extent - 1), static_cast<int32_t>(component.step)}, offsets, offsets);
  };
  add_up<int32_t>(vectors, start, count, add, finish);
}

template <class Finish>
void add_wide(const IndexVectors &vectors, bool clamps, size_t start, size_t count, const Finish &finish) {
  const auto add = [clamps](const int64_t *indices, size_t part, const IndexVectors::Component &component, int64_t *offsets) {
    for (size_t i = 0; i < part; ++i) {
      const int64_t index = std::clamp<int64_t>(indices[i], 0, component.extent - 1);
      const bool is_inside = clamps || (index == indices[i] && offsets[i] >= 0);
      offsets[i] = is_inside ? offsets[i] + index * component.step : -1;
    }
  };
  add_up<int64_t>(vectors, start, count, add, finish);
}

void add_components(const IndexVectors &vectors, bool clamps, size_t start, size_t count, int64_t *to) {
  for (const IndexVectors::Component &component : vectors.components)
    if (component.extent == 0) // no index is inside
      return static_cast<void>(std::fill(to, to + count, -1));
  if (are_narrow(vectors.components))
    add_narrow(vectors, clamps, start, count, [to](const int32_t *offsets, size_t done, size_t part) {
      for (size_t i = 0; i < part; ++i)
        to[done + i] = offsets[i] == outside ? -1 : offsets[i];
    });
  else
    add_wide(vectors, clamps, start, count, [to](const int64_t *offsets, size_t done, size_t part) {
      std::copy(offsets, offsets + part, to + done);
    });
}

template <size_t row>
void read_rows_of(const IndexVectors &vectors, const unsigned char *array, size_t start, size_t count, unsigned char *to) {
  const auto copy = [array, to](const auto *offsets, size_t done, size_t part) {
    for (size_t i = 0; i < part; ++i)
      std::memcpy(to + (done + i) * row, array + static_cast<size_t>(offsets[i]) * row, row);
  };
  if (are_narrow(vectors.components))
    add_narrow(vectors, true, start, count, copy);
  else
    add_wide(vectors, true, start, count, copy);
}

} // namespace

void IndexVectors::places(size_t start, size_t vectors, int64_t *to) const {
  add_components(*this, false, start, vectors, to);
}

void IndexVectors::clamped_places(size_t start, size_t vectors, int64_t *to) const {
  add_components(*this, true, start, vectors, to);
}

void IndexVectors::read_rows(const unsigned char *array, size_t row, size_t start, size_t count, unsigned char *to) const {
  by_size(row, [&](auto size) { read_rows_of<size>(*this, array, start, count, to); });
}

} // namespace hlokit::regions
