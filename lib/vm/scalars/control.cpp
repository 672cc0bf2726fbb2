#include "vm/scalars/control.h"

#include <algorithm>

namespace hlokit::vm {
namespace {

const DecodedInstruction *go(const DecodedInstruction *at, unsigned char *registers) { return jump_from(at, registers); }

const DecodedInstruction *go_if(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? jump_from(at, registers) : next(at, registers);
}

const DecodedInstruction *go_if_not(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? next(at, registers) : jump_from(at, registers);
}

// `a` is the number of the call, and `to` the index of the next instruction.
const DecodedInstruction *stop_to_call(const DecodedInstruction *at, unsigned char *registers) {
  reserved_word(registers, reserved_words::place) = at->to;
  reserved_word(registers, reserved_words::reason) = at->a;
  return nullptr;
}

const DecodedInstruction *end(const DecodedInstruction *, unsigned char *registers) {
  reserved_word(registers, reserved_words::place) = reasons::ended;
  reserved_word(registers, reserved_words::reason) = reasons::ended;
  return nullptr;
}

} // namespace

DecodedInstruction decode_jump(const Instruction &instruction, size_t at, size_t target, size_t work) {
  const bool is_always = instruction.opcode == jump;
  const Handler handler = is_always ? go : instruction.opcode == jump_if ? go_if : go_if_not;
  const auto cost = static_cast<uint32_t>(std::min<size_t>(std::max<size_t>(work / 8, 1), 1 << 30));
  const uint32_t condition = is_always ? 0 : slot_of(instruction.operands[0]);
  DecodedInstruction result = instruction_of(handler, static_cast<uint32_t>(target), condition, 0, cost);
  result.jump = static_cast<int32_t>(static_cast<int64_t>(target) - static_cast<int64_t>(at));
  return result;
}

DecodedInstruction decode_stop(uint32_t number, size_t next) {
  return instruction_of(stop_to_call, static_cast<uint32_t>(next), number);
}

DecodedInstruction decode_end() { return instruction_of(end); }

} // namespace hlokit::vm
