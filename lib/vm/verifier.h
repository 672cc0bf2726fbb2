// The verifier of programs.
//
// Engines verify a program once, when they decode it: registers are in range and have the types that operations expect,
// straight-line code computes values before it uses them, and jumps stay inside. Running a program then needs no checks,
// whatever the values. Every operation is defined for all values; none fails. The decoders of instructions on arrays
// (vm/loop/arrays.h) verify the numbers of these instructions while they read them.
//
// All functions throw ProgramError if their condition does not hold.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/regions/combine.h"
#include "vm/instruction.h"

namespace hlokit::vm {

using Types = std::vector<ElementType>;

void check_register(const Types &types, uint32_t index);
void check_type(const Types &types, uint32_t index, ElementType type);
// Returns the opcode of an instruction, which is pointwise, if the registers have the types that it expects.
const Opcode &check_operation(const Types &types, const Instruction &instruction);

// Returns the combination by a pointwise operation, whose operands and result have the type of a register.
const regions::Combination &check_combination(const Types &types, int opcode, uint32_t index);

constexpr int64_t scalar_count = -1; // of a register that holds a scalar
// A bound for sizes, offsets and strides: products of two of them, and sums of such products, fit into 64 bits.
constexpr int64_t most_elements = int64_t(1) << 28;
// A loop. `counts`: elements of each register. Complex numbers are in arrays; a pointwise operation whose result is an array
// takes arrays of the same size, and scalars; jumps lead to instructions or to the end.
void check_loop(const Types &types, const std::vector<int64_t> &counts, const std::vector<Instruction> &program);

// The definitions of straight-line code: each register has one, before all uses.
class Definitions {
public:
  explicit Definitions(const Types &types) : types_(types), is_defined_(types.size()) {}

  bool has(uint32_t index) const { return is_defined_[index]; }
  void add(uint32_t index);
  void check_use(uint32_t index) const;
  // Checks a pointwise operation and its uses, and adds its result. Returns its opcode.
  const Opcode &add(const Instruction &instruction);

private:
  const Types &types_;
  std::vector<bool> is_defined_;
};

} // namespace hlokit::vm
