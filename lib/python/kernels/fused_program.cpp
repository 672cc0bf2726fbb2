// hlokit._kernels.FusedProgram.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/programs.h"
#include "python/kernels/without_lock.h"
#include "vm/fused/fused_program.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// Register, level or `table`, shape; and for each dimension of the operand, the corresponding dimension of the shape.
using InputRecord = std::tuple<uint32_t, int, std::vector<size_t>, std::vector<size_t>>;
constexpr int table = 3;

class PyFusedProgram {
public:
  PyFusedProgram(const std::vector<std::string> &types, Code code, const std::vector<InputRecord> &inputs,
          const std::vector<uint32_t> &outputs, const vm::Rows &rows)
      : program_(types_of(types), program_of(std::move(code)), inputs_of(inputs), outputs, rows, rows.count + rows.columns == 0) {
    const std::vector<ElementType> all = types_of(types);
    for (const InputRecord &input : inputs) {
      dimensions_.push_back(checked_dimensions(input));
      input_alignments_.push_back(alignment_of(all[std::get<0>(input)]));
    }
    for (uint32_t output : outputs)
      output_alignments_.push_back(alignment_of(all[output]));
  }

  bool run(nb::handle operand_sequence, nb::handle result_sequence, size_t threads) const {
    const Items operands(operand_sequence), results(result_sequence);
    if (operands.size() != program_.input_sizes().size() || results.size() != program_.output_sizes().size())
      throw vm::ProgramError("a fused program must get its " + std::to_string(program_.input_sizes().size()) +
                             " operands and " + std::to_string(program_.output_sizes().size()) + " results, got " +
                             std::to_string(operands.size()) + " and " + std::to_string(results.size()));
    std::vector<Array> arrays; // until the run has ended
    std::vector<unsigned char *> outputs;
    std::vector<size_t> shape; // of a program with a dynamic shape
    for (nb::handle result : results) {
      const Array &array = arrays.emplace_back(result, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
      size_t size = program_.output_sizes()[outputs.size()];
      if (outputs.empty())
        shape = array.shape();
      bool fits = program_.is_dynamic() ? array.shape() == shape
                                   : array.bytes() == size * program_.output_counts()[outputs.size()];
      if (array.item_size() != size || !fits || !array.is_aligned(output_alignments_[outputs.size()]))
        throw vm::ProgramError("result " + std::to_string(outputs.size()) +
                               " must be aligned, and have the shape of the program and items of " +
                               std::to_string(size) + " bytes");
      outputs.push_back(array.data());
    }
    std::vector<vm::Operand> inputs;
    for (nb::handle operand : operands) {
      const Array &array = arrays.emplace_back(operand, PyBUF_STRIDES);
      if (array.item_size() != program_.input_sizes()[inputs.size()])
        throw vm::ProgramError("operand " + std::to_string(inputs.size()) + " must have items of " +
                               std::to_string(program_.input_sizes()[inputs.size()]) + " bytes, got " +
                               std::to_string(array.item_size()));
      const bool is_table = program_.inputs()[inputs.size()].is_table;
      if (!is_fast(array, input_alignments_[inputs.size()]) || (is_table && !array.is_row_major()))
        return false;
      inputs.push_back({array.data(), strides_of(array, inputs.size(), shape)});
    }
    without_lock([&] {
      if (program_.is_dynamic())
        program_.run_dynamic(shape, inputs, outputs, threads);
      else
        program_.run(inputs, outputs, threads);
    });
    return true;
  }

private:
  static std::vector<vm::Input> inputs_of(const std::vector<InputRecord> &records) {
    std::vector<vm::Input> result;
    for (const auto &[index, level, shape, dimensions] : records) {
      if (level < 0 || level > table)
        throw vm::ProgramError("the level of an input must be from 0 to 3, got " + std::to_string(level));
      result.push_back({index, level == table ? vm::Level::one : static_cast<vm::Level>(level), shape, level == table});
    }
    return result;
  }

  static std::vector<size_t> checked_dimensions(const InputRecord &input) {
    const auto &[index, level, shape, dimensions] = input;
    for (size_t i = 0; i < dimensions.size(); ++i)
      if (dimensions[i] >= shape.size() || (i > 0 && dimensions[i] <= dimensions[i - 1]))
        throw vm::ProgramError("the dimensions of an input must be below the rank of its shape, " +
                               std::to_string(shape.size()) + ", in increasing order");
    return dimensions;
  }

  // Whether the operand is aligned, and its rows are contiguous or one repeated element.
  static bool is_fast(const Array &array, size_t alignment) {
    auto size = static_cast<ptrdiff_t>(array.item_size());
    const std::vector<size_t> shape = array.shape();
    bool result = array.is_aligned(alignment);
    size_t last = array.rank();
    for (size_t i = 0; i < array.rank(); ++i) {
      result = result && array.stride(i) % size == 0;
      last = shape[i] > 1 ? i : last;
    }
    return result && (last == array.rank() || array.stride(last) == 0 || array.stride(last) == size);
  }

  static bool is_dense(const Array &array, size_t alignment) {
    auto step = static_cast<ptrdiff_t>(array.item_size());
    bool result = array.is_aligned(alignment);
    for (size_t i = array.rank(); i-- > 0;) {
      result = result && (array.shape()[i] == 1 || array.stride(i) == step);
      step *= static_cast<ptrdiff_t>(array.shape()[i]);
    }
    return result;
  }

  std::vector<ptrdiff_t> strides_of(const Array &array, size_t input, const std::vector<size_t> &dynamic_shape) const {
    const bool is_dynamic = program_.is_dynamic() && program_.inputs()[input].level != vm::Level::one;
    const std::vector<size_t> &shape = is_dynamic ? dynamic_shape : program_.inputs()[input].shape;
    std::vector<ptrdiff_t> result(shape.size(), 0);
    const std::vector<size_t> extents = array.shape();
    if (program_.inputs()[input].is_table && extents != shape)
      throw vm::ProgramError("operand " + std::to_string(input) + " must have the shape of its table");
    if (array.rank() == 0)
      return result;
    bool fits = is_dynamic ? extents == shape : extents.size() == dimensions_[input].size();
    for (size_t i = 0; fits && i < extents.size(); ++i) {
      size_t dimension = is_dynamic ? i : dimensions_[input][i];
      fits = extents[i] == shape[dimension] || extents[i] == 1;
      result[dimension] = extents[i] == 1 ? 0 : array.stride(i);
    }
    if (!fits)
      throw vm::ProgramError("operand " + std::to_string(input) +
                             " must have the rank and the sizes of the program; a size may also be 1");
    return result;
  }

  vm::FusedProgram program_;
  std::vector<std::vector<size_t>> dimensions_;
  std::vector<size_t> input_alignments_, output_alignments_;
};

} // namespace

void bind_fused_program(nb::module_ &m) {
  nb::class_<PyFusedProgram>(m, "FusedProgram",
                      R"(Pointwise operations on arrays without jumps, reductions of their rows, and gathers of elements.

Instructions are those of `Program`, without jumps; each register is written once. A register has a level:
one value (0), one value for each row (1), or one for each of rows times columns (2). An operation
computes on the highest level of its operands. The instruction 'broadcast' repeats a register of a lower
level for every element, 'reduce_rows' combines the elements of each row, and 'gather' reads elements of a
table, an operand of any shape, at computed places.)")
      .def("__init__",
           [](PyFusedProgram *self, const std::vector<std::string> &types, Code code,
              const std::vector<InputRecord> &inputs, const std::vector<uint32_t> &outputs, size_t rows,
              size_t columns, size_t inner, size_t run) {
             new (self) PyFusedProgram(types, std::move(code), inputs, outputs, {rows, columns, inner, run});
           },
           "types"_a, "code"_a, "inputs"_a, "outputs"_a, "rows"_a = 0, "columns"_a = 0, "inner"_a = 1, "run"_a = 1,
           R"(`types`: those of the registers. Raises ValueError for a malformed program.

`inputs`: (register, level, shape, dimensions) for each. The shape has as many elements as the level.
`dimensions` says which dimensions of the shape the operand has; the operand is repeated along the
others, and along its own dimensions of size 1. Tables have level 3. Without rows and columns the
program has a dynamic shape: operands of level 2 have the shape of the results or rank 0, those of
level 0 have rank 0, and shapes and dimensions of inputs are empty. Elements are [rows / inner,
columns / run, inner, run], and rows have a place in the first and the third of these dimensions.
Unless `inner` is 1, it is at most 4096, and `run` a power of two up to 64.)")
      .def("run", &PyFusedProgram::run, "operands"_a, "results"_a, "threads"_a = 1,
           nb::sig("def run(self, operands: Sequence[Buffer], results: Sequence[Buffer], "
                   "threads: int = 1) -> bool"),
           R"(Fill `results` from `operands`.

False, with nothing computed, if an operand is not aligned, or its rows are neither contiguous nor one
repeated element, or a table is not contiguous.

Results are contiguous, and share no memory with operands. Large arrays are divided among up to
`threads` threads.)");
}

} // namespace hlokit
