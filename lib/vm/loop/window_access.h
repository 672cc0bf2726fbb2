// Windows of arrays: reading, writing or combining them with the elements of the array. Part of windows.cpp.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels/regions/combine.h"
#include "support/by_size.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"
#include "vm/loop/window_places.h"

namespace hlokit::vm {
namespace {

// Moves elements between windows, which begin at `moving` plus their places, and `still`: all windows' first elements,
// then all second ones, and so on. ByteSteps, in bytes, lead from one window to the next, and from one element to the next.
struct ByteSteps {
  ptrdiff_t moving, still;
};
using MoveElements = void (*)(unsigned char *moving, unsigned char *still, const WindowPlace *places, size_t count,
                              ByteSteps window, size_t elements, ByteSteps element);

template <size_t size, bool is_read>
void move_elements(unsigned char *moving, unsigned char *still, const WindowPlace *places, size_t count, ByteSteps window,
                   size_t elements, ByteSteps element) {
  for (size_t j = 0; j < elements; ++j, moving += element.moving, still += element.still) {
    unsigned char *from = moving, *to = still;
    for (size_t i = 0; i < count; ++i, from += window.moving, to += window.still)
      if (is_read)
        std::memcpy(to, from + places[i], size);
      else if (places[i] != outside)
        std::memcpy(from + places[i], to, size);
  }
}

// The same of windows that are rows of `bytes`.
template <bool is_read>
void move_rows(unsigned char *moving, unsigned char *still, const WindowPlace *places, size_t count, ByteSteps window,
               size_t bytes, ByteSteps) {
  for (size_t i = 0; i < count; ++i, moving += window.moving, still += window.still)
    if (is_read)
      copy_row_bytes(still, moving + places[i], bytes);
    else if (places[i] != outside)
      copy_row_bytes(moving + places[i], still, bytes);
}

MoveElements element_mover(size_t size, bool is_read) {
  return by_size(size, [&](auto known) { return is_read ? move_elements<known, true> : move_elements<known, false>; });
}

struct WindowAccess : Detail {
  RegisterRef array, other;
  size_t batch_rank, window_rank;
  Sizes batch{}, window{};
  Strides array_window{}, other_window{};
  ByteStrides array_batch{}, other_batch{};
  std::vector<StartComponent> components;
  StridedCopy block;
  size_t item, row_bytes; // of a window that is a row in both arrays; 0 for other windows
  bool is_read, clamps;
  regions::FindOffsets find_places;
  const regions::Update *update = nullptr; // combines the old elements with the written ones
  bool updates_elements = false; // many windows of one element by one call of the kernel
  unsigned item_shift = 0;       // the binary logarithm of the item
  MoveElements move = nullptr; // if windows are moved by elements
  std::vector<WindowPlace> batch_places; // what the last dimension of the batch adds to the places, if that is no stride
  size_t units = 0;            // of `move`, if a window is one row: 1, if the row is as long as an element, or its bytes

  static constexpr size_t short_line = 64, most_batch_places = 1 << 13, most_in_line = 256;
  static constexpr WindowPlace zeros[most_in_line] = {};

  // Merges dimensions of the batch that are adjacent in all arrays; at least one dimension remains.
  void merge_batch() {
    size_t rank = 0;
    for (size_t i = 0; i < batch_rank; ++i) {
      if (batch[i] == 1)
        continue;
      const auto size = static_cast<ptrdiff_t>(batch[i]);
      const bool is_merged = rank > 0 && array_batch[rank - 1] == array_batch[i] * size && are_adjacent(rank - 1, i);
      const size_t to = is_merged ? rank - 1 : rank++;
      batch[to] = is_merged ? batch[to] * batch[i] : batch[i];
      array_batch[to] = array_batch[i];
      other_batch[to] = other_batch[i];
      for (StartComponent &each : components)
        each.batch[to] = each.batch[i];
    }
    if (rank == 0)
      batch[rank++] = 1;
    batch_rank = rank;
    while (batch_rank > 1 && batch[batch_rank - 1] <= short_line &&
           batch[batch_rank - 1] * batch[batch_rank - 2] <= most_batch_places && merge_line())
      continue;
  }

  // Whether two dimensions of the batch are adjacent everywhere but in the array.
  bool are_adjacent(size_t outer, size_t inner) const {
    const auto size = static_cast<ptrdiff_t>(batch[inner]);
    const auto is_adjacent = [&](const ByteStrides &strides) { return strides[outer] == strides[inner] * size; };
    return is_adjacent(other_batch) && std::all_of(components.begin(), components.end(), [&](const StartComponent &each) {
             return is_adjacent(each.batch);
           });
  }

  // Merges the last two dimensions of the batch if they are adjacent everywhere but in the array: a few long lines take
  // less time than many short ones.
  bool merge_line() {
    const size_t last = batch_rank - 1, outer = last - 1;
    if (!are_adjacent(outer, last))
      return false;
    std::vector<WindowPlace> merged;
    for (size_t i = 0; i < batch[outer]; ++i)
      for (size_t j = 0; j < batch[last]; ++j)
        merged.push_back(static_cast<WindowPlace>(
            static_cast<ptrdiff_t>(i) * array_batch[outer] +
            (batch_places.empty() ? static_cast<ptrdiff_t>(j) * array_batch[last] : batch_places[j])));
    batch_places = std::move(merged);
    batch[outer] *= batch[last];
    array_batch[outer] = 0;
    other_batch[outer] = other_batch[last];
    for (StartComponent &each : components)
      each.batch[outer] = each.batch[last];
    --batch_rank;
    return true;
  }

  // Chooses how windows are moved, when all is known about the batch and the windows.
  void choose_move() {
    // The part of a window that lies inside may be less than the window.
    const bool is_cut = !clamps && std::any_of(components.begin(), components.end(), [](const StartComponent &each) {
      return each.window_dimension >= 0;
    });
    const bool is_one = block.rank == 0;
    if (update && is_one && other_batch[batch_rank - 1] == static_cast<ptrdiff_t>(item))
      updates_elements = !has_places_before_array();
    while (size_t(1) << item_shift < item)
      ++item_shift;
    if (update || (is_read && !clamps) || (is_cut && !is_one))
      return;
    const size_t last = batch_rank - 1;
    if (row_bytes) {
      const bool is_element = is_element_size(row_bytes);
      units = is_element ? 1 : row_bytes;
      move = is_element ? element_mover(row_bytes, is_read) : is_read ? move_rows<true> : move_rows<false>;
    } else if (is_read && batch[last] > 2 && std::abs(other_batch[last]) < std::abs(block.to[block.rank - 1])) {
      // Windows side by side whose own elements are further apart: only reads may change the order of elements.
      move = element_mover(item, is_read);
    }
  }

  // Whether windows of a line may begin before the first one at starts of 0.
  bool has_places_before_array() const {
    return array_batch[batch_rank - 1] < 0 ||
           std::any_of(batch_places.begin(), batch_places.end(), [](WindowPlace place) { return place < 0; }) ||
           std::any_of(components.begin(), components.end(), [](const StartComponent &each) { return each.stride < 0; });
  }

  // Accesses all windows, the last dimension of the batch in lines.
  void run(unsigned char *registers) const {
    unsigned char *moving = array.find(registers), *still = other.find(registers);
    const unsigned char *starts[most_dimensions];
    for (size_t j = 0; j < components.size(); ++j)
      starts[j] = components[j].start.find(registers);
    lines(0, moving, still, starts);
  }

  void lines(size_t dimension, unsigned char *moving, unsigned char *still, const unsigned char *const *starts) const {
    if (dimension + 1 == batch_rank)
      return line(moving, still, starts);
    const unsigned char *own[most_dimensions];
    std::copy(starts, starts + components.size(), own);
    for (size_t i = 0; i < batch[dimension]; ++i) {
      lines(dimension + 1, moving, still, own);
      moving += array_batch[dimension];
      still += other_batch[dimension];
      for (size_t j = 0; j < components.size(); ++j)
        own[j] += components[j].batch[dimension];
    }
  }

  // Accesses the windows along the last dimension of the batch. `moving` and `still` are in the arrays, and `starts` are
  // the starts of the first window. All elements are in range: the extents were checked for all starts that are left.
  void line(unsigned char *moving, unsigned char *still, const unsigned char *const *starts) const {
    const size_t last = batch_rank - 1;
    const ByteSteps step{array_batch[last], other_batch[last]};
    WindowPlace places[most_in_line];
    int32_t loaded[most_in_line];
    for (size_t first = 0; first < batch[last]; first += most_in_line) {
      const size_t count = std::min(most_in_line, batch[last] - first);
      const auto before = static_cast<ptrdiff_t>(first);
      const WindowPlace *all = batch_places.empty() ? zeros : batch_places.data() + first;
      for (size_t j = 0; j < components.size(); ++j, all = places) {
        const StartComponent &each = components[j];
        const ptrdiff_t apart = each.batch[last];
        const int32_t *indices = each.load.many(each, starts[j] + before * apart, apart, count, loaded);
        find_places(indices, count, each.range, all, places);
      }
      unsigned char *const from = moving + before * step.moving, *const to = still + before * step.still;
      if (units)
        move(from, to, all, count, step, units, {});
      else if (move)
        columns(0, from, to, all, count, step);
      else if (updates_elements)
        update_elements(from, to, all, count, step.moving);
      else
        for (size_t i = 0; i < count; ++i) {
          const auto steps = static_cast<ptrdiff_t>(i);
          access(from + steps * step.moving, to + steps * step.still, all[i], starts, before + steps);
        }
    }
  }

  // Moves windows element by element: each of the elements for all windows.
  void columns(size_t dimension, unsigned char *moving, unsigned char *still, const WindowPlace *places, size_t count,
               ByteSteps step) const {
    if (dimension + 1 == block.rank)
      return move(moving, still, places, count, step, block.sizes[dimension], {block.from[dimension], block.to[dimension]});
    for (size_t i = 0; i < block.sizes[dimension]; ++i, moving += block.from[dimension], still += block.to[dimension])
      columns(dimension + 1, moving, still, places, count, step);
  }

  // Combines elements of the array, `step` bytes apart but for their places, with the elements of `still`.
  void update_elements(unsigned char *moving, const unsigned char *still, const WindowPlace *places, size_t count,
                       ptrdiff_t step) const {
    int64_t numbers[most_in_line];
    for (size_t i = 0; i < count; ++i)
      numbers[i] = places[i] == outside ? -1 : (places[i] + static_cast<ptrdiff_t>(i) * step) >> item_shift;
    update->scatter(moving, numbers, still, count, 1);
  }

  // Accesses a window: the one with number `number` of a line that begins with `starts`.
  void access(unsigned char *moving, unsigned char *still, WindowPlace place,
              const unsigned char *const *starts, ptrdiff_t number) const {
    if (place != outside)
      return apply(block, moving + place, still);
    const unsigned char *own[most_dimensions];
    for (size_t j = 0; j < components.size(); ++j)
      own[j] = starts[j] + number * components[j].batch[batch_rank - 1];
    cut(moving + (batch_places.empty() ? 0 : batch_places[static_cast<size_t>(number)]), still, own);
  }

  // Accesses the part of a window that lies inside the array.
  void cut(unsigned char *moving, unsigned char *still, const unsigned char *const *starts) const {
    Sizes sizes = window;
    for (size_t j = 0; j < components.size(); ++j) {
      const StartComponent &each = components[j];
      int64_t start = each.load.one(starts[j]);
      if (!each.is_inside(start)) {
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
    apply(StridedCopy(window_rank, sizes, is_read ? other_window : array_window, is_read ? array_window : other_window, item),
          moving, still);
  }

  void apply(const StridedCopy &rows, unsigned char *moving, unsigned char *still) const {
    if (is_read)
      return rows.copy(still, moving);
    if (!update)
      return rows.copy(moving, still);
    rows.each_line(moving, still,
                   [&](unsigned char *to, const unsigned char *from, size_t count, ptrdiff_t to_stride, ptrdiff_t from_stride) {
                     update_line(to, from, count, to_stride, from_stride);
                   });
  }

  // Combines a line of elements with those of another one.
  void update_line(unsigned char *to, const unsigned char *from, size_t count, ptrdiff_t to_stride, ptrdiff_t from_stride) const {
    static constexpr int64_t first = 0;
    const auto size = static_cast<ptrdiff_t>(item);
    if (to_stride == size && from_stride == size)
      return update->scatter(to, &first, from, 1, count);
    if (from_stride == size && to_stride >= 0) {
      for (size_t i = 0; i < count; i += most_in_line) {
        const auto before = static_cast<ptrdiff_t>(i);
        update_elements(to + before * to_stride, from + before * size, zeros, std::min(most_in_line, count - i), to_stride);
      }
      return;
    }
    for (; count > 0; --count, to += to_stride, from += from_stride)
      update->scatter(to, &first, from, 1, 1);
  }
};

} // namespace
} // namespace hlokit::vm
