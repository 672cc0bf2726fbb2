// Instructions of a Loop on arrays: their checks and their decoding. instructions.inc has their fields.
//
// Each decoding function checks that every access lies inside the arrays, and that no array is both read and written, and
// throws ProgramError otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vm/loop/loop.h"
#include "vm/scalars/addresses.h"
#include "vm/scalars/detail.h"
#include "vm/strided_copy.h"

namespace hlokit::vm {

// Elements that sweeps compute at a time: few enough for all arrays in use to stay in the cache.
constexpr size_t sweep_block = 1024;
// Memory for intermediate results begins with the result of a sweep that is also an operand.
constexpr size_t result_bytes = 16 * sweep_block + 64;

// The handler of an instruction that its detail computes.
template <class T> const DecodedInstruction *run_detail(const DecodedInstruction *at, unsigned char *registers) {
  static_cast<const T &>(*at->detail).run(registers);
  return next(at, registers);
}

// The registers of a program.
struct Frame {
  const std::vector<ElementType> &types;
  const std::vector<int64_t> &counts;
  std::vector<bool> is_local;  // an array of which only the present block exists
  std::vector<bool> is_window; // an array that may lie inside an array of the caller, if it is a row of that
  AddressTable &addresses;

  bool is_scalar(uint32_t index) const { return counts[index] == Loop::scalar; }
  size_t count(uint32_t index) const { return is_scalar(index) ? 1 : static_cast<size_t>(counts[index]); }
  static uint32_t slot(uint32_t index) { return slot_of(index); }
  // The slot with the address of a register.
  uint32_t address_slot(uint32_t index) const { return is_scalar(index) ? addresses.of_scalar(slot(index)) : slot(index); }
  // The slot with the address of the memory for intermediate results.
  uint32_t scratch() const { return slot(static_cast<uint32_t>(types.size())); }
};

// An instruction on arrays, decoded. `work` is in elements; `scratch` is the size of the intermediate results, in bytes.
struct DecodedArrayOp {
  Handler handler;
  std::unique_ptr<const Detail> detail;
  size_t work, scratch;
  uint32_t to = 0, a = 0, b = 0, c = 0; // slots and offsets, if the handler reads them
  int32_t jump = 0;
  bool points = false; // the result lies inside the operand
};

DecodedArrayOp decode_move(const Frame &frame, const Instruction &instruction);

// A move that can write any block of its result: the parts that it writes, one for each index of its first dimension, lie
// inside rows of `row` elements, which begin at the beginning of the result. A move that writes its elements side by side
// writes parts of one element.
struct BlockMove {
  uint32_t to = 0, from = 0; // registers
  uint32_t source_slot = 0;
  ptrdiff_t source_offset = 0; // in bytes
  StridedCopy copy;
  size_t row = 1, first = 0, parts = 1; // `first`: the first element that the move writes
  bool is_side_by_side = false;

  // Writes the elements from `start`, a multiple of `row`, up to `end`; `block` is the address of element `start`.
  void run(unsigned char *registers, unsigned char *block, size_t start, size_t end) const;
};

// The move; null if it must write its whole result at once.
std::unique_ptr<const BlockMove> block_move(const Frame &frame, const Instruction &instruction);
DecodedArrayOp decode_windows(const Frame &frame, const Instruction &instruction);
DecodedArrayOp decode_dot(const Frame &frame, const Instruction &instruction);
DecodedArrayOp decode_reduce(const Frame &frame, const Instruction &instruction);
DecodedArrayOp decode_lapack(const Frame &frame, const Instruction &instruction);
DecodedArrayOp decode_sort(const Frame &frame, const Instruction &instruction);
DecodedArrayOp decode_scan(const Frame &frame, const Instruction &instruction);
DecodedArrayOp decode_fft(const Frame &frame, const Instruction &instruction);
DecodedArrayOp decode_threefry(const Frame &frame, const Instruction &instruction);
DecodedArrayOp decode_random_bits(const Frame &frame, const Instruction &instruction);

// An operand or the result of a sweep: the slot with its address, and the bytes from one element to the next one; none if
// every block begins at the same place.
struct Place {
  uint32_t slot;
  uint8_t step;
};

// A call of a sweep. Operands that an operation lacks repeat its first operand.
struct SweepCall {
  Sweep sweep;
  Place to, operands[3];
  bool is_fill = false; // repeats a scalar in memory
};

// Decodes pointwise operations on arrays. The memory for intermediate results has the repeated scalars that their sweeps
// read, until they are forgotten.
class Sweeps {
public:
  explicit Sweeps(const Frame &frame) : frame_(frame) {}
  // The code of an instruction on arrays that fit in a block.
  std::vector<DecodedInstruction> decode_alone(const Instruction &instruction);
  // Sweeps and moves to arrays of one size, to be computed a block of elements at a time.
  DecodedArrayOp decode_blocks(const Instruction *begin, const Instruction *end);
  // Forgets all scalars: a jump may lead behind this point, or another instruction uses the same memory.
  void forget();
  // Forgets a scalar, which an instruction writes.
  void forget(uint32_t scalar);
  // The size of intermediate results, in bytes.
  size_t scratch() const { return most_used_; }

private:
  struct Filled {
    uint32_t scalar;
    size_t count;
    Place place;
  };
  // An instruction as a sweep, with fills of memory before it and a copy behind it where it needs them.
  std::vector<SweepCall> decode(const Instruction &instruction);
  Place locate(uint32_t index) const;
  Place filled(uint32_t scalar, size_t count, std::vector<SweepCall> &calls);

  const Frame &frame_;
  std::vector<Filled> filled_;
  size_t used_ = result_bytes, most_used_ = 0;
};

} // namespace hlokit::vm
