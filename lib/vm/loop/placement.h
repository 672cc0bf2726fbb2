// How a loop computes its arrays: which instructions run a block of elements at a time, and where arrays are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/loop/arrays.h"

namespace hlokit::vm {

// Calls visit(register, is_written) for each register that an instruction reads or writes.
template <class Visit> void each_register(const Instruction &instruction, const Visit &visit) {
  for (uint32_t index : instruction.operands)
    visit(index, false);
  for (uint32_t index : instruction.results)
    visit(index, true);
}

// The end of each instruction's run of sweeps, and of moves, that write arrays of one size, of several blocks; 0 for other
// instructions. The target of a jump begins a new run. A run writes no array before it has moved elements of it: blocks of an
// array are written at different times than those that move to them are read.
std::vector<size_t> runs_of(const Frame &frame, const std::vector<Instruction> &program, const std::vector<bool> &is_target);
// Arrays that only such runs access, and that each run writes before reading: one block of such an array is enough. Moves
// read whole arrays, and all that write one must be in the same run.
std::vector<bool> find_local(const Frame &frame, const std::vector<Instruction> &program, const std::vector<size_t> &ends,
                             const std::vector<uint32_t> &external);
// Arrays that only one instruction writes, which reads windows of an array of the caller that none writes.
std::vector<bool> find_windows(const Frame &frame, const std::vector<Instruction> &program,
                               const std::vector<uint32_t> &external);

} // namespace hlokit::vm
