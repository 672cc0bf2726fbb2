// Pointwise operations on arrays of one size, a block of elements at a time.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

// A scalar, repeated in memory before the sweeps.
struct Fill {
  StridedCopy::Row row;
  uint32_t scalar, to;
};

// An operand or the result of a sweep: the slot with its address, and the bytes from one element to the next one; none where
// every block begins at the same place.
struct Place {
  uint32_t slot;
  uint8_t step;
};

// A sweep over a block. The operands that an operation lacks repeat its first one.
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

void fill_all(const Sweeps &sweeps, unsigned char *registers) {
  for (const Fill &fill : sweeps.fills)
    fill.row(address_in(registers, fill.to), registers + fill.scalar, 0, 0, std::min(sweeps.count, sweep_block));
}

// All arrays fit in a block.
const DecodedInstruction *run_block(const DecodedInstruction *at, unsigned char *registers) {
  const auto &sweeps = static_cast<const Sweeps &>(*at->detail);
  fill_all(sweeps, registers);
  const size_t count = sweeps.count;
  for (const Item &item : sweeps.items)
    item.sweep(address_in(registers, item.to), address_in(registers, item.operands[0]),
               address_in(registers, item.operands[1]), address_in(registers, item.operands[2]), count);
  return at + 1;
}

const DecodedInstruction *run_blocks(const DecodedInstruction *at, unsigned char *registers) {
  const auto &sweeps = static_cast<const Sweeps &>(*at->detail);
  fill_all(sweeps, registers);
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
  std::memcpy(to, a, count * size);
}

Sweep copy_of(size_t size) {
  switch (size) {
  case 1:
    return copy_elements<1>;
  case 2:
    return copy_elements<2>;
  case 4:
    return copy_elements<4>;
  default:
    return copy_elements<8>;
  }
}

class SweepsBuilder {
public:
  SweepsBuilder(const Frame &frame, size_t count)
      : frame_(frame), pitch_(8 * std::min(sweep_block, count) + 64), result_(std::make_unique<Sweeps>()) {
    result_->count = count;
  }

  void add(const Instruction &instruction) {
    const Opcode &found = check_operation(frame_.types, instruction);
    const Kernel &kernel = kernel_of(instruction.opcode);
    const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
    unsigned ones = 0;
    for (size_t i = 0; i < found.arity; ++i)
      ones |= frame_.is_scalar(operands[i]) ? 1u << i : 0;
    Item item{};
    item.sweep = kernel.sweep;
    bool takes_ones = false; // otherwise scalars are first repeated in a buffer
    for (const BroadcastSweep &broadcast : kernel.broadcasts)
      if (ones && broadcast.sweep && broadcast.ones == ones) {
        item.sweep = broadcast.sweep;
        takes_ones = true;
      }
    bool is_aside = false; // the result is also an operand: it is computed in a buffer first
    for (size_t i = 0; i < found.arity; ++i) {
      if (!frame_.is_scalar(operands[i]) && frame_.count(operands[i]) != result_->count)
        throw ProgramError("operands must have as many elements as the result");
      is_aside = is_aside || operands[i] == instruction.to;
      set_operand(item, i, takes_ones && frame_.is_scalar(operands[i])
                               ? Place{frame_.addresses.of_scalar(Frame::slot(operands[i])), 0}
                               : locate(operands[i]));
    }
    for (size_t i = found.arity; i < 3; ++i)
      set_operand(item, i, {item.operands[0], item.steps[0]});
    const Place to = locate(instruction.to), aside{frame_.addresses.of_scratch(0), 0};
    set_result(item, is_aside ? aside : to);
    result_->items.push_back(item);
    if (is_aside) {
      Item copy{};
      copy.sweep = copy_of(size_of(found.result));
      set_result(copy, to);
      for (size_t i = 0; i < 3; ++i)
        set_operand(copy, i, aside);
      result_->items.push_back(copy);
    }
    work_ += result_->count * found.cost;
  }

  DecodedArrayOp finish() {
    return {result_->count <= sweep_block ? run_block : run_blocks, std::move(result_), work_, buffers_ * pitch_};
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
    const Place place{frame_.addresses.of_scratch(buffers_++ * pitch_), 0};
    filled_.emplace_back(index, place);
    StridedCopy fill(1, {2}, {1}, {0}, size);
    result_->fills.push_back({fill.row, Frame::slot(index), place.slot});
    return place;
  }

  const Frame &frame_;
  const size_t pitch_; // of buffers
  std::unique_ptr<Sweeps> result_;
  size_t buffers_ = 1, work_ = 0; // the first buffer is that of results
  std::vector<std::pair<uint32_t, Place>> filled_;
};

} // namespace

DecodedArrayOp decode_sweeps(const Frame &frame, const Instruction *begin, const Instruction *end) {
  SweepsBuilder builder(frame, frame.count(begin->to));
  for (const Instruction *instruction = begin; instruction != end; ++instruction)
    builder.add(*instruction);
  return builder.finish();
}

} // namespace hlokit::vm
