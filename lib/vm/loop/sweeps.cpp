// Pointwise operations on arrays: one by one if the arrays fit into a block, otherwise a block of elements at a time.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "support/copy_memory.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

// How to compute an operation: whether the sweep takes scalars directly or repeated in memory, and whether the result
// is also an operand, which requires a buffer.
struct Choice {
  Sweep sweep;
  size_t arity, size;
  bool takes_scalars = false, is_aside = false;
};

Choice choose(const Frame &frame, const Instruction &instruction) {
  const Opcode &found = opcodes().rows[instruction.opcode];
  const Kernel &kernel = kernel_of(instruction.opcode);
  const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
  Choice result{kernel.sweep, found.arity, size_of(found.result)};
  unsigned ones = 0;
  for (size_t i = 0; i < found.arity; ++i) {
    ones |= frame.is_scalar(operands[i]) ? 1u << i : 0;
    result.is_aside = result.is_aside || operands[i] == instruction.to;
  }
  for (const BroadcastSweep &broadcast : kernel.broadcasts)
    if (ones && broadcast.sweep && broadcast.ones == ones) {
      result.sweep = broadcast.sweep;
      result.takes_scalars = true;
    }
  return result;
}

// A scalar, repeated in memory before the sweeps.
struct Fill {
  StridedCopy::Row row;
  uint32_t scalar, to;
};

// An operand or the result of a sweep: the slot with its address, and the bytes from one element to the next one; none
// if every block begins at the same place.
struct Place {
  uint32_t slot;
  uint8_t step;
};

// A sweep over a block. Operands that an operation lacks repeat its first operand.
struct Item {
  Sweep sweep;
  uint32_t to, operands[3];
  uint8_t to_step, steps[3];
};

struct Sweeps : Detail {
  size_t count;
  std::vector<Fill> fills;
  std::vector<Item> items;
};

const DecodedInstruction *run_blocks(const DecodedInstruction *at, unsigned char *registers) {
  const auto &sweeps = static_cast<const Sweeps &>(*at->detail);
  for (const Fill &fill : sweeps.fills)
    fill.row(address_in(registers, fill.to), registers + fill.scalar, 0, 0, sweep_block);
  for (size_t start = 0; start < sweeps.count; start += sweep_block) {
    const size_t length = std::min(sweep_block, sweeps.count - start);
    const auto find = [&](uint32_t slot, uint8_t step) { return address_in(registers, slot) + start * step; };
    for (const Item &item : sweeps.items)
      item.sweep(find(item.to, item.to_step), find(item.operands[0], item.steps[0]),
                 find(item.operands[1], item.steps[1]), find(item.operands[2], item.steps[2]), length);
  }
  return at + 1;
}

template <size_t size> void copy_elements(void *to, const void *a, const void *, const void *, size_t count) {
  copy_memory(to, a, count * size);
}

Sweep copy_of(size_t size) {
  switch (size) {
  case 1:
    return copy_elements<1>;
  case 2:
    return copy_elements<2>;
  case 4:
    return copy_elements<4>;
  case 8:
    return copy_elements<8>;
  default:
    return copy_elements<16>;
  }
}

class SweepsBuilder {
public:
  SweepsBuilder(const Frame &frame, size_t count)
      : frame_(frame), result_(std::make_unique<Sweeps>()) {
    result_->count = count;
  }

  void add(const Instruction &instruction) {
    const Choice chosen = choose(frame_, instruction);
    const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
    Item item{};
    item.sweep = chosen.sweep;
    for (size_t i = 0; i < 3; ++i) {
      const uint32_t operand = operands[i < chosen.arity ? i : 0];
      set_operand(item, i, chosen.takes_scalars && frame_.is_scalar(operand)
                               ? Place{frame_.addresses.of_scalar(Frame::slot(operand)), 0}
                               : locate(operand));
    }
    const Place to = locate(instruction.to), aside{frame_.addresses.of_scratch(0), 0};
    set_result(item, chosen.is_aside ? aside : to);
    result_->items.push_back(item);
    if (chosen.is_aside) {
      Item copy{};
      copy.sweep = copy_of(chosen.size);
      set_result(copy, to);
      for (size_t i = 0; i < 3; ++i)
        set_operand(copy, i, aside);
      result_->items.push_back(copy);
    }
    work_ += result_->count * opcodes().rows[instruction.opcode].cost;
  }

  DecodedArrayOp finish() {
    return {run_blocks, std::move(result_), work_, result_bytes + filled_.size() * pitch};
  }

private:
  static void set_operand(Item &item, size_t i, Place place) {
    item.operands[i] = place.slot;
    item.steps[i] = place.step;
  }
  static void set_result(Item &item, Place place) {
    item.to = place.slot;
    item.to_step = place.step;
  }

  Place locate(uint32_t index) {
    const size_t size = size_of(frame_.types[index]);
    if (!frame_.is_scalar(index))
      return {Frame::slot(index), static_cast<uint8_t>(frame_.is_local[index] ? 0 : size)};
    for (const auto &[scalar, place] : filled_)
      if (scalar == index)
        return place;
    const Place place{frame_.addresses.of_scratch(result_bytes + filled_.size() * pitch), 0};
    filled_.emplace_back(index, place);
    result_->fills.push_back({filler(size), Frame::slot(index), place.slot});
    return place;
  }

  const Frame &frame_;
  static constexpr size_t pitch = 8 * sweep_block + 64; // of the buffers of scalars
  std::unique_ptr<Sweeps> result_;
  size_t work_ = 0;
  std::vector<std::pair<uint32_t, Place>> filled_;
};

} // namespace

DecodedArrayOp decode_sweeps(const Frame &frame, const Instruction *begin, const Instruction *end) {
  SweepsBuilder builder(frame, frame.count(begin->to));
  for (const Instruction *instruction = begin; instruction != end; ++instruction)
    builder.add(*instruction);
  return builder.finish();
}

// One by one ----------------------------------------------------------------------------------------------

namespace {

// When fills take this much memory, further fills reuse it from the beginning.
constexpr size_t most_filled = size_t(1) << 16;

const DecodedInstruction *run_sweep(const DecodedInstruction *at, unsigned char *registers) {
  at->sweep(address_in(registers, at->to), address_in(registers, at->a), address_in(registers, at->b),
            address_in(registers, at->c), at->count);
  return next(at, registers);
}

template <size_t size> const DecodedInstruction *run_fill(const DecodedInstruction *at, unsigned char *registers) {
  fill_row<size>(address_in(registers, at->to), registers + at->a, at->count);
  return next(at, registers);
}

Handler fill_handler(size_t size) {
  switch (size) {
  case 1:
    return run_fill<1>;
  case 2:
    return run_fill<2>;
  case 4:
    return run_fill<4>;
  default:
    return run_fill<8>;
  }
}

} // namespace

std::vector<DecodedInstruction> BlockSweeps::decode(const Instruction &instruction) {
  if (used_ > most_filled)
    forget();
  const Choice chosen = choose(frame_, instruction);
  const size_t count = frame_.count(instruction.to);
  const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
  std::vector<DecodedInstruction> code;
  uint32_t slots[3];
  for (size_t i = 0; i < chosen.arity; ++i) {
    const uint32_t slot = Frame::slot(operands[i]);
    slots[i] = !frame_.is_scalar(operands[i]) ? slot
               : chosen.takes_scalars         ? frame_.addresses.of_scalar(slot)
                                              : fill(operands[i], count, code);
  }
  const uint32_t to = Frame::slot(instruction.to);
  uint32_t aside = to;
  if (chosen.is_aside) {
    aside = frame_.addresses.of_scratch(0);
    most_used_ = std::max(most_used_, result_bytes);
  }
  code.push_back(instruction_of(run_sweep, aside, slots[0], slots[chosen.arity > 1 ? 1 : 0], slots[chosen.arity > 2 ? 2 : 0]));
  code.back().count = static_cast<uint32_t>(count);
  code.back().sweep = chosen.sweep;
  if (chosen.is_aside)
    code.push_back(instruction_of(copy_bytes, to, aside, static_cast<uint32_t>(count * chosen.size)));
  return code;
}

void BlockSweeps::forget() {
  filled_.clear();
  used_ = result_bytes;
}

void BlockSweeps::forget(uint32_t scalar) {
  filled_.erase(std::remove_if(filled_.begin(), filled_.end(), [&](const Filled &each) { return each.scalar == scalar; }),
                filled_.end());
}

uint32_t BlockSweeps::fill(uint32_t scalar, size_t count, std::vector<DecodedInstruction> &code) {
  for (const Filled &each : filled_)
    if (each.scalar == scalar && each.count >= count)
      return each.slot;
  const size_t size = size_of(frame_.types[scalar]);
  const uint32_t slot = frame_.addresses.of_scratch(used_);
  used_ += (size * count + 63) / 64 * 64;
  most_used_ = std::max(most_used_, used_);
  filled_.push_back({scalar, count, slot});
  code.push_back(instruction_of(fill_handler(size), slot, Frame::slot(scalar)));
  code.back().count = static_cast<uint32_t>(count);
  return slot;
}

} // namespace hlokit::vm
