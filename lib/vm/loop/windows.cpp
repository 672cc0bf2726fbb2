// Instructions that read and write windows of arrays.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"
#include "vm/loop/window_access.h"
#include "vm/scalars/elements.h"

namespace hlokit::vm {
namespace {

// One window.
const DecodedInstruction *run_window(const DecodedInstruction *at, unsigned char *registers) {
  const auto &windows = static_cast<const WindowAccess &>(*at->detail);
  const unsigned char *starts[most_dimensions];
  ptrdiff_t place = 0;
  bool is_inside = true;
  for (size_t j = 0; j < windows.components.size(); ++j) {
    const StartComponent &each = windows.components[j];
    starts[j] = each.start.find(registers);
    const int64_t index = each.load.one(starts[j]);
    is_inside = is_inside && each.is_inside(index);
    place += each.place(index);
  }
  windows.access(windows.array.find(registers), windows.other.find(registers),
                 is_inside || windows.clamps ? static_cast<WindowPlace>(place) : outside, starts, 0);
  return next(at, registers);
}

// One window that is not combined with what it replaces, and is left out if a start of type Index is outside: of one element
// of `size` bytes, or of any shape if that is 0.
template <size_t size, class Index, bool is_read>
const DecodedInstruction *run_whole_window(const DecodedInstruction *at, unsigned char *registers) {
  const auto &windows = static_cast<const WindowAccess &>(*at->detail);
  unsigned char *moving = windows.array.find(registers), *still = windows.other.find(registers);
  for (const StartComponent &each : windows.components) {
    const int64_t index = load_index<Index>(each.start.find(registers));
    const bool is_inside = each.is_inside(index);
    if (!is_inside && !windows.clamps)
      return next(at, registers);
    moving += is_inside ? static_cast<ptrdiff_t>(index) * each.stride : each.place(index);
  }
  unsigned char *const to = is_read ? still : moving;
  const unsigned char *const from = is_read ? moving : still;
  if constexpr (size > 0)
    std::memcpy(to, from, size);
  else if (windows.row_bytes)
    copy_row_bytes(to, from, windows.row_bytes);
  else
    windows.block.copy(to, from);
  return next(at, registers);
}

// The handler that `choose` chooses for the type of all starts; `run_window` if they have different types.
template <class Choose> Handler handler_by_starts(const std::vector<StartComponent> &components, const Choose &choose) {
  const auto all_are = [&](auto index) {
    return std::all_of(components.begin(), components.end(),
                       [](const StartComponent &each) { return each.load.one == load_index<decltype(index)>; });
  };
  const auto first_of = [&](auto... indices) {
    Handler result = nullptr;
    ((result || !all_are(indices) || (result = choose(indices))), ...);
    return result ? result : run_window;
  };
  return first_of(int32_t(), int64_t(), uint32_t(), uint64_t(), uint8_t(), int8_t(), uint16_t(), int16_t());
}

// The most frequent one: an element, at starts that are scalars, between an array and a scalar.
Handler element_handler(const WindowAccess &windows, bool is_row) {
  return handler_by_starts(windows.components, [&](auto index) {
    return by_size(windows.item, [&](auto size) {
      using Index = decltype(index);
      constexpr Handler handlers[2][2] = {
          {access_element<size, Index, false, false>, access_element<size, Index, false, true>},
          {access_element<size, Index, true, false>, access_element<size, Index, true, true>}};
      return handlers[windows.is_read][is_row];
    });
  });
}

DecodedArrayOp decode_element(const Frame &frame, const WindowAccess &windows, const Registers &starts, uint32_t scalar) {
  auto detail = std::make_unique<ElementAccess>();
  for (size_t i = 0; i < starts.size(); ++i) {
    const StartComponent &each = windows.components[i];
    detail->further_starts.push_back(
        {Frame::slot(starts[i]), static_cast<int32_t>(each.limit), static_cast<int32_t>(each.stride)});
  }
  const ElementAccess::Start first = detail->further_starts.back();
  detail->further_starts.pop_back();
  detail->offset = windows.array.offset;
  detail->clamps = windows.clamps;
  detail->index_type = frame.types[starts[0]];
  const bool is_row = detail->further_starts.empty() && first.stride == static_cast<int32_t>(windows.item);
  DecodedArrayOp result{element_handler(windows, is_row), nullptr, 9, 0};
  result.to = Frame::slot(scalar);
  result.a = first.slot;
  result.b = windows.array.slot;
  result.c = static_cast<uint32_t>(first.limit);
  result.jump = first.stride;
  result.detail = std::move(detail);
  return result;
}

Handler whole_window_handler(const WindowAccess &windows) {
  return handler_by_starts(windows.components, [&](auto index) {
    const auto choose = [&](auto size) {
      using Index = decltype(index);
      return windows.is_read ? run_whole_window<size, Index, true> : run_whole_window<size, Index, false>;
    };
    return windows.block.rank > 0 ? choose(std::integral_constant<size_t, 0>()) : by_size(windows.item, choose);
  });
}

Handler window_handler(const WindowAccess &windows) {
  const auto have = [&](const auto &condition) {
    return std::all_of(windows.components.begin(), windows.components.end(), condition);
  };
  const bool is_whole = windows.clamps || windows.block.rank == 0 ||
                        have([](const StartComponent &each) { return each.window_dimension < 0; });
  return windows.update || !is_whole ? run_window : whole_window_handler(windows);
}

// One window that is a row: the register of the result gets the address of the window.
const DecodedInstruction *point_to_window(const DecodedInstruction *at, unsigned char *registers) {
  const auto &windows = static_cast<const WindowAccess &>(*at->detail);
  unsigned char *window = windows.array.find(registers);
  for (const StartComponent &each : windows.components)
    window += each.place(each.load.one(each.start.find(registers)));
  std::memcpy(registers + windows.other.slot, &window, sizeof window);
  return next(at, registers);
}

ByteStrides in_bytes(const Strides &strides, size_t item) {
  ByteStrides result{};
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<ptrdiff_t>(strides[i]) * static_cast<ptrdiff_t>(item);
  return result;
}

} // namespace

DecodedArrayOp decode_windows(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::Windows>(frame, instruction);
  const bool is_read = instruction.opcode == read_windows;
  const uint32_t array = is_read ? fields.operand : fields.to, other = is_read ? fields.to : fields.operand;
  auto result = std::make_unique<WindowAccess>();
  WindowAccess &windows = *result;
  const size_t item = windows.item = size_of(frame.types[array]);
  constexpr size_t most_bytes = std::numeric_limits<WindowPlace>::max();
  if (frame.count(array) > most_bytes / item)
    throw ProgramError("an array with windows must take at most " + std::to_string(most_bytes) + " bytes");
  const size_t batch_rank = windows.batch_rank = fields.batch.size();
  const size_t window_rank = windows.window_rank = fields.window.size();
  windows.batch = sizes_of(fields.batch);
  windows.window = sizes_of(fields.window);
  windows.array_window = strides_of(fields.window, &fields::WindowAxis::array);
  windows.other_window = strides_of(fields.window, &fields::WindowAxis::other);
  windows.clamps = fields.clamps != 0;
  windows.find_places = regions::offset_finder(windows.clamps);
  windows.is_read = is_read;
  const size_t batch_count = product(windows.batch, batch_rank), count = product(windows.window, window_rank);
  if (count && batch_count > static_cast<size_t>(most_elements) / count)
    throw ProgramError("an instruction must take at most " + std::to_string(most_elements) + " elements");

  Extent moving(fields.array_offset), still(fields.other_offset);
  for (const auto *axes : {&fields.batch, &fields.window}) {
    moving.add(*axes, &fields::WindowAxis::array);
    still.add(*axes, &fields::WindowAxis::other);
  }
  const Registers &starts = fields.starts.registers;
  if (starts.size() != fields.components.size())
    throw ProgramError("windows must have a register for each start, got " + std::to_string(starts.size()) + " for " +
                       std::to_string(fields.components.size()));
  std::vector<bool> is_moved(window_rank);
  for (size_t i = 0; i < starts.size(); ++i) {
    const fields::WindowStart &start = fields.components[i];
    const uint32_t index = starts[i];
    const ElementType index_type = frame.types[index];
    check_number("window_dimension", start.window_dimension, -1, static_cast<int64_t>(window_rank) - 1);
    if (start.batch.size() != batch_rank)
      throw ProgramError("a start index must have a stride for each dimension of the batch");
    if (start.window_dimension >= 0) {
      const auto dimension = static_cast<size_t>(start.window_dimension);
      if (is_moved[dimension] || windows.array_window[dimension] != start.stride)
        throw ProgramError("a start index must move its window dimension by the stride of that dimension, and no "
                           "other start index may move it");
      is_moved[dimension] = true;
    }
    Strides strides{};
    std::copy(start.batch.begin(), start.batch.end(), strides.begin());
    StartComponent component{};
    component.start = RegisterRef(frame, index, start.offset);
    component.load = index_loaders(index_type);
    component.batch = in_bytes(strides, size_of(index_type));
    component.limit = start.limit;
    component.stride = static_cast<ptrdiff_t>(start.stride) * static_cast<ptrdiff_t>(item);
    component.range = {static_cast<int32_t>(start.limit), start.limit ? static_cast<int32_t>(component.stride) : 0};
    component.window_dimension = static_cast<int>(start.window_dimension);
    if (batch_count) {
      Extent indices(start.offset);
      for (size_t j = 0; j < batch_rank; ++j)
        indices.add(windows.batch[j], strides[j]);
      indices.check(frame.count(index));
    }
    moving.add(static_cast<size_t>(start.limit) + 1, start.stride);
    windows.components.push_back(component);
  }
  if (fields.combine >= 0) {
    windows.update = &check_combination(frame.types, fields.combine, array);
    if (is_read)
      throw ProgramError("windows must be combined by an operation only when they are written");
  }
  if (count == 0 || batch_count == 0)
    return {return_to_loop, nullptr, 0, 0};
  moving.check(frame.count(array));
  still.check(frame.count(other));
  windows.array = RegisterRef(frame, array, fields.array_offset);
  windows.other = RegisterRef(frame, other, fields.other_offset);
  windows.array_batch = in_bytes(strides_of(fields.batch, &fields::WindowAxis::array), item);
  windows.other_batch = in_bytes(strides_of(fields.batch, &fields::WindowAxis::other), item);
  windows.block = StridedCopy(window_rank, windows.window, is_read ? windows.other_window : windows.array_window,
                        is_read ? windows.array_window : windows.other_window, item);
  const bool is_row = windows.block.rank < 2 && windows.block.has_rows();
  windows.row_bytes = is_row ? count * item : 0;
  windows.merge_batch();
  windows.choose_move();
  DecodedArrayOp made{run_detail<WindowAccess>, nullptr, batch_count * (count + 8), 0};
  if (frame.is_window[fields.to] && windows.clamps && windows.row_bytes == frame.count(other) * item) {
    made.handler = point_to_window;
    made.work = 8;
    made.points = true;
  } else if (batch_count == 1) {
    made.handler = window_handler(windows);
    const auto is_scalar = [&](uint32_t index) { return frame.is_scalar(index); };
    const bool has_scalars = frame.is_scalar(other) && std::all_of(starts.begin(), starts.end(), is_scalar);
    if (made.handler != run_window && count == 1 && !starts.empty() && has_scalars)
      return decode_element(frame, windows, starts, other);
  }
  made.detail = std::move(result);
  return made;
}

} // namespace hlokit::vm
