// Where the values of a fused program are stored while it runs, and how large its pieces are.
#include <algorithm>
#include <map>
#include <utility>

#include "vm/fused/schedule.h"

namespace hlokit::vm::fused {
namespace {

// All buffers of a piece should fit into the first cache. In small pieces, calls take more time than computing.
constexpr size_t cache_bytes = 40 << 10, least_piece = 512, most_piece = 4096;
// Bytes of operands and results that take the time of an addition.
constexpr size_t bytes_per_addition = 4;

class Allocator {
public:
  Allocator(Schedule &schedule, const std::vector<Level> &levels, const std::vector<uint8_t> &sizes)
      : schedule_(schedule), levels_(levels), sizes_(sizes) {}

  void allocate_registers() {
    std::vector<Register> &registers = schedule_.registers;
    for (size_t i = 0; i < registers.size(); ++i) {
      registers[i].level = levels_[i];
      registers[i].size = sizes_[i];
    }
    for (size_t i = 0; i < schedule_.inputs.size(); ++i) {
      registers[schedule_.inputs[i].index].storage = Storage::input;
      registers[schedule_.inputs[i].index].index = static_cast<uint32_t>(i);
    }
    // The last use of a register: the phase, and the action in it.
    std::vector<std::pair<size_t, size_t>> last(registers.size(), {0, 0});
    for (size_t phase = 0; phase < schedule_.phases.size(); ++phase)
      for (size_t i = 0; i < schedule_.phases[phase].actions.size(); ++i) {
        const Action &action = schedule_.phases[phase].actions[i];
        for (size_t j = 0; j < action.operand_count; ++j)
          last[action.operands[j]] = {phase, i};
      }
    for (const Action &action : schedule_.of_ones)
      allocate(action.to, Storage::one);
    for (const Action &action : schedule_.fills)
      allocate(action.to, Storage::repeated);
    std::map<uint8_t, std::vector<uint32_t>> unused;
    for (size_t phase = 0; phase < schedule_.phases.size(); ++phase) {
      Phase &current = schedule_.phases[phase];
      for (const Action &action : current.of_rows)
        allocate(action.to, Storage::row);
      for (const Action &action : current.repeats)
        allocate(action.to, Storage::repeated);
      for (size_t i = 0; i < current.actions.size(); ++i) {
        const Action &action = current.actions[i];
        if (action.kind == Action::Kind::reduce)
          allocate(action.to, Storage::row);
        else if (action.operands[0] != action.to) // in place, if it is the same
          allocate_element(action.to, last[action.to].first > phase, unused);
        // An operand's buffer is freed after the result has a buffer, so that no buffer is both operand and result. An
        // operand may occur twice.
        for (size_t j = 0; j < action.operand_count; ++j) {
          uint32_t operand = action.operands[j];
          bool again = std::find(action.operands, action.operands + j, operand) != action.operands + j;
          if (registers[operand].storage == Storage::piece && last[operand] == std::pair{phase, i} && !again)
            unused[sizes_[operand]].push_back(registers[operand].index);
          if (registers[operand].storage == Storage::input && levels_[operand] == Level::full &&
              std::find(current.inputs.begin(), current.inputs.end(), operand) == current.inputs.end())
            current.inputs.push_back(operand);
        }
      }
    }
  }

  void choose_pieces() {
    size_t bytes = 1;
    for (const std::vector<uint8_t> *sizes : {&schedule_.piece_sizes, &schedule_.block_sizes})
      for (uint8_t size : *sizes)
        bytes += size;
    size_t moved = 0;
    for (const Input &input : schedule_.inputs)
      moved += input.level == Level::full ? sizes_[input.index] : 0;
    for (uint32_t output : schedule_.outputs)
      moved += levels_[output] == Level::full ? sizes_[output] : 0;
    for (const Register &value : schedule_.registers)
      bytes += value.storage == Storage::repeated && value.level == Level::full ? value.size : 0;
    bytes += moved;
    schedule_.work += moved / bytes_per_addition;
    const size_t unit = schedule_.reduction_count ? sum_block : piece_unit;
    schedule_.piece = std::max(std::clamp(cache_bytes / bytes, least_piece, most_piece) / unit, size_t(1)) * unit;
    const size_t period = schedule_.inner * schedule_.run_length;
    if (schedule_.inner > 1)
      schedule_.piece = std::max(schedule_.piece / period, size_t(1)) * period;
    else if (schedule_.has_rows)
      schedule_.block_rows =
          std::clamp<size_t>(schedule_.columns ? schedule_.piece / schedule_.columns : schedule_.piece, 1,
                             std::max<size_t>(schedule_.rows, 1));
  }

private:
  void allocate(uint32_t index, Storage storage) {
    Register &at = schedule_.registers[index];
    if (at.storage == Storage::output)
      return;
    at.storage = storage;
    if (storage == Storage::one)
      at.index = static_cast<uint32_t>(schedule_.one_count++);
    if (storage == Storage::one || storage == Storage::repeated)
      return;
    std::vector<uint8_t> &sizes = storage == Storage::row     ? schedule_.row_sizes
                                  : storage == Storage::block ? schedule_.block_sizes
                                                              : schedule_.piece_sizes;
    at.index = static_cast<uint32_t>(sizes.size());
    sizes.push_back(at.size);
  }

  void allocate_element(uint32_t index, bool stays, std::map<uint8_t, std::vector<uint32_t>> &unused) {
    Register &at = schedule_.registers[index];
    if (at.storage == Storage::output)
      return;
    std::vector<uint32_t> &of_size = unused[at.size];
    if (stays || of_size.empty()) {
      allocate(index, stays ? Storage::block : Storage::piece);
      return;
    }
    at.storage = Storage::piece;
    at.index = of_size.back();
    of_size.pop_back();
  }

  Schedule &schedule_;
  const std::vector<Level> &levels_;
  const std::vector<uint8_t> &sizes_;
};

} // namespace

void allocate_storage(Schedule &schedule, const std::vector<Level> &levels, const std::vector<uint8_t> &sizes) {
  Allocator allocator(schedule, levels, sizes);
  allocator.allocate_registers();
  allocator.choose_pieces();
}

} // namespace hlokit::vm::fused
