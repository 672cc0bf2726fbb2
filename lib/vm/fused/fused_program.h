// Fused programs: pointwise operations on arrays without jumps, reductions of their rows, and gathers of elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vm/instruction.h"

namespace hlokit::vm {

// The number of values in a register of a fused program: one, one for each row, or one for each element.
enum class Level : uint8_t { one, row, full };

// An array that a fused program reads. The strides, in bytes, belong to the dimensions of the input's shape.
struct Operand {
  const unsigned char *data;
  std::vector<ptrdiff_t> strides;
};

// The rows of a program, whose elements are [count / inner, columns / run, inner, run]. The elements of a row share their places
// in the first and the third of these dimensions: an `inner` of 1 makes rows contiguous. `run` is a power of two up to
// `sum_lanes`.
struct Rows {
  size_t count, columns, inner = 1, run = 1;
};

// A register that an operand fills. The shape has as many elements as the level; that of a table, whose elements gathers
// read at computed places, has any. Tables have the level of one value, and are contiguous.
struct Input {
  uint32_t index;
  Level level;
  std::vector<size_t> shape;
  bool is_table = false;
};

namespace fused {
struct Schedule;
} // namespace fused

// Computes the elements of `rows`. An operation computes on the highest level of its operands.
class FusedProgram {
public:
  // Inputs are the registers that operands fill, outputs the registers of results; each is written once. With a dynamic
  // shape, operands are single values or arrays of one shape, which is a parameter of a run; count and columns are 0.
  FusedProgram(const std::vector<ElementType> &types, const std::vector<Instruction> &program,
               const std::vector<Input> &inputs, const std::vector<uint32_t> &outputs, const Rows &rows,
               bool is_dynamic = false);
  ~FusedProgram();
  FusedProgram(const FusedProgram &) = delete;
  FusedProgram &operator=(const FusedProgram &) = delete;

  const std::vector<Input> &inputs() const;
  const std::vector<size_t> &input_sizes() const;  // of an element
  const std::vector<size_t> &output_sizes() const; // of an element
  const std::vector<size_t> &output_counts() const;
  bool is_dynamic() const;
  // `results` are contiguous and overlap no operand. Uses up to `threads` threads if there is enough work.
  void run(const std::vector<Operand> &operands, const std::vector<unsigned char *> &results,
           size_t threads = 1) const;
  void run_dynamic(const std::vector<size_t> &shape, const std::vector<Operand> &operands,
                   const std::vector<unsigned char *> &results, size_t threads = 1) const;

private:
  std::unique_ptr<const fused::Schedule> schedule_;
};

} // namespace hlokit::vm
