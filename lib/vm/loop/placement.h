// How a loop computes its arrays: which instructions run a block of elements at a time, and where arrays are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {

// Calls visit(register, is_written) for each register that an instruction reads or writes. Those of instructions on arrays
// have not been checked.
template <class Visit>
void each_register(const Frame &frame, const Instruction &instruction, const std::vector<Numbers> &numbers, const Visit &visit) {
  const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
  if (has_register_lists(instruction)) {
    const DecodedCall lists = register_lists_of(frame, instruction, numbers);
    for (uint32_t index : lists.operands)
      visit(index, false);
    for (uint32_t index : lists.results)
      visit(index, true);
    return;
  }
  if (instruction.opcode == read_windows || instruction.opcode == write_windows)
    for (uint32_t index : window_registers(numbers_of(instruction, numbers)))
      visit(index, false);
  const size_t count = instruction.opcode >= 0         ? opcodes().rows[instruction.opcode].arity
                       : instruction.opcode == jump    ? 0
                       : has_two_operands(instruction) ? 2
                                                       : 1;
  for (size_t i = 0; i < count; ++i)
    visit(operands[i], false);
  if (!is_jump(instruction))
    visit(instruction.to, true);
}

// The end of each instruction's run of sweeps of one size over arrays of several blocks; 0 for other instructions. The
// target of a jump begins a new run.
std::vector<size_t> runs_of(const Frame &frame, const std::vector<Instruction> &program, const std::vector<bool> &is_target);
// Arrays that only such runs access, and that each run writes before reading: one block of such an array is enough.
std::vector<bool> find_local(const Frame &frame, const std::vector<Instruction> &program, const std::vector<size_t> &ends,
                             const std::vector<uint32_t> &external, const std::vector<Numbers> &numbers);
// Arrays that only one instruction writes, which reads windows of an array of the caller that none writes.
std::vector<bool> find_windows(const Frame &frame, const std::vector<Instruction> &program,
                               const std::vector<uint32_t> &external, const std::vector<Numbers> &numbers);

} // namespace hlokit::vm
