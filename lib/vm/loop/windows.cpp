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

namespace hlokit::vm {
namespace {

const DecodedInstruction *run_windows(const DecodedInstruction *at, unsigned char *registers) {
  static_cast<const WindowAccess &>(*at->detail).run(registers);
  return next(at, registers);
}

// One window.
const DecodedInstruction *run_window(const DecodedInstruction *at, unsigned char *registers) {
  const auto &windows = static_cast<const WindowAccess &>(*at->detail);
  const unsigned char *starts[most_dimensions];
  ptrdiff_t place = 0;
  bool is_inside = true;
  for (size_t j = 0; j < windows.components.size(); ++j) {
    const StartComponent &each = windows.components[j];
    starts[j] = each.start.find(registers);
    const int64_t index = each.load(starts[j]);
    is_inside = is_inside && each.is_inside(index);
    place += each.place(index);
  }
  windows.access(windows.operand.find(registers), windows.other.find(registers),
                 is_inside || windows.clamps ? static_cast<WindowPlace>(place) : outside, starts, 0);
  return next(at, registers);
}

// One window that is a row: the register of the result gets the address of the window. `a` is the slot of this address.
const DecodedInstruction *point_to_window(const DecodedInstruction *at, unsigned char *registers) {
  const auto &windows = static_cast<const WindowAccess &>(*at->detail);
  unsigned char *window = windows.operand.find(registers);
  for (const StartComponent &each : windows.components)
    window += each.place(each.load(each.start.find(registers)));
  std::memcpy(registers + at->a, &window, sizeof window);
  return next(at, registers);
}

// One window, of elements in a row or at equal distances, at one start of 32 bits. `to`, `a` and `b` are the slots with the
// addresses of the array, of the window's elements and of the start, `c` is the offset of the start, in bytes.
struct PlainWindow : Detail {
  ptrdiff_t operand, other; // offsets in bytes
  ptrdiff_t stride;
  int32_t limit;
  bool is_read, clamps;
  size_t bytes; // of a row; 0 if the elements are not side by side
  StridedCopy block;
};

const DecodedInstruction *run_plain_window(const DecodedInstruction *at, unsigned char *registers) {
  const auto &window = static_cast<const PlainWindow &>(*at->detail);
  int32_t start;
  std::memcpy(&start, address_in(registers, at->b) + at->c, sizeof start);
  const int32_t index = start < 0 ? 0 : start > window.limit ? window.limit : start;
  if (index != start && !window.clamps)
    return next(at, registers);
  unsigned char *const moving = address_in(registers, at->to) + window.operand + index * window.stride;
  unsigned char *const still = address_in(registers, at->a) + window.other;
  unsigned char *const to = window.is_read ? still : moving;
  const unsigned char *const from = window.is_read ? moving : still;
  if (window.bytes)
    copy_row_bytes(to, from, window.bytes);
  else
    window.block.copy(to, from);
  return next(at, registers);
}

DecodedArrayOp plain_window(const Frame &frame, const WindowAccess &windows, uint32_t operand, uint32_t other,
                            uint32_t start) {
  const StartComponent &component = windows.components[0];
  auto result = std::make_unique<PlainWindow>();
  result->operand = windows.operand.offset;
  result->other = windows.other.offset;
  result->stride = component.stride;
  result->limit = component.range.limit;
  result->is_read = windows.is_read;
  result->clamps = windows.clamps;
  result->block = windows.block;
  result->bytes = windows.row_bytes();
  DecodedArrayOp made{run_plain_window, std::move(result), 0, 0};
  made.to = frame.address_slot(operand);
  made.a = frame.address_slot(other);
  made.b = frame.address_slot(start);
  made.c = static_cast<uint32_t>(component.start.offset);
  return made;
}

// A window of one element, at starts in scalar registers.
template <size_t size> const DecodedInstruction *run_window_of_one(const DecodedInstruction *at, unsigned char *registers) {
  const auto &windows = static_cast<const WindowAccess &>(*at->detail);
  unsigned char *moving = windows.operand.find(registers), *still = windows.other.find(registers);
  for (const StartComponent &each : windows.components) {
    const int64_t index = each.load(registers + each.start.slot);
    if (!windows.clamps && !each.is_inside(index))
      return next(at, registers);
    moving += each.place(index);
  }
  if (windows.is_read)
    std::memcpy(still, moving, size);
  else
    std::memcpy(moving, still, size);
  return next(at, registers);
}

// The most frequent access: a window of one element at one start of 32 bits. `a` is the slot of the start, `b` that of the
// array, `to` that of the scalar.
template <size_t size, bool is_read, bool clamps>
const DecodedInstruction *run_one(const DecodedInstruction *at, unsigned char *registers) {
  const auto &windows = static_cast<const WindowAccess &>(*at->detail);
  const StartComponent &each = windows.components[0];
  int32_t start;
  std::memcpy(&start, registers + at->a, sizeof start);
  const auto most = static_cast<int32_t>(each.limit);
  if (clamps)
    start = start < 0 ? 0 : start > most ? most : start;
  else if (start < 0 || start > most)
    return next(at, registers);
  unsigned char *array;
  std::memcpy(&array, registers + at->b, sizeof array);
  array += windows.operand.offset + start * each.stride;
  if (is_read)
    std::memcpy(registers + at->to, array, size);
  else
    std::memcpy(array, registers + at->to, size);
  return next(at, registers);
}

template <size_t size> Handler element_handler(const WindowAccess &windows, bool is_plain) {
  if (!is_plain)
    return run_window_of_one<size>;
  if (windows.is_read)
    return windows.clamps ? run_one<size, true, true> : run_one<size, true, false>;
  return windows.clamps ? run_one<size, false, true> : run_one<size, false, false>;
}

Handler element_handler(const WindowAccess &windows, bool is_plain) {
  switch (windows.item) {
  case 1:
    return element_handler<1>(windows, is_plain);
  case 2:
    return element_handler<2>(windows, is_plain);
  case 4:
    return element_handler<4>(windows, is_plain);
  case 8:
    return element_handler<8>(windows, is_plain);
  default: // complex numbers are in arrays
    return run_window_of_one<16>;
  }
}

ByteStrides in_bytes(const Strides &strides, size_t item) {
  ByteStrides result{};
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<ptrdiff_t>(strides[i]) * static_cast<ptrdiff_t>(item);
  return result;
}

// The numbers of a component, which come last.
constexpr size_t component_numbers(size_t batch_rank) { return 5 + batch_rank; }

} // namespace

std::vector<uint32_t> window_registers(const Numbers &numbers) {
  std::vector<uint32_t> result;
  auto at = [&](size_t i) { return i < numbers.size() && numbers[i] >= 0 ? static_cast<size_t>(numbers[i]) : 0; };
  const size_t batch = at(0);
  if (batch > most_dimensions || at(1 + batch) > most_dimensions)
    return result;
  const size_t window = at(1 + batch), first = 2 + batch + window + 2 * (1 + batch + window) + 3;
  for (size_t i = first; i < numbers.size(); i += component_numbers(batch))
    result.push_back(static_cast<uint32_t>(at(i)));
  return result;
}

DecodedArrayOp decode_windows(const Frame &frame, const Instruction &instruction, const Numbers &given) {
  const bool is_read = instruction.opcode == read_windows;
  const uint32_t operand = is_read ? instruction.a : instruction.to, other = is_read ? instruction.to : instruction.a;
  check_whole(frame, operand);
  check_whole(frame, other);
  check_same_type(frame, operand, other);
  check_apart(instruction.to, instruction.a);
  NumberReader numbers(given);
  auto result = std::make_unique<WindowAccess>();
  WindowAccess &windows = *result;
  const size_t item = windows.item = size_of(frame.types[operand]);
  constexpr size_t most_bytes = std::numeric_limits<WindowPlace>::max();
  if (frame.count(operand) > most_bytes / item)
    throw ProgramError("an array with windows must take at most " + std::to_string(most_bytes) + " bytes");
  const size_t batch_rank = windows.batch_rank = numbers.rank();
  windows.batch = numbers.sizes(batch_rank);
  const size_t window_rank = windows.window_rank = numbers.rank();
  windows.window = numbers.sizes(window_rank);
  const int64_t operand_offset = numbers.any();
  const Strides operand_batch = numbers.strides(batch_rank);
  windows.operand_window = numbers.strides(window_rank);
  const int64_t other_offset = numbers.any();
  const Strides other_batch = numbers.strides(batch_rank);
  windows.other_window = numbers.strides(window_rank);
  windows.clamps = numbers.next(0, 1) != 0;
  windows.find_places = regions::offset_finder(windows.clamps);
  windows.is_read = is_read;
  const auto combination = static_cast<int>(numbers.next(-1, 1 << 20));
  const size_t component_count = numbers.rank();
  const size_t batch_count = product(windows.batch, batch_rank), count = product(windows.window, window_rank);
  if (count && batch_count > static_cast<size_t>(most_elements) / count)
    throw ProgramError("an instruction must take at most " + std::to_string(most_elements) + " elements");

  Extent moving(operand_offset), still(other_offset);
  moving.add(windows.batch, operand_batch, batch_rank);
  moving.add(windows.window, windows.operand_window, window_rank);
  still.add(windows.batch, other_batch, batch_rank);
  still.add(windows.window, windows.other_window, window_rank);
  bool has_scalar_starts = true;
  uint32_t first_start = 0;
  std::vector<bool> is_moved(window_rank);
  for (size_t i = 0; i < component_count; ++i) {
    StartComponent each{};
    const auto index = static_cast<uint32_t>(numbers.next(0, most_elements));
    check_whole(frame, index);
    check_apart(instruction.to, index);
    const int64_t offset = numbers.any();
    const Strides batch = numbers.strides(batch_rank);
    each.limit = numbers.next(0, most_elements);
    const int64_t stride = numbers.any();
    each.window_dimension = static_cast<int>(numbers.next(-1, static_cast<int64_t>(window_rank) - 1));
    if (each.window_dimension >= 0) {
      auto dimension = static_cast<size_t>(each.window_dimension);
      if (is_moved[dimension] || windows.operand_window[dimension] != stride)
        throw ProgramError("a start index must move its window dimension by the stride of that dimension, and no "
                           "other start index may move it");
      is_moved[dimension] = true;
    }
    each.start = RegisterRef(frame, index, offset);
    first_start = i == 0 ? index : first_start;
    each.load = index_loader(frame.types[index]);
    each.load_indices = indices_loader(frame.types[index]);
    each.batch = in_bytes(batch, size_of(frame.types[index]));
    each.stride = static_cast<ptrdiff_t>(stride) * static_cast<ptrdiff_t>(item);
    each.range = {static_cast<int32_t>(each.limit), each.limit ? static_cast<int32_t>(each.stride) : 0};
    if (batch_count) {
      Extent starts(offset);
      starts.add(windows.batch, batch, batch_rank);
      starts.check(frame.count(index));
    }
    has_scalar_starts = has_scalar_starts && frame.is_scalar(index);
    moving.add(static_cast<size_t>(each.limit) + 1, stride);
    windows.components.push_back(each);
  }
  numbers.end();
  if (combination >= 0) {
    const uint32_t to = operand;
    const Opcode &found = check_operation(frame.types, {combination, to, to, to, to});
    if (is_read)
      throw ProgramError("windows must be combined by an operation only when they are written");
    windows.update = regions::find_combination(found.name, found.result);
    if (!windows.update)
      throw ProgramError(std::string("windows of ") + name_of(found.result) + " must be combined by an operation with a kernel, got " +
                         found.name);
  }
  if (count == 0 || batch_count == 0)
    return {return_to_loop, nullptr, 0, 0};
  moving.check(frame.count(operand));
  still.check(frame.count(other));
  windows.operand = RegisterRef(frame, operand, operand_offset);
  windows.other = RegisterRef(frame, other, other_offset);
  windows.operand_batch = in_bytes(operand_batch, item);
  windows.other_batch = in_bytes(other_batch, item);
  windows.block = StridedCopy(window_rank, windows.window, is_read ? windows.other_window : windows.operand_window,
                        is_read ? windows.operand_window : windows.other_window, item);
  windows.merge_batch();
  windows.choose_move();
  DecodedArrayOp made{batch_count == 1 ? run_window : run_windows, nullptr, batch_count * (count + 8), 0};
  if (frame.is_window[instruction.to] && windows.clamps && windows.row_bytes() == frame.count(other) * item) {
    made.handler = point_to_window;
    made.a = frame.address_slot(other);
    made.work = 8;
    made.points = true;
  } else if (batch_count == 1 && count == 1 && has_scalar_starts && !windows.update) {
    const bool is_plain = component_count == 1 && windows.components[0].load == load_index<int32_t> &&
                          windows.other.is_scalar && !windows.operand.is_scalar;
    made.handler = element_handler(windows, is_plain);
    if (is_plain) {
      made.a = windows.components[0].start.slot;
      made.b = windows.operand.slot;
      made.to = windows.other.slot;
    }
  } else if (batch_count == 1 && component_count == 1 && windows.components[0].load == load_index<int32_t> &&
             !windows.update && (windows.clamps || windows.components[0].window_dimension < 0)) {
    DecodedArrayOp plain = plain_window(frame, windows, operand, other, first_start);
    plain.work = made.work;
    return plain;
  }
  made.detail = std::move(result);
  return made;
}

} // namespace hlokit::vm
