#include "vm/loop/placement.h"

#include <algorithm>

namespace hlokit::vm {

namespace {

// A sweep over arrays of several blocks.
bool is_long_sweep(const Frame &frame, const Instruction &instruction) {
  return instruction.opcode >= 0 && frame.count(instruction.results[0]) > sweep_block;
}

} // namespace

std::vector<size_t> runs_of(const Frame &frame, const std::vector<Instruction> &program, const std::vector<bool> &is_target) {
  std::vector<size_t> ends(program.size());
  for (size_t i = 0; i < program.size(); ++i) {
    size_t stop = i;
    while (stop < program.size() && is_long_sweep(frame, program[stop]) && (stop == i || !is_target[stop]) &&
           frame.count(program[stop].results[0]) == frame.count(program[i].results[0]))
      ++stop;
    std::fill(ends.begin() + static_cast<ptrdiff_t>(i), ends.begin() + static_cast<ptrdiff_t>(stop), stop);
    i = std::max(i, stop - (stop > i));
  }
  return ends;
}

std::vector<bool> find_local(const Frame &frame, const std::vector<Instruction> &program, const std::vector<size_t> &ends,
                             const std::vector<uint32_t> &external) {
  const size_t size = frame.types.size();
  std::vector<bool> is_local(size);
  for (size_t i = 0; i < size; ++i)
    is_local[i] = frame.counts[i] > static_cast<int64_t>(sweep_block);
  for (uint32_t index : external)
    is_local[index] = false;
  std::vector<size_t> written_in(size, 0); // the end of the last run that wrote a register
  for (size_t i = 0; i < program.size(); ++i)
    each_register(program[i], [&](uint32_t index, bool is_written) {
      if (is_written && ends[i])
        written_in[index] = ends[i];
      else if (!ends[i] || written_in[index] != ends[i])
        is_local[index] = false;
    });
  return is_local;
}

std::vector<bool> find_windows(const Frame &frame, const std::vector<Instruction> &program,
                               const std::vector<uint32_t> &external) {
  const size_t size = frame.types.size();
  std::vector<size_t> writes(size);
  for (const Instruction &instruction : program)
    each_register(instruction, [&](uint32_t index, bool is_written) {
      if (is_written)
        ++writes[index];
    });
  std::vector<bool> is_external(size), result(size);
  for (uint32_t index : external)
    is_external[index] = true;
  for (const Instruction &instruction : program) {
    if (instruction.opcode != read_windows || instruction.results.empty() || instruction.operands.empty())
      continue;
    const uint32_t to = instruction.results[0], from = instruction.operands[0];
    result[to] = writes[to] == 1 && !is_external[to] && !frame.is_scalar(to) && is_external[from] && writes[from] == 0;
  }
  return result;
}

} // namespace hlokit::vm
