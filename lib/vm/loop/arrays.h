// Instructions of a Loop on arrays: their form, their checks and their decoding.
//
// An array is a row of elements. Only the instructions know its shape, as sizes, offsets and strides that count elements.
// Each decoding function checks that every access lies inside the arrays, and that no array is both read and written, and
// throws ProgramError otherwise.
//
// The register of the result is `to`; all registers of a call, a sort, a routine of LAPACK, threefry or a generator of random
// bits are among its numbers. The index of the numbers is `b`, or `c` of reductions, scans and products. The numbers of an
// instruction, where `x...` stands for as many numbers as the preceding rank:
//   move           rank size... from offset, stride..., to offset, stride...
//   read_windows   batch rank, size..., window rank, size...,
//                  operand offset, batch stride..., window stride..., result offset, batch stride..., window stride...,
//                  clamps, operation, component count, and of each component:
//                  register, offset, batch stride..., largest start, stride, window dimension
//   write_windows  the same, with the written array for the operand and the updates for the result
//   dot            lhs offset, rhs offset, rank of the batch, size..., strides of lhs, of rhs, of the result,
//                  rows: rank, size..., strides of lhs, of the result; terms: of lhs, of rhs; columns: of rhs, of the result
//   call           number, count of results, register..., count of operands, register...
//   lapack         routine, count of results, register..., count of operands, register..., matrices of each stack,
//                  count of options, option..., and of each array of the routine: the operand that it is, or that its result starts
//                  with (-1: none, zeros), size...
//   sort           count of keys, count of results, register..., count of operands, register... (the keys, then an array for each
//                  result), rows outside, elements of a row, rows inside, elements that are kept of each row, and of each
//                  key the sum of: 1 if it is descending, 2 if floats have their total order
//   scan           operation, rows outside, values of a row, rows inside, 1 from the last value on, 1 in f64
//   fft            kind (kernels/fft/transform.h), lines outside, length of the transform, lines inside
//   threefry       0, count of results, register..., count of operands, register...
//   random_bits    generator, count of results, register..., count of operands, register, and the sizes of the array before,
//                  along and after the dimension of pairs (kernels/random/bits.h)
//   reduce         operation, offset, kept rank, size..., stride..., reduced rank, size..., stride...
//
// A window lies in the operand at `offset`, plus `batch stride` for each step in the batch, plus, for each component,
// `stride` times the start in the register of the component. A start below 0 or above the largest is clamped if `clamps`
// is 1. If it is 0, the part of the window outside the operand is left out: the whole window if the component has no window
// dimension (-1), otherwise the part along this dimension. `operation` combines the old element (its left operand) with the
// written one; -1 is none.
//
// A reduction combines the values of the reduced dimensions with the scalar in `b`, in any order. Sums and products of
// f32 accumulate in f64 and are rounded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vm/loop/addresses.h"
#include "vm/loop/loop.h"
#include "vm/strided_copy.h"

namespace hlokit::vm {

// Elements that sweeps compute at a time: few enough for all arrays in use to stay in the cache.
constexpr size_t sweep_block = 1024;
// Memory for intermediate results begins with the result of a sweep that is also an operand.
constexpr size_t result_bytes = 16 * sweep_block + 64;

struct Detail {
  virtual ~Detail() = default;
};

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
  static uint32_t slot(uint32_t index) { return static_cast<uint32_t>(8 * (Loop::reserved + index)); }
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
  bool points = false; // the result lies inside the operand
};

DecodedArrayOp decode_move(const Frame &frame, const Instruction &instruction, const Numbers &numbers);
DecodedArrayOp decode_windows(const Frame &frame, const Instruction &instruction, const Numbers &numbers);
DecodedArrayOp decode_dot(const Frame &frame, const Instruction &instruction, const Numbers &numbers);
DecodedArrayOp decode_reduce(const Frame &frame, const Instruction &instruction, const Numbers &numbers);
// The registers with the starts of windows; none if the numbers are malformed.
std::vector<uint32_t> window_registers(const Numbers &numbers);
DecodedCall decode_call(const Frame &frame, const Numbers &numbers);
DecodedArrayOp decode_lapack(const Frame &frame, const Instruction &instruction, const Numbers &numbers);
// Sorts the rows of arrays together, and keeps the first elements of each: stable, by the first key, of equal ones by the
// next key, and so on.
DecodedArrayOp decode_sort(const Frame &frame, const Instruction &instruction, const Numbers &numbers);
constexpr size_t most_sort_keys = 16;
// Combines the values of each row with all before them, from the scalar in `b` on: one after the other in their type; or
// sums and products of floats in f64, to which the scalar is added in the end, with the rounding errors of sums of f64.
DecodedArrayOp decode_scan(const Frame &frame, const Instruction &instruction, const Numbers &numbers);
// Transforms lines of f32, f64 or complex numbers, computed in f64 and rounded to the type of the result.
DecodedArrayOp decode_fft(const Frame &frame, const Instruction &instruction, const Numbers &numbers);
// Random words: the low and the high words are the results, and the operands those of random::ThreefryInput.
DecodedArrayOp decode_threefry(const Frame &frame, const Instruction &instruction, const Numbers &numbers);
// Random integers: the results are the next state and the array, the operand is the state.
DecodedArrayOp decode_random_bits(const Frame &frame, const Instruction &instruction, const Numbers &numbers);

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
  // Instructions on arrays of one size, to be computed a block of elements at a time.
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
