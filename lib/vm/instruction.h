// Programs as a compiler produces them.
//
// Two engines run pointwise operations (vm/opcodes.h), after vm/verifier.h has verified the program:
//   - a Loop (vm/loop/loop.h) computes on scalars and on arrays of fixed sizes, and may jump: loops, with the calls in
//     them inlined;
//   - a FusedProgram (vm/fused/fused_program.h) computes arrays, and reductions of their rows, without jumps: one piece at a
//     time, which stays in the cache, so that only operands and results go through main memory.
// A Body (vm/regions/body.h) is the computation of a region, on scalars and without jumps.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "vm/opcodes.h"

namespace hlokit::vm {

using Registers = std::vector<uint32_t>;
using Numbers = std::vector<int64_t>;

// A pointwise operation has one result and the operands of its opcode; the fields of others are those of instructions.inc.
struct Instruction {
  int opcode;
  Registers results, operands;
  Numbers numbers;
};

// A malformed program, or arrays that do not fit a program.
struct ProgramError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

inline bool is_jump(const Instruction &instruction) {
  return instruction.opcode <= jump && instruction.opcode >= jump_if_not;
}
// The target of a jump that has been verified.
inline size_t target_of(const Instruction &instruction) { return static_cast<size_t>(instruction.numbers[0]); }

} // namespace hlokit::vm
