// Copies, and operations on arrays of one size a block of elements at a time.
#include "vm_arrays.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "vm_checks.h"
#include "vm_strided.h"

namespace hlokit::vm {

// Copies --------------------------------------------------------------------------------------------------

namespace {

struct Move : Detail {
  Side to, from;
  Block block;
};

const Instruction *step_move(const Instruction *at, unsigned char *registers) {
  const auto &move = static_cast<const Move &>(*at->detail);
  move.block.copy(move.to.find(registers), move.from.find(registers));
  return at + 1;
}

} // namespace

Made make_move(const Frame &frame, const Source &source, const Numbers &given) {
  check_whole(frame, source.to);
  check_whole(frame, source.a);
  check_same_type(frame, source.to, source.a);
  check_apart(source.to, source.a);
  NumberReader numbers(given);
  const size_t rank = numbers.rank();
  const Sizes sizes = numbers.sizes(rank);
  const int64_t from_offset = numbers.any();
  const Strides from = numbers.strides(rank);
  const int64_t to_offset = numbers.any();
  const Strides to = numbers.strides(rank);
  numbers.end();
  const size_t count = product(sizes, rank);
  if (count == 0)
    return {rest, nullptr, 0, 0};
  Extent read(from_offset), written(to_offset);
  read.add(sizes, from, rank);
  written.add(sizes, to, rank);
  read.check(frame.count(source.a));
  written.check(frame.count(source.to));
  auto result = std::make_unique<Move>();
  result->to = Side(frame, source.to, to_offset);
  result->from = Side(frame, source.a, from_offset);
  result->block = Block(rank, sizes, to, from, size_of(frame.types[source.to]));
  return {step_move, std::move(result), count, 0};
}
// Sweeps --------------------------------------------------------------------------------------------------

namespace {

// Where elements are: at what a slot points to and beyond, `step` bytes an element; or a scalar, in its slot.
struct Place {
  uint32_t slot = 0;
  size_t offset = 0, step = 0;
  bool is_scalar = false;

  unsigned char *find(unsigned char *registers, size_t start) const {
    if (is_scalar)
      return registers + slot;
    unsigned char *result;
    std::memcpy(&result, registers + slot, sizeof result);
    return result + offset + start * step;
  }
};

struct Fill {
  uint32_t scalar;
  Place to;
  Block::Row row;
};

struct Item {
  Sweep sweep;
  size_t arity, size;
  Place to, operands[3];
  bool is_aside; // the result is an operand: computed elsewhere first
};

struct Sweeps : Detail {
  size_t count;
  std::vector<Fill> fills;
  std::vector<Item> items;
  Place aside;
};

const Instruction *step_sweeps(const Instruction *at, unsigned char *registers) {
  const auto &sweeps = static_cast<const Sweeps &>(*at->detail);
  for (const Fill &fill : sweeps.fills)
    fill.row(fill.to.find(registers, 0), registers + fill.scalar, 0, 0, std::min(sweeps.count, sweep_block));
  for (size_t start = 0; start < sweeps.count; start += sweep_block) {
    size_t length = std::min(sweep_block, sweeps.count - start);
    for (const Item &item : sweeps.items) {
      const void *operands[3] = {};
      for (size_t i = 0; i < item.arity; ++i)
        operands[i] = item.operands[i].find(registers, start);
      unsigned char *to = item.to.find(registers, start);
      if (!item.is_aside) {
        item.sweep(to, operands[0], operands[1], operands[2], length);
        continue;
      }
      unsigned char *result = sweeps.aside.find(registers, start);
      item.sweep(result, operands[0], operands[1], operands[2], length);
      std::memcpy(to, result, length * item.size);
    }
  }
  return at + 1;
}

} // namespace

Made make_sweeps(const Frame &frame, const Source *begin, const Source *end) {
  auto result = std::make_unique<Sweeps>();
  Sweeps &sweeps = *result;
  sweeps.count = frame.count(begin->to);
  const size_t pitch = 8 * std::min(sweep_block, sweeps.count) + 64;
  auto buffer = [&](size_t number) { return Place{frame.scratch(), number * pitch, 0, false}; };
  sweeps.aside = buffer(0);
  size_t buffers = 1, work = 0;
  std::vector<std::pair<uint32_t, Place>> filled;
  auto place_of = [&](uint32_t index) {
    size_t size = size_of(frame.types[index]);
    if (!frame.is_scalar(index))
      return Place{Frame::slot(index), 0, frame.is_local[index] ? 0 : size, false};
    for (const auto &[scalar, place] : filled)
      if (scalar == index)
        return place;
    Place place = buffer(buffers++);
    filled.emplace_back(index, place);
    Block fill(1, {2}, {1}, {0}, size);
    sweeps.fills.push_back({Frame::slot(index), place, fill.row});
    return place;
  };
  for (const Source *source = begin; source != end; ++source) {
    const Operation &found = check_operation(frame.types, *source);
    const uint32_t operands[] = {source->a, source->b, source->c};
    Item item{};
    item.sweep = found.sweep;
    item.arity = found.arity;
    item.size = size_of(found.to);
    item.to = place_of(source->to);
    unsigned ones = 0;
    for (size_t i = 0; i < found.arity; ++i)
      ones |= frame.is_scalar(operands[i]) ? 1u << i : 0;
    bool takes_ones = false; // or else they are repeated first
    for (const Variant &variant : found.variants)
      if (ones && variant.sweep && variant.ones == ones) {
        item.sweep = variant.sweep;
        takes_ones = true;
      }
    for (size_t i = 0; i < found.arity; ++i) {
      if (!frame.is_scalar(operands[i]) && frame.count(operands[i]) != sweeps.count)
        throw ProgramError("operands must have as many elements as the result");
      item.is_aside = item.is_aside || operands[i] == source->to;
      item.operands[i] = takes_ones && frame.is_scalar(operands[i])
                             ? Place{Frame::slot(operands[i]), 0, 0, true}
                             : place_of(operands[i]);
    }
    sweeps.items.push_back(item);
    work += sweeps.count * found.cost;
  }
  return {step_sweeps, std::move(result), work, buffers * pitch};
}

} // namespace hlokit::vm
