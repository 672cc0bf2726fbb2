// Native loops: programs with jumps, on scalars and on arrays of fixed sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vm/pointwise/kernel_choice.h"
#include "vm/scalars/control.h"
#include "vm/verifier.h"

namespace hlokit::vm {

class AddressTable; // vm/scalars/addresses.h

// A call: its number, and the registers that it writes and reads.
struct DecodedCall {
  uint32_t number;
  Registers results, operands;
};

// A register holds a scalar, in eight bytes of the memory of a run, or an array in row-major order, in the arena of a
// run or in an array of the caller; complex numbers are always in arrays. An operation whose result is an array takes
// arrays of the same size, and scalars for all elements.
//
// Each backward jump takes the work between its target and itself from a budget, so that every run returns.
class Loop {
public:
  // `counts`: elements of each register, `scalar` for a scalar. `external`: the registers whose arrays the caller gives. A
  // program ends after its last instruction.
  Loop(const Types &types, const std::vector<int64_t> &counts, const std::vector<Instruction> &program,
       const std::vector<uint32_t> &external);
  ~Loop();
  Loop(Loop &&) noexcept;

  static constexpr int64_t scalar = scalar_count;

  // An array that the caller gives to a run.
  struct ExternalArray {
    uint32_t index; // of its register
    size_t bytes, alignment;
    bool is_written;
  };

  // An array that lies inside another one.
  struct WindowArray {
    uint32_t index, operand; // their registers
  };

  const std::vector<ExternalArray> &external() const { return external_; }
  const std::vector<DecodedCall> &calls() const { return calls_; }
  // The time of a run without jumps, in instructions on scalars.
  size_t work() const { return work_; }

  // The memory of a run: the slots of registers, of eight bytes each, then the arrays of the program. A slot holds a scalar in
  // its first bytes, or the address of an array.
  size_t memory_bytes() const { return slot_bytes() + arena_bytes_; }
  static constexpr size_t alignment = 64; // of the memory
  static size_t slot(size_t index) { return slot_of(static_cast<uint32_t>(index)); }
  // Begins a run whose memory has the slots of constants, operands and the arrays of `external`, and 0 in the reserved ones.
  void start(unsigned char *memory) const;
  // Runs from the start, or from where the run stopped, until backward jumps have spent `budget`. Arrays have the sizes
  // and alignments of `external`; an array that is written shares no memory with another. Returns one of `reasons`.
  int64_t resume(unsigned char *memory, int64_t budget) const;

private:
  // The slots, up to a cache line.
  size_t slot_bytes() const;

  // An array in the arena.
  struct ArenaArray {
    uint32_t index;
    size_t offset;
  };

  size_t register_count_;
  std::vector<DecodedInstruction> code_;
  std::vector<std::unique_ptr<const Detail>> details_;
  std::vector<ExternalArray> external_;
  std::vector<ArenaArray> internal_;
  std::vector<WindowArray> windows_;
  std::vector<DecodedCall> calls_;
  std::unique_ptr<AddressTable> addresses_;
  size_t arena_bytes_ = 0, work_ = 0;
};

} // namespace hlokit::vm
