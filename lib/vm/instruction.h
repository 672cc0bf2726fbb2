// Programs as a compiler produces them, and the checks before they run.
//
// Two interpreters run pointwise operations (vm/opcodes.h):
//   - a Loop (vm/loop/loop.h) computes on scalars and on arrays of fixed sizes, and may jump: loops, with the calls in
//     them inlined;
//   - a FusedProgram (vm/fused/fused_program.h) computes arrays, and reductions of their rows, without jumps: one piece at a
//     time, which stays in the cache, so that only operands and results go through main memory.
// A Body (vm/regions/body.h) is the computation of a region, on scalars and without jumps.
//
// Programs are checked once, on construction: registers are in range and have the types that operations expect, and
// jumps stay inside. Running a program then needs no checks, whatever the values. Every operation is defined for all
// values; none fails.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/elements/type.h"
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

// Each of these functions throws ProgramError if its condition does not hold.

void check_register(const std::vector<ElementType> &types, uint32_t index);
void check_type(const std::vector<ElementType> &types, uint32_t index, ElementType type);
// The type is not complex.
void check_real(const std::vector<ElementType> &types);
// Returns the opcode of an instruction, which is pointwise, if the registers have the types that it expects.
const Opcode &check_operation(const std::vector<ElementType> &types, const Instruction &instruction);

} // namespace hlokit::vm
