// The schedule of a fused program: made by schedule.cpp and storage.cpp, run by run.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/regions/combine.h"
#include "kernels/regions/index_vectors.h"
#include "vm/fused/fused_program.h"
#include "vm/pointwise/kernel_choice.h"

namespace hlokit::vm::fused {

constexpr size_t most_elements = size_t(1) << 48;
// The elements of a shape. Throws ProgramError if there are more than `most_elements`.
size_t product(const std::vector<size_t> &shape);

// Pieces have a multiple of this many elements; if rows are reduced, pieces consist of blocks of sums.
constexpr size_t piece_unit = 64;
// Shorter rows are computed together, with operands of level `row` broadcast: a call for each row would cost more.
constexpr size_t least_columns = 128;
// Sums of shorter rows of f32 are faster than those of narrower floats.
constexpr size_t short_columns = 16;
// Rows that are not contiguous: the largest `inner`. The lanes of their sums are 64 for each.
constexpr size_t most_inner = 4096;
// The most components of the indices of a gather: an action has at most four operands.
constexpr size_t most_components = 3;

// Where the values of a register are stored while a piece is computed.
enum class Storage : uint8_t {
  input,  // in an operand, or in a buffer that an operand of another layout is copied to
  output, // in a result
  repeated, // in a buffer of a worker: values of a lower level, the same in all pieces of a phase
  piece,  // in a buffer for the elements of a piece, shared by registers with disjoint lifetimes
  block,  // in a buffer for all elements of a block: values that are read after rows have been reduced
  row,    // in a buffer with a value for each row
  one     // in a word
};

struct Register {
  Level level = Level::one;
  uint8_t size = 0; // of an element
  Storage storage = Storage::one;
  uint32_t index = 0; // of the input, the output, or the buffer
};

// One step of a run.
struct Action {
  enum class Kind : uint8_t { sweep, pair, broadcast, reduce, gather };
  Kind kind;
  uint8_t operand_count;
  bool by_rows = false; // row by row, since an operand of level `row` is one element for all elements of a row
  Sweep sweep = nullptr;
  PairSweep pair = nullptr;
  const regions::Combination *combination = nullptr, *of_operand = nullptr; // of a reduction, of its type and its operand's
  uint32_t reduction = 0, gather = 0; // its number
  uint32_t to;
  uint32_t operands[4];
};

// The actions from one reduction of the rows to the next.
struct Phase {
  std::vector<Action> of_rows; // on values of level `row`, from reductions of earlier phases
  std::vector<Action> actions; // on elements
  std::vector<uint32_t> inputs; // registers of operands that the actions read
  std::vector<Action> repeats; // of values of rows that are not contiguous, to a buffer for a piece
  size_t first_reduction = 0, reduction_count = 0;
};

struct Schedule {
  size_t rows, columns, inner = 1, run_length = 1; // see Rows
  std::vector<Input> inputs;
  std::vector<size_t> input_sizes, output_sizes, output_counts;
  std::vector<Register> registers;
  std::vector<Action> of_ones; // on single values, once
  std::vector<Action> fills;   // broadcasts of single values to buffers of pieces or rows, once
  std::vector<Phase> phases;
  std::vector<uint32_t> outputs; // registers
  std::vector<uint8_t> piece_sizes, block_sizes, row_sizes; // of elements of the buffers
  std::vector<regions::IndexVectors> gathers; // of which the addresses of indices are not set
  size_t one_count = 0, reduction_count = 0;
  bool has_rows = false; // whether rows matter; otherwise all elements are one row
  bool is_dynamic = false; // whether a run gives the shape
  size_t work = 0; // of an element, in additions

  // The number of elements that are computed at a time: part of a row if less than `columns`.
  size_t piece = 0;
  // Rows of a block. A block of one row may be computed in pieces.
  size_t block_rows = 1;

  // `size`: the number of elements. `shapes`: the shapes of operands, for the dimensions of the strides.
  void run(size_t size, const std::vector<std::vector<size_t>> &shapes, const std::vector<Operand> &operands,
           const std::vector<unsigned char *> &results, size_t threads) const;
};

// Gives each register its storage, and chooses the sizes of pieces and blocks, when phases and actions are known.
// `levels` and `sizes` (bytes of an element) are those of the registers.
void allocate_storage(Schedule &schedule, const std::vector<Level> &levels, const std::vector<uint8_t> &sizes);

} // namespace hlokit::vm::fused
