// What the workers of fused programs share: buffers for pieces, operands, and operations on them. Part of run.cpp and
// interleaved.cpp.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "vm/fused/layout.h"
#include "vm/fused/schedule.h"

namespace hlokit::vm::fused {

// A run of a program.
struct Run {
  const Schedule &schedule;
  size_t size; // elements
  const std::vector<Operand> &operands;
  const std::vector<Layout> &layouts;
  const std::vector<unsigned char *> &results;
};

// Runs a program whose rows are not contiguous, on up to `threads` threads.
void run_interleaved(const Run &run, size_t threads);

namespace {

constexpr size_t most_bytes = 16;  // of an element
constexpr size_t most_partial = 8; // bytes of a partial result of a reduction

// One allocation for several buffers. They begin at a cache line, with a line between them, so that they do not fall into the
// same sets of the cache.
class Memory {
public:
  size_t reserve(size_t bytes) {
    const size_t offset = total_;
    total_ += (bytes + line - 1) / line * line + line;
    return offset;
  }
  void allocate() {
    memory_.reset(new unsigned char[total_ + line]);
    start_ = memory_.get() + (line - reinterpret_cast<uintptr_t>(memory_.get()) % line) % line;
  }
  unsigned char *at(size_t offset) const { return start_ + offset; }

private:
  static constexpr size_t line = 64;
  size_t total_ = 0;
  std::unique_ptr<unsigned char[]> memory_;
  unsigned char *start_ = nullptr;
};

// The buffers of one thread. All memory is allocated before threads run, since their work must not throw.
class Worker {
protected:
  // `piece`: the elements that are computed at a time. `rows`: those whose values are computed at a time.
  Worker(const Run &run, size_t piece, size_t rows)
      : run_(run), schedule_(run.schedule), piece_(piece), rows_(rows), at_(schedule_.registers.size(), nullptr),
        bases_(schedule_.registers.size(), nullptr), offsets_(schedule_.registers.size(), SIZE_MAX),
        gathers_(schedule_.gathers) {
    std::vector<size_t> pieces;
    for (uint8_t size : schedule_.piece_sizes)
      pieces.push_back(memory_.reserve(size * piece_));
    const size_t ones = memory_.reserve(most_bytes * schedule_.one_count);
    for (size_t i = 0; i < offsets_.size(); ++i) {
      const Register &each = schedule_.registers[i];
      const size_t count = each.level == Level::row ? rows_ : piece_;
      if (each.storage == Storage::piece)
        offsets_[i] = pieces[each.index];
      else if (each.storage == Storage::repeated)
        offsets_[i] = memory_.reserve(each.size * count);
      else if (each.storage == Storage::one && schedule_.one_count)
        offsets_[i] = ones + most_bytes * each.index;
      else if (each.storage == Storage::input && each.level != Level::one &&
               run_.layouts[each.index].run < (each.level == Level::row ? schedule_.rows : run_.size))
        offsets_[i] = memory_.reserve(each.size * count);
    }
  }

  // Allocates the buffers, when all are reserved.
  void allocate() {
    memory_.allocate();
    for (size_t i = 0; i < offsets_.size(); ++i) {
      const Register &each = schedule_.registers[i];
      if (offsets_[i] != SIZE_MAX)
        at_[i] = bases_[i] = memory_.at(offsets_[i]);
      else if (each.storage == Storage::input && each.level == Level::one)
        at_[i] = const_cast<unsigned char *>(run_.operands[each.index].data);
    }
  }

  void prepare_values() {
    for (const Action &action : schedule_.of_ones)
      sweep(action, 1);
    for (const Action &action : schedule_.fills)
      repeat_one(action, schedule_.registers[action.to].level == Level::row ? rows_ : piece_);
  }

  // Makes elements of an operand from `start` on readable: in place if they are contiguous, otherwise copied.
  void read(uint32_t index, size_t start, size_t count) {
    const Register &each = schedule_.registers[index];
    const Layout &layout = run_.layouts[each.index];
    const unsigned char *data = run_.operands[each.index].data;
    if (start % layout.run + count <= layout.run) {
      at_[index] = const_cast<unsigned char *>(find(data, layout, start));
    } else if (count > 0) {
      at_[index] = bases_[index];
      copy_elements(at_[index], data, layout, start, count);
    }
  }

  // Operands and results of `level`, from place `start` on.
  void move_results(Level level, size_t start) {
    for (size_t i = 0; i < schedule_.outputs.size(); ++i) {
      const Register &each = schedule_.registers[schedule_.outputs[i]];
      if (each.level == level)
        at_[schedule_.outputs[i]] = run_.results[i] + start * each.size;
    }
  }
  void read_rows(size_t start, size_t count) {
    for (const Input &input : schedule_.inputs)
      if (input.level == Level::row)
        read(input.index, start, count);
  }

  void sweep(const Action &action, size_t count) {
    if (action.kind == Action::Kind::gather)
      return gather_elements(action, count);
    const void *operands[4] = {at_[action.operands[0]], nullptr, nullptr, nullptr};
    for (size_t i = 1; i < action.operand_count; ++i)
      operands[i] = at_[action.operands[i]];
    if (action.kind == Action::Kind::pair)
      action.pair(at_[action.to], operands, count);
    else
      action.sweep(at_[action.to], operands[0], operands[1], operands[2], count);
  }

  void gather_elements(const Action &action, size_t count) {
    regions::IndexVectors &vectors = gathers_[action.gather];
    for (size_t i = 0; i < vectors.components.size(); ++i)
      vectors.components[i].data = at_[action.operands[1 + i]];
    vectors.read_rows(at_[action.operands[0]], schedule_.registers[action.to].size, 0, count, at_[action.to]);
  }

  void repeat_one(const Action &action, size_t count) {
    fill(at_[action.to], at_[action.operands[0]], count, schedule_.registers[action.to].size);
  }

  const Run &run_;
  const Schedule &schedule_;
  const size_t piece_, rows_;
  std::vector<unsigned char *> at_, bases_; // of registers
  std::vector<size_t> offsets_;             // of the registers that have buffers here
  std::vector<regions::IndexVectors> gathers_;
  Memory memory_;
};

} // namespace
} // namespace hlokit::vm::fused
