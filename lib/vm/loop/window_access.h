// Windows of arrays: their positions, and reading, writing or combining them with the elements of the array. Part of
// windows.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

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

struct StartComponent {
  RegisterRef start;
  LoadIndex load;
  ByteStrides batch{};
  int64_t limit;
  ptrdiff_t stride;
  int window_dimension;
};

struct WindowAccess : Detail {
  RegisterRef operand, other;
  size_t batch_rank, window_rank;
  Sizes batch{}, window{};
  Strides operand_window{}, other_window{};
  ByteStrides operand_batch{}, other_batch{};
  std::vector<StartComponent> components;
  StridedCopy block;
  size_t item;
  bool is_read, clamps;
  Sweep sweep = nullptr;     // combines the old elements with the written ones
  Sweep canonical = nullptr; // makes the NaNs of the result canonical
  uint32_t scratch;

  // Merges dimensions of the batch that are adjacent in all arrays; at least one dimension remains.
  void merge_batch() {
    size_t rank = 0;
    for (size_t i = 0; i < batch_rank; ++i) {
      if (batch[i] == 1)
        continue;
      const auto size = static_cast<ptrdiff_t>(batch[i]);
      const auto is_adjacent = [&](const ByteStrides &strides) { return strides[rank - 1] == strides[i] * size; };
      const bool is_merged = rank > 0 && is_adjacent(operand_batch) && is_adjacent(other_batch) &&
                             std::all_of(components.begin(), components.end(),
                                         [&](const StartComponent &each) { return is_adjacent(each.batch); });
      const size_t to = is_merged ? rank - 1 : rank++;
      batch[to] = is_merged ? batch[to] * batch[i] : batch[i];
      operand_batch[to] = operand_batch[i];
      other_batch[to] = other_batch[i];
      for (StartComponent &each : components)
        each.batch[to] = each.batch[i];
    }
    if (rank == 0)
      batch[rank++] = 1;
    batch_rank = rank;
  }

  // Accesses the windows along the last dimension of the batch. `moving` and `still` are in the arrays, and `starts` are
  // the starts of the first window. All elements are in range: the extents were checked for all starts that are left.
  template <class Load>
  void line(unsigned char *registers, unsigned char *moving, unsigned char *still, const unsigned char **starts,
            const Load &load) const {
    const size_t last = batch_rank - 1, component_count = components.size();
    for (size_t i = 0; i < batch[last]; ++i) {
      unsigned char *at = moving;
      bool is_inside = true;
      for (size_t j = 0; j < component_count; ++j) {
        const StartComponent &each = components[j];
        int64_t start = load(each, starts[j]);
        if (start < 0 || start > each.limit) {
          is_inside = is_inside && clamps;
          start = start < 0 ? 0 : each.limit;
        }
        at += static_cast<ptrdiff_t>(start) * each.stride;
      }
      if (is_inside)
        apply(block, registers, at, still);
      else
        cut(registers, moving, still, starts);
      moving += operand_batch[last];
      still += other_batch[last];
      for (size_t j = 0; j < component_count; ++j)
        starts[j] += components[j].batch[last];
    }
  }

  // Accesses the part of a window that lies inside the operand.
  void cut(unsigned char *registers, unsigned char *moving, unsigned char *still, const unsigned char *const *starts) const {
    Sizes sizes = window;
    for (size_t j = 0; j < components.size(); ++j) {
      const StartComponent &each = components[j];
      int64_t start = each.load(starts[j]);
      if (start < 0 || start > each.limit) {
        if (each.window_dimension < 0)
          return;
        auto dimension = static_cast<size_t>(each.window_dimension);
        auto size = static_cast<int64_t>(window[dimension]), whole = each.limit + size;
        if (start <= -size || start >= whole)
          return;
        if (start < 0) {
          sizes[dimension] = static_cast<size_t>(size + start);
          still += static_cast<ptrdiff_t>(-start * other_window[dimension]) * static_cast<ptrdiff_t>(item);
          start = 0;
        } else {
          sizes[dimension] = static_cast<size_t>(whole - start);
        }
      }
      moving += static_cast<ptrdiff_t>(start) * each.stride;
    }
    apply(StridedCopy(window_rank, sizes, is_read ? other_window : operand_window, is_read ? operand_window : other_window, item),
          registers, moving, still);
  }

  void apply(const StridedCopy &rows, unsigned char *registers, unsigned char *moving, unsigned char *still) const {
    if (is_read)
      return rows.copy(still, moving);
    if (!sweep)
      return rows.copy(moving, still);
    unsigned char *buffer;
    std::memcpy(&buffer, registers + scratch, sizeof buffer);
    rows.each_row(moving, still, [&](unsigned char *to, const unsigned char *from, size_t count) {
      for (size_t i = 0; i < count; i += sweep_block) {
        size_t length = std::min(sweep_block, count - i);
        sweep(buffer, to + i * item, from + i * item, nullptr, length);
        if (canonical)
          canonical(to + i * item, buffer, nullptr, nullptr, length);
        else
          std::memcpy(to + i * item, buffer, length * item);
      }
    });
  }
};

} // namespace
} // namespace hlokit::vm
