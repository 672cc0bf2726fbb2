#include "vm/loop/placement.h"

#include <algorithm>
#include <numeric>

namespace hlokit::vm {

namespace {

bool has(const std::vector<uint32_t> &registers, uint32_t index) {
  return std::find(registers.begin(), registers.end(), index) != registers.end();
}

// A run that is being found.
class Run {
public:
  explicit Run(const Frame &frame) : frame_(frame) {}

  // Adds an instruction if it can be computed together with those before.
  bool add(const Instruction &instruction) {
    if ((instruction.opcode < 0 && instruction.opcode != move) || instruction.results.size() != 1)
      return false;
    const uint32_t to = instruction.results[0];
    const size_t count = frame_.count(to);
    if (count <= sweep_block || (count_ && count != count_) || has(sources_, to))
      return false;
    if (instruction.opcode == move && !add_move(instruction))
      return false;
    has_sweeps = has_sweeps || instruction.opcode >= 0;
    count_ = count;
    written_.push_back(to);
    return true;
  }

  bool has_sweeps = false;

private:
  bool add_move(const Instruction &instruction) {
    const auto found = block_move(frame_, instruction);
    if (!found || has(written_, found->from))
      return false;
    const size_t row = std::lcm(row_, std::min(found->row, 2 * sweep_block));
    if (row > sweep_block)
      return false;
    row_ = row;
    sources_.push_back(found->from);
    return true;
  }

  const Frame &frame_;
  size_t count_ = 0, row_ = 1;
  std::vector<uint32_t> written_, sources_;
};

} // namespace

std::vector<size_t> runs_of(const Frame &frame, const std::vector<Instruction> &program, const std::vector<bool> &is_target) {
  std::vector<size_t> ends(program.size());
  for (size_t i = 0; i < program.size();) {
    Run run(frame);
    size_t stop = i;
    while (stop < program.size() && (stop == i || !is_target[stop]) && run.add(program[stop]))
      ++stop;
    if (run.has_sweeps)
      std::fill(ends.begin() + static_cast<ptrdiff_t>(i), ends.begin() + static_cast<ptrdiff_t>(stop), stop);
    i = std::max(i + 1, stop);
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
  // The end of the last run that wrote a register, and of the run that moves to it.
  std::vector<size_t> written_in(size, 0), moved_in(size, 0);
  for (size_t i = 0; i < program.size(); ++i)
    if (ends[i] && program[i].opcode == move) {
      moved_in[program[i].results[0]] = ends[i];
      is_local[program[i].operands[0]] = false;
    }
  for (size_t i = 0; i < program.size(); ++i)
    each_register(program[i], [&](uint32_t index, bool is_written) {
      if (is_written && ends[i] && (!moved_in[index] || moved_in[index] == ends[i]))
        written_in[index] = ends[i];
      else if (is_written || !ends[i] || written_in[index] != ends[i])
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
