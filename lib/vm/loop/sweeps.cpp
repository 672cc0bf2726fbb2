// Moves of elements, and pointwise operations on arrays of one size, a block of elements at a time.
#include "vm/loop/arrays.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "vm/instruction.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {

// Moves --------------------------------------------------------------------------------------------------

namespace {

struct Move : Detail {
  RegisterRef to, from;
  StridedCopy block;
};

const DecodedInstruction *run_move(const DecodedInstruction *at, unsigned char *registers) {
  const auto &move = static_cast<const Move &>(*at->detail);
  move.block.copy(move.to.find(registers), move.from.find(registers));
  return at + 1;
}

} // namespace

DecodedArrayOp decode_move(const Frame &frame, const Instruction &instruction, const Numbers &given) {
  check_whole(frame, instruction.to);
  check_whole(frame, instruction.a);
  check_same_type(frame, instruction.to, instruction.a);
  check_apart(instruction.to, instruction.a);
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
    return {return_to_loop, nullptr, 0, 0};
  Extent read(from_offset), written(to_offset);
  read.add(sizes, from, rank);
  written.add(sizes, to, rank);
  read.check(frame.count(instruction.a));
  written.check(frame.count(instruction.to));
  auto result = std::make_unique<Move>();
  result->to = RegisterRef(frame, instruction.to, to_offset);
  result->from = RegisterRef(frame, instruction.a, from_offset);
  result->block = StridedCopy(rank, sizes, to, from, size_of(frame.types[instruction.to]));
  return {run_move, std::move(result), count, 0};
}

// Sweeps --------------------------------------------------------------------------------------------------

namespace {

// Where a sweep finds elements: in the array that a slot points to, `step` bytes apart; or a scalar in the slot.
struct Location {
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
  Location to;
  StridedCopy::Row row;
};

struct Item {
  Sweep sweep;
  size_t arity, size;
  Location to, operands[3];
  bool is_aside; // the result is also an operand: it is computed in a buffer first
};

struct Sweeps : Detail {
  size_t count;
  std::vector<Fill> fills;
  std::vector<Item> items;
  Location aside;
};

const DecodedInstruction *run_sweeps(const DecodedInstruction *at, unsigned char *registers) {
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

DecodedArrayOp decode_sweeps(const Frame &frame, const Instruction *begin, const Instruction *end) {
  auto result = std::make_unique<Sweeps>();
  Sweeps &sweeps = *result;
  sweeps.count = frame.count(begin->to);
  const size_t pitch = 8 * std::min(sweep_block, sweeps.count) + 64;
  auto buffer = [&](size_t number) { return Location{frame.scratch(), number * pitch, 0, false}; };
  sweeps.aside = buffer(0);
  size_t buffers = 1, work = 0;
  std::vector<std::pair<uint32_t, Location>> filled;
  auto locate = [&](uint32_t index) {
    size_t size = size_of(frame.types[index]);
    if (!frame.is_scalar(index))
      return Location{Frame::slot(index), 0, frame.is_local[index] ? 0 : size, false};
    for (const auto &[scalar, place] : filled)
      if (scalar == index)
        return place;
    Location place = buffer(buffers++);
    filled.emplace_back(index, place);
    StridedCopy fill(1, {2}, {1}, {0}, size);
    sweeps.fills.push_back({Frame::slot(index), place, fill.row});
    return place;
  };
  for (const Instruction *instruction = begin; instruction != end; ++instruction) {
    const Opcode &found = check_operation(frame.types, *instruction);
    const Kernel &kernel = kernel_of(instruction->opcode);
    const uint32_t operands[] = {instruction->a, instruction->b, instruction->c};
    Item item{};
    item.sweep = kernel.sweep;
    item.arity = found.arity;
    item.size = size_of(found.result);
    item.to = locate(instruction->to);
    unsigned ones = 0;
    for (size_t i = 0; i < found.arity; ++i)
      ones |= frame.is_scalar(operands[i]) ? 1u << i : 0;
    bool takes_ones = false; // otherwise scalars are first repeated in a buffer
    for (const BroadcastSweep &broadcast : kernel.broadcasts)
      if (ones && broadcast.sweep && broadcast.ones == ones) {
        item.sweep = broadcast.sweep;
        takes_ones = true;
      }
    for (size_t i = 0; i < found.arity; ++i) {
      if (!frame.is_scalar(operands[i]) && frame.count(operands[i]) != sweeps.count)
        throw ProgramError("operands must have as many elements as the result");
      item.is_aside = item.is_aside || operands[i] == instruction->to;
      item.operands[i] = takes_ones && frame.is_scalar(operands[i])
                             ? Location{Frame::slot(operands[i]), 0, 0, true}
                             : locate(operands[i]);
    }
    sweeps.items.push_back(item);
    work += sweeps.count * found.cost;
  }
  return {run_sweeps, std::move(result), work, buffers * pitch};
}

} // namespace hlokit::vm
