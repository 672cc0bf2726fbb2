// Instructions of a Loop on arrays: how they are given, checked and made.
//
// An array is a row of elements; what shape it has is known only to the instructions, as sizes, offsets and
// strides that count elements. Each function here checks that all it will touch lies inside of the arrays, and
// that what is written is none of what is read, and throws ProgramError if not.
//
// Numbers, where `x...` is as many as the rank before says:
//   move           rank size... from offset, stride..., to offset, stride...
//   read_windows   batch rank, size..., window rank, size...,
//                  operand offset, batch stride..., window stride..., result offset, batch stride..., window stride...,
//                  clamps, operation, component count, and of each component:
//                  register, offset, batch stride..., largest start, stride, window dimension
//   write_windows  the same, with the written array for the operand and the updates for the result
//   dot            lhs offset, rhs offset, rank of the batch, size..., strides of lhs, of rhs, of the result,
//                  rows: rank, size..., strides of lhs, of the result; terms: of lhs, of rhs; columns: of rhs, of the result
//   reduce         operation, offset, kept rank, size..., stride..., reduced rank, size..., stride...
//
// Windows lie in the operand at `offset`, moved in the batch by `batch stride`, and by `stride` times the start that
// each component reads in its register. A start beyond 0 or the largest is clamped. Or else (`clamps` is 0) what
// of the window lies outside is left out: all of it if the component has no window dimension (-1), otherwise
// that much of this dimension. `operation` combines what was there (on its left) with what is written; -1 for none.
//
// A reduction combines the values of the reduced dimensions with the scalar in `b`, in any order. Sums and
// products of floats are accumulated in f64 and rounded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vm.h"

namespace hlokit::vm {

constexpr size_t most_dimensions = 12;
// Sizes, offsets and strides, so that no product or sum of them leaves the range of 64 bits.
constexpr int64_t most_elements = int64_t(1) << 28;
// Elements that sweeps compute at a time, so that what is in use stays in the cache.
constexpr size_t sweep_block = 1024;

struct Detail {
  virtual ~Detail() = default;
};

// The registers of a program.
struct Frame {
  const std::vector<Type> &types;
  const std::vector<int64_t> &counts;
  std::vector<bool> is_local; // an array of which only a block is kept

  bool is_scalar(uint32_t index) const { return counts[index] == Loop::scalar; }
  size_t count(uint32_t index) const { return is_scalar(index) ? 1 : static_cast<size_t>(counts[index]); }
  static uint32_t slot(uint32_t index) { return static_cast<uint32_t>(8 * (Loop::reserved + index)); }
  // Where the memory for intermediate results stands.
  uint32_t scratch() const { return slot(static_cast<uint32_t>(types.size())); }
};

// An instruction made: `work` is in elements, `scratch` in bytes.
struct Made {
  Step step;
  std::unique_ptr<const Detail> detail;
  size_t work, scratch;
  uint32_t to = 0, a = 0, b = 0; // slots, if the step wants them
};

Made make_move(const Frame &frame, const Source &source, const Numbers &numbers);
Made make_windows(const Frame &frame, const Source &source, const Numbers &numbers);
Made make_dot(const Frame &frame, const Source &source, const Numbers &numbers);
Made make_reduce(const Frame &frame, const Source &source, const Numbers &numbers);
// The registers of starts; none if the numbers are malformed.
std::vector<uint32_t> window_registers(const Numbers &numbers);
// Operations on arrays of one size, a block of elements at a time.
Made make_sweeps(const Frame &frame, const Source *begin, const Source *end);

} // namespace hlokit::vm
