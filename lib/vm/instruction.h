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

#include "vm/opcodes.h"

namespace hlokit::vm {

// Registers and jump targets are indices.
struct Instruction {
  int opcode;
  uint32_t to, a, b, c;
};

// A malformed program, or arrays that do not fit a program.
struct ProgramError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

inline bool is_jump(const Instruction &instruction) {
  return instruction.opcode <= jump && instruction.opcode >= jump_if_not;
}

} // namespace hlokit::vm
