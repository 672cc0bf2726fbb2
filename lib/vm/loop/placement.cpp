#include "vm/loop/placement.h"

#include <algorithm>

namespace hlokit::vm {

namespace {

// A sweep over arrays of several blocks.
bool is_long_sweep(const Frame &frame, const Instruction &instruction) {
  return instruction.opcode >= 0 && !frame.is_scalar(instruction.to) && frame.count(instruction.to) > sweep_block;
}

} // namespace

std::vector<size_t> runs_of(const Frame &frame, const std::vector<Instruction> &program, const std::vector<bool> &is_target) {
  std::vector<size_t> ends(program.size());
  for (size_t i = 0; i < program.size(); ++i) {
    size_t stop = i;
    while (stop < program.size() && is_long_sweep(frame, program[stop]) && (stop == i || !is_target[stop]) &&
           frame.count(program[stop].to) == frame.count(program[i].to))
      ++stop;
    std::fill(ends.begin() + static_cast<ptrdiff_t>(i), ends.begin() + static_cast<ptrdiff_t>(stop), stop);
    i = std::max(i, stop - (stop > i));
  }
  return ends;
}

std::vector<bool> find_local(const Frame &frame, const std::vector<Instruction> &program, const std::vector<size_t> &ends,
                             const std::vector<uint32_t> &external, const std::vector<Numbers> &numbers) {
  const size_t size = frame.types.size();
  std::vector<bool> is_local(size);
  for (size_t i = 0; i < size; ++i)
    is_local[i] = frame.counts[i] > static_cast<int64_t>(sweep_block);
  const auto drop = [&](uint32_t index) {
    if (index < size)
      is_local[index] = false;
  };
  std::for_each(external.begin(), external.end(), drop);
  std::vector<size_t> written_in(size, 0); // the end of the last run that wrote a register
  for (size_t i = 0; i < program.size(); ++i)
    each_register(frame, program[i], numbers, [&](uint32_t index, bool is_written) {
      if (is_written && ends[i])
        written_in[index] = ends[i];
      else if (!ends[i] || written_in[index] != ends[i])
        drop(index);
    });
  return is_local;
}

std::vector<bool> find_windows(const Frame &frame, const std::vector<Instruction> &program,
                               const std::vector<uint32_t> &external, const std::vector<Numbers> &numbers) {
  const size_t size = frame.types.size();
  std::vector<size_t> writes(size);
  for (const Instruction &instruction : program)
    each_register(frame, instruction, numbers, [&](uint32_t index, bool is_written) {
      if (is_written && index < size)
        ++writes[index];
    });
  std::vector<bool> is_external(size), result(size);
  for (uint32_t index : external)
    if (index < size)
      is_external[index] = true;
  for (const Instruction &each : program)
    if (each.opcode == read_windows && each.to < size && each.a < size)
      result[each.to] = writes[each.to] == 1 && !is_external[each.to] && !frame.is_scalar(each.to) && is_external[each.a] &&
                        writes[each.a] == 0;
  return result;
}

} // namespace hlokit::vm
