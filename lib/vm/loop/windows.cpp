// Windows of arrays: read, written, or combined with the elements of the array.
#include "vm/loop/arrays.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "vm/instruction.h"
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
    throw ProgramError("starts must be integers");
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
  Sweep canonical = nullptr; // makes the NaNs of that canonical
  uint32_t scratch;

  // Accesses one window. All elements are in range: the extents were checked for all starts that are left.
  void one(unsigned char *registers, const std::array<size_t, most_dimensions> &at) const {
    unsigned char *moving = operand.find(registers), *still = other.find(registers);
    for (size_t i = 0; i < batch_rank; ++i) {
      moving += static_cast<ptrdiff_t>(at[i]) * operand_batch[i];
      still += static_cast<ptrdiff_t>(at[i]) * other_batch[i];
    }
    Sizes sizes = window;
    bool is_cut = false;
    for (const StartComponent &each : components) {
      const unsigned char *place = each.start.find(registers);
      for (size_t i = 0; i < batch_rank; ++i)
        place += static_cast<ptrdiff_t>(at[i]) * each.batch[i];
      int64_t start = each.load(place);
      if (start < 0 || start > each.limit) {
        if (clamps) {
          start = start < 0 ? 0 : each.limit;
        } else {
          if (each.window_dimension < 0)
            return;
          auto dimension = static_cast<size_t>(each.window_dimension);
          auto size = static_cast<int64_t>(window[dimension]), whole = each.limit + size;
          if (start <= -size || start >= whole)
            return;
          is_cut = true;
          if (start < 0) {
            sizes[dimension] = static_cast<size_t>(size + start);
            still += static_cast<ptrdiff_t>(-start * other_window[dimension]) * static_cast<ptrdiff_t>(item);
            start = 0;
          } else {
            sizes[dimension] = static_cast<size_t>(whole - start);
          }
        }
      }
      moving += static_cast<ptrdiff_t>(start) * each.stride;
    }
    if (!is_cut)
      apply(block, registers, moving, still);
    else
      apply(StridedCopy(window_rank, sizes, is_read ? other_window : operand_window,
                  is_read ? operand_window : other_window, item),
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

const DecodedInstruction *run_window(const DecodedInstruction *at, unsigned char *registers) {
  static_cast<const WindowAccess &>(*at->detail).one(registers, {});
  return at + 1;
}

const DecodedInstruction *run_windows(const DecodedInstruction *at, unsigned char *registers) {
  const auto &windows = static_cast<const WindowAccess &>(*at->detail);
  std::array<size_t, most_dimensions> place{};
  for (;;) {
    windows.one(registers, place);
    size_t i = windows.batch_rank;
    while (i > 0 && ++place[i - 1] == windows.batch[i - 1])
      place[--i] = 0;
    if (i == 0)
      return at + 1;
  }
}

// A window of one element, at starts in scalar registers.
template <size_t size> const DecodedInstruction *run_element(const DecodedInstruction *at, unsigned char *registers) {
  const auto &windows = static_cast<const WindowAccess &>(*at->detail);
  unsigned char *moving = windows.operand.find(registers), *still = windows.other.find(registers);
  for (const StartComponent &each : windows.components) {
    int64_t start = each.load(registers + each.start.slot);
    if (start < 0 || start > each.limit) {
      if (!windows.clamps)
        return at + 1;
      start = start < 0 ? 0 : each.limit;
    }
    moving += static_cast<ptrdiff_t>(start) * each.stride;
  }
  if (windows.is_read)
    std::memcpy(still, moving, size);
  else
    std::memcpy(moving, still, size);
  return at + 1;
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
    return run_element<size>;
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
  default:
    return element_handler<8>(windows, is_plain);
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
  windows.is_read = is_read;
  const auto combination = static_cast<int>(numbers.next(-1, 1 << 20));
  if (combination >= 0 && is_complex(frame.types[operand]))
    throw ProgramError("windows must be combined with real numbers");
  const size_t component_count = numbers.rank();
  const size_t batch_count = product(windows.batch, batch_rank), count = product(windows.window, window_rank);
  if (count && batch_count > static_cast<size_t>(most_elements) / count)
    throw ProgramError("an instruction must take fewer elements");

  Extent moving(operand_offset), still(other_offset);
  moving.add(windows.batch, operand_batch, batch_rank);
  moving.add(windows.window, windows.operand_window, window_rank);
  still.add(windows.batch, other_batch, batch_rank);
  still.add(windows.window, windows.other_window, window_rank);
  bool has_scalar_starts = true;
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
        throw ProgramError("a dimension of windows must move by its own stride, and be moved once");
      is_moved[dimension] = true;
    }
    each.start = RegisterRef(frame, index, offset);
    each.load = index_loader(frame.types[index]);
    each.batch = in_bytes(batch, size_of(frame.types[index]));
    each.stride = static_cast<ptrdiff_t>(stride) * static_cast<ptrdiff_t>(item);
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
  windows.scratch = frame.scratch();
  if (combination >= 0) {
    const uint32_t to = operand;
    const Opcode &found = check_operation(frame.types, {combination, to, to, to, to});
    if (found.arity != 2 || is_read)
      throw ProgramError("windows must be combined by an operation of two operands, where they are written");
    windows.sweep = kernel_of(combination).sweep;
    if (const int canonical = find_opcode("canonical_nan", found.result, found.result); canonical >= 0)
      windows.canonical = kernel_of(canonical).sweep;
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
  DecodedArrayOp made{run_windows, nullptr, batch_count * (count + 8), sweep_block * 8};
  if (batch_count == 1) {
    made.handler = run_window;
    if (count == 1 && has_scalar_starts && !windows.sweep) {
      const bool is_plain = component_count == 1 && windows.components[0].load == load_index<int32_t> &&
                            windows.other.is_scalar && !windows.operand.is_scalar;
      made.handler = element_handler(windows, is_plain);
      if (is_plain) {
        made.a = windows.components[0].start.slot;
        made.b = windows.operand.slot;
        made.to = windows.other.slot;
      }
    }
  }
  made.detail = std::move(result);
  return made;
}

} // namespace hlokit::vm
