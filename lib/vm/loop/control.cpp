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
  const bool goes_back = target <= at;
  DecodedInstruction result{};
  result.to = static_cast<uint32_t>(target);
  result.jump = static_cast<int32_t>(static_cast<int64_t>(target) - static_cast<int64_t>(at));
  result.c = static_cast<uint32_t>(std::min<size_t>(std::max<size_t>(work / 8, 1), 1 << 30));
  if (instruction.opcode == jump) {
    result.handler = goes_back ? back : go;
    return result;
  }
  result.a = Frame::slot(instruction.a);
  if (instruction.opcode == jump_if)
    result.handler = goes_back ? back_if : go_if;
  else
    result.handler = goes_back ? back_if_not : go_if_not;
  return result;
}

DecodedInstruction decode_stop(uint32_t number, size_t next) {
  DecodedInstruction result{};
  result.handler = stop_to_call;
  result.a = number;
  result.to = static_cast<uint32_t>(next);
  return result;
}

DecodedInstruction decode_end() {
  DecodedInstruction result{};
  result.handler = end;
  return result;
}

} // namespace hlokit::vm
