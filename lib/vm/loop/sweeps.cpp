// Pointwise operations on arrays, as sweeps: one by one if the arrays fit into a block, otherwise a block of elements at a
// time.
#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "support/by_size.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

template <size_t size> void copy_elements(void *to, const void *a, const void *, const void *, size_t count) {
  copy_row_bytes(static_cast<unsigned char *>(to), static_cast<const unsigned char *>(a), count * size);
}
template <size_t size> void fill_elements(void *to, const void *a, const void *, const void *, size_t count) {
  fill_row<size>(static_cast<unsigned char *>(to), static_cast<const unsigned char *>(a), count);
}
Sweep copy_of(size_t item) { return by_size(item, [](auto size) -> Sweep { return copy_elements<size>; }); }
Sweep fill_of(size_t item) { return by_size(item, [](auto size) -> Sweep { return fill_elements<size>; }); }

const DecodedInstruction *run_sweep(const DecodedInstruction *at, unsigned char *registers) {
  at->sweep(address_in(registers, at->to), address_in(registers, at->a), address_in(registers, at->b),
            address_in(registers, at->c), at->count);
  return next(at, registers);
}

// A sweep, or a move to a place.
struct BlockCall {
  SweepCall sweep;
  std::unique_ptr<const BlockMove> move;
};

// Sweeps over arrays of several blocks, and moves to them, after fills of one block.
struct BlockedSweeps : Detail {
  size_t count, block = sweep_block;
  std::vector<SweepCall> fills;
  std::vector<BlockCall> calls;
};

const DecodedInstruction *run_blocks(const DecodedInstruction *at, unsigned char *registers) {
  const auto &sweeps = static_cast<const BlockedSweeps &>(*at->detail);
  const auto run = [&](const SweepCall &call, size_t start, size_t length) {
    const auto find = [&](Place place) { return address_in(registers, place.slot) + start * place.step; };
    call.sweep(find(call.to), find(call.operands[0]), find(call.operands[1]), find(call.operands[2]), length);
  };
  for (const SweepCall &fill : sweeps.fills)
    run(fill, 0, sweep_block);
  for (size_t start = 0; start < sweeps.count; start += sweeps.block) {
    const size_t length = std::min(sweeps.block, sweeps.count - start);
    for (const BlockCall &call : sweeps.calls)
      if (call.move)
        call.move->run(registers, address_in(registers, call.sweep.to.slot) + start * call.sweep.to.step, start, start + length);
      else
        run(call.sweep, start, length);
  }
  return at + 1;
}

} // namespace

std::vector<SweepCall> Sweeps::decode(const Instruction &instruction) {
  const Kernel &kernel = kernel_of(instruction.opcode);
  const uint32_t result = instruction.results[0];
  const size_t block = std::min(frame_.count(result), sweep_block);
  Registers operands = instruction.operands;
  unsigned ones = 0;
  for (size_t i = 0; i < operands.size(); ++i)
    ones |= frame_.is_scalar(operands[i]) ? 1u << i : 0;
  // Kernels write to no operand.
  const bool is_aside = std::find(operands.begin(), operands.end(), result) != operands.end();
  while (operands.size() < 3) // those that the operation lacks
    operands.push_back(operands[0]);
  SweepCall call{kernel.sweep, locate(result), {}};
  bool takes_scalars = false;
  for (const BroadcastSweep &broadcast : kernel.broadcasts)
    if (ones && broadcast.sweep && broadcast.ones == ones) {
      call.sweep = broadcast.sweep;
      takes_scalars = true;
    }
  std::vector<SweepCall> calls;
  for (size_t i = 0; i < 3; ++i) {
    if (!frame_.is_scalar(operands[i]))
      call.operands[i] = locate(operands[i]);
    else if (takes_scalars)
      call.operands[i] = {frame_.addresses.of_scalar(Frame::slot(operands[i])), 0};
    else
      call.operands[i] = filled(operands[i], block, calls);
  }
  const Place to = call.to, aside{frame_.addresses.of_scratch(0), 0};
  call.to = is_aside ? aside : to;
  calls.push_back(call);
  if (is_aside)
    calls.push_back({copy_of(size_of(frame_.types[result])), to, {aside, aside, aside}});
  most_used_ = std::max(most_used_, used_);
  return calls;
}

Place Sweeps::locate(uint32_t index) const {
  const size_t step = frame_.is_local[index] ? 0 : size_of(frame_.types[index]);
  return {Frame::slot(index), static_cast<uint8_t>(step)};
}

Place Sweeps::filled(uint32_t scalar, size_t count, std::vector<SweepCall> &calls) {
  for (const Filled &each : filled_)
    if (each.scalar == scalar && each.count >= count)
      return each.place;
  const size_t size = size_of(frame_.types[scalar]);
  const Place place{frame_.addresses.of_scratch(used_), 0}, from{frame_.addresses.of_scalar(Frame::slot(scalar)), 0};
  used_ += (size * count + 63) / 64 * 64;
  filled_.push_back({scalar, count, place});
  calls.push_back({fill_of(size), place, {from, from, from}, true});
  return place;
}

void Sweeps::forget() {
  filled_.clear();
  used_ = result_bytes;
}

void Sweeps::forget(uint32_t scalar) {
  filled_.erase(std::remove_if(filled_.begin(), filled_.end(), [&](const Filled &each) { return each.scalar == scalar; }),
                filled_.end());
}

std::vector<DecodedInstruction> Sweeps::decode_alone(const Instruction &instruction) {
  constexpr size_t most_filled = size_t(1) << 16; // then further fills reuse the memory from the beginning
  if (used_ > most_filled)
    forget();
  std::vector<DecodedInstruction> code;
  for (const SweepCall &call : decode(instruction)) {
    code.push_back(instruction_of(run_sweep, call.to.slot, call.operands[0].slot, call.operands[1].slot,
                                  call.operands[2].slot));
    code.back().count = static_cast<uint32_t>(frame_.count(instruction.results[0]));
    code.back().sweep = call.sweep;
  }
  return code;
}

DecodedArrayOp Sweeps::decode_blocks(const Instruction *begin, const Instruction *end) {
  forget();
  auto result = std::make_unique<BlockedSweeps>();
  result->count = frame_.count(begin->results[0]);
  size_t work = 0, row = 1;
  for (const Instruction *instruction = begin; instruction != end; ++instruction) {
    if (instruction->opcode == move) {
      result->calls.push_back({{nullptr, locate(instruction->results[0]), {}}, block_move(frame_, *instruction)});
      row = std::lcm(row, result->calls.back().move->row);
      work += result->count;
      continue;
    }
    for (const SweepCall &call : decode(*instruction))
      if (call.is_fill)
        result->fills.push_back(call);
      else
        result->calls.push_back({call, nullptr});
    work += result->count * opcodes().rows[instruction->opcode].cost;
  }
  result->block = sweep_block / row * row;
  forget();
  return {run_blocks, std::move(result), work, 0};
}

} // namespace hlokit::vm
