// What a Chain is made into, and how that runs: between vm_chain.cpp, which checks and arranges a program, and
// vm_chain_run.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "vm.h"

namespace hlokit::vm::chain {

constexpr size_t most_elements = size_t(1) << 48;
// Elements of a shape; throws ProgramError if there are more.
size_t product(const std::vector<size_t> &shape);

// Elements of a row that are reduced at a time are a multiple of this.
constexpr size_t piece_unit = 64;
// Shorter rows are computed many at a time: calls for each would cost more than to spread what rows have in common.
constexpr size_t least_columns = 64;

// Where the values of a register are while a piece is computed.
enum class Place : uint8_t {
  input,  // in an operand, or copied from one of another layout
  output, // in a result
  piece,  // in a buffer for the elements of a piece, shared with other registers at other times
  block,  // in a buffer for all elements of a block: what is needed after the rows have been reduced
  row,    // in a buffer for a value a row
  one     // in a word
};

struct Register {
  Level level = Level::one;
  uint8_t size = 0; // of an element
  Place place = Place::one;
  uint32_t index = 0; // of the input, output, or buffer of its place
};

struct Move {
  enum class Kind : uint8_t { sweep, pair, spread, reduce };
  Kind kind;
  uint8_t operand_count;
  bool by_rows = false; // an operand has a value a row, and this is done row by row
  Sweep sweep = nullptr;
  PairSweep pair = nullptr;
  const Reduction *reduction = nullptr;
  uint32_t lanes = 0; // of a reduction
  uint32_t to;
  uint32_t operands[4];
};

// What is computed before the rows are reduced once more.
struct Phase {
  std::vector<Move> of_rows; // of a value a row, from reductions of phases before
  std::vector<Move> moves;   // of elements
  std::vector<uint32_t> inputs; // registers of operands that the moves read
};

struct Program {
  size_t rows, columns;
  std::vector<Input> inputs;
  std::vector<size_t> input_sizes, output_sizes, output_counts;
  std::vector<Register> registers;
  std::vector<Move> of_ones; // done once
  std::vector<Move> fills;   // values that are the same for all, spread once into buffers of blocks or rows
  std::vector<Phase> phases;
  std::vector<uint32_t> outputs; // registers
  std::vector<uint8_t> piece_sizes, block_sizes, row_sizes; // of elements of the buffers
  size_t one_count = 0, reduction_count = 0;
  bool has_rows = false; // rows matter: otherwise all is one
  bool is_free = false;  // operands have one shape, which is known when this runs
  size_t work = 0;       // cost of operations of an element

  // Elements that are computed at a time, which is a row's at most if there are fewer than `columns`.
  size_t piece = 0;
  // Rows of a block; a block of one row may come in pieces.
  size_t block_rows = 1;

  // `size`: elements. `shapes`: those that the strides of operands belong to.
  void run(size_t size, const std::vector<std::vector<size_t>> &shapes, const std::vector<Operand> &operands,
           const std::vector<unsigned char *> &results, size_t threads) const;
};

} // namespace hlokit::vm::chain
