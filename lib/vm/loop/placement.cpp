#include "vm/loop/placement.h"

#include <algorithm>

#include "vm/loop/strided.h"

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
  std::vector<bool> is_local(frame.types.size());
  for (size_t i = 0; i < is_local.size(); ++i)
    is_local[i] = frame.counts[i] > static_cast<int64_t>(sweep_block);
  auto drop = [&](uint32_t index) {
    if (index < is_local.size())
      is_local[index] = false;
  };
  for (uint32_t index : external)
    drop(index);
  for (const Instruction &instruction : program)
    if (has_register_lists(instruction)) {
      const DecodedCall made = register_lists_of(frame, instruction, numbers);
      for (const std::vector<uint32_t> *registers : {&made.results, &made.operands})
        for (uint32_t index : *registers)
          drop(index);
    } else if (instruction.opcode == read_windows || instruction.opcode == write_windows) {
      for (uint32_t index : window_registers(numbers_of(instruction, numbers)))
        drop(index);
    }
  std::vector<size_t> written_in(frame.types.size(), 0); // the end of the last run that wrote a register
  for (size_t i = 0; i < program.size(); ++i) {
    const Instruction &instruction = program[i];
    if (has_register_lists(instruction))
      continue;
    const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
    size_t arity = ends[i] ? opcodes().rows[instruction.opcode].arity : 3;
    for (size_t j = 0; j < arity; ++j)
      if (!ends[i] || (operands[j] < written_in.size() && written_in[operands[j]] != ends[i]))
        drop(operands[j]);
    if (!ends[i])
      drop(instruction.to);
    else
      written_in[instruction.to] = ends[i];
  }
  return is_local;
}

std::vector<bool> find_windows(const Frame &frame, const std::vector<Instruction> &program,
                               const std::vector<uint32_t> &external, const std::vector<Numbers> &numbers) {
  const size_t size = frame.types.size();
  std::vector<size_t> writes(size);
  auto count = [&](uint32_t index) {
    if (index < size)
      ++writes[index];
  };
  for (const Instruction &instruction : program)
    if (has_register_lists(instruction))
      for (uint32_t index : register_lists_of(frame, instruction, numbers).results)
        count(index);
    else if (!is_jump(instruction))
      count(instruction.to);
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
