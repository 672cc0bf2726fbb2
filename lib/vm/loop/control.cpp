#include "vm/loop/control.h"

#include <algorithm>

#include "vm/loop/arrays.h"
#include "vm/loop/loop.h"

namespace hlokit::vm {
namespace {

const DecodedInstruction *go(const DecodedInstruction *at, unsigned char *) { return at + at->jump; }

const DecodedInstruction *go_if(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? at + at->jump : next(at, registers);
}

const DecodedInstruction *go_if_not(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? next(at, registers) : at + at->jump;
}

// Backward jumps stop the run when the budget is spent, and store where to continue: `to` is the index of the target,
// `c` the cost of the jump.
const DecodedInstruction *back(const DecodedInstruction *at, unsigned char *registers) {
  if ((reserved_word(registers, 0) -= at->c) > 0)
    return at + at->jump;
  reserved_word(registers, 1) = at->to;
  reserved_word(registers, 2) = Loop::spent;
  return nullptr;
}

const DecodedInstruction *back_if(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? back(at, registers) : next(at, registers);
}

const DecodedInstruction *back_if_not(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? next(at, registers) : back(at, registers);
}

// `a` is the number of the call, and `to` the index of the next instruction.
const DecodedInstruction *stop_to_call(const DecodedInstruction *at, unsigned char *registers) {
  reserved_word(registers, 1) = at->to;
  reserved_word(registers, 2) = at->a;
  return nullptr;
}

const DecodedInstruction *end(const DecodedInstruction *, unsigned char *registers) {
  reserved_word(registers, 1) = reserved_word(registers, 2) = Loop::ended;
  return nullptr;
}

} // namespace

DecodedInstruction decode_jump(const Instruction &instruction, size_t at, size_t target, size_t work) {
  const bool goes_back = target <= at, is_always = instruction.opcode == jump;
  const Handler handler = is_always                       ? (goes_back ? back : go)
                          : instruction.opcode == jump_if ? (goes_back ? back_if : go_if)
                                                          : (goes_back ? back_if_not : go_if_not);
  const auto cost = static_cast<uint32_t>(std::min<size_t>(std::max<size_t>(work / 8, 1), 1 << 30));
  const uint32_t condition = is_always ? 0 : Frame::slot(instruction.operands[0]);
  DecodedInstruction result = instruction_of(handler, static_cast<uint32_t>(target), condition, 0, cost);
  result.jump = static_cast<int32_t>(static_cast<int64_t>(target) - static_cast<int64_t>(at));
  return result;
}

DecodedInstruction decode_stop(uint32_t number, size_t next) {
  return instruction_of(stop_to_call, static_cast<uint32_t>(next), number);
}

DecodedInstruction decode_end() { return instruction_of(end); }

} // namespace hlokit::vm
