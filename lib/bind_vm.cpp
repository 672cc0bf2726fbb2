// hlokit._native.Loop and Chain: the machines of vm.h for Python. Arrays come through the buffer protocol, and
// the interpreter's lock is released while a machine runs.
#include "bind_vm.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "bind_programs.h"
#include "vm.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

int find_operation(const std::string &name, const std::string &to, const std::string &operand) {
  return vm::find_operation(name, type_of(to), type_of(operand));
}

float float_of(nb::handle object) {
  double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred())
    throw nb::python_error();
  return static_cast<float>(value);
}

// Functions of f32, as they are before they are rounded.
nb::object scalar_function(const std::string &name) {
  const vm::Operation &operation = vm::operation(vm::find_operation(name, vm::Type::f64, vm::Type::f32));
  auto call = [step = operation.step](float a, float b) {
    unsigned char registers[24];
    std::memcpy(registers + 8, &a, sizeof a);
    std::memcpy(registers + 16, &b, sizeof b);
    const vm::Instruction code[] = {{step, 0, 8, 16, 16, 0}, {vm::halt, 0, 0, 0, 0, 0}};
    vm::compute(code, registers);
    double result;
    std::memcpy(&result, registers, sizeof result);
    return result;
  };
  if (operation.arity == 1)
    return nb::cpp_function([call](nb::handle a) { return call(float_of(a), 0); });
  return nb::cpp_function([call](nb::handle a, nb::handle b) { return call(float_of(a), float_of(b)); });
}

bool run_loop(const vm::Loop &loop, nb::handle registers, nb::sequence arrays, nb::handle arena, int64_t budget) {
  Array memory(registers, PyBUF_WRITABLE | PyBUF_ND);
  if (memory.item_size() != 8 || memory.size() != loop.register_bytes() || !memory.is_aligned())
    throw vm::ProgramError("registers must be an aligned array of " +
                           std::to_string(loop.register_bytes() / 8) + " items of 8 bytes");
  if (nb::len(arrays) != loop.outside().size())
    throw vm::ProgramError("a loop must get its arrays");
  std::vector<Array> held; // until all is done
  std::vector<unsigned char *> pointers;
  held.reserve(loop.outside().size() + 1);
  size_t i = 0;
  for (nb::handle array : arrays) {
    const vm::Loop::Outside &expected = loop.outside()[i++];
    const Array &given =
        held.emplace_back(array, (expected.is_written ? PyBUF_WRITABLE : 0) | PyBUF_ND | PyBUF_C_CONTIGUOUS);
    if (given.size() != expected.bytes || reinterpret_cast<uintptr_t>(given.data()) % expected.alignment != 0)
      throw vm::ProgramError("an array must be aligned and have " + std::to_string(expected.bytes) + " bytes");
    pointers.push_back(given.data());
  }
  const Array &own = held.emplace_back(arena, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
  if (own.size() < loop.arena_bytes())
    throw vm::ProgramError("the arena must have " + std::to_string(loop.arena_bytes()) + " bytes");
  for (size_t one = 0; one < held.size(); ++one)
    if (one + 1 == held.size() || loop.outside()[one].is_written)
      for (size_t two = 0; two < held.size(); ++two)
        if (one != two && held[one].data() < held[two].data() + held[two].size() &&
            held[two].data() < held[one].data() + held[one].size())
          throw vm::ProgramError("what is written must share no memory with another array");
  nb::gil_scoped_release released;
  return loop.run(memory.data(), pointers, own.data(), budget);
}

// Register, level, shape, and for each dimension of the array that will be given the one of the shape that it is.
using InputRecord = std::tuple<uint32_t, int, std::vector<size_t>, std::vector<size_t>>;

class PyChain {
public:
  PyChain(const std::vector<std::string> &types, const Code &code, const std::vector<InputRecord> &inputs,
          const std::vector<uint32_t> &outputs, size_t rows, size_t columns)
      : chain_(types_of(types), sources_of(code), inputs_of(inputs), outputs, rows, columns, rows + columns == 0) {
    const std::vector<vm::Type> all = types_of(types);
    for (const InputRecord &input : inputs) {
      dimensions_.push_back(checked_dimensions(input));
      input_alignments_.push_back(vm::alignment_of(all[std::get<0>(input)]));
    }
    for (uint32_t output : outputs)
      output_alignments_.push_back(vm::alignment_of(all[output]));
  }

  bool run(nb::sequence operands, nb::sequence results, size_t threads) const {
    if (nb::len(operands) != chain_.input_sizes().size() || nb::len(results) != chain_.output_sizes().size())
      throw vm::ProgramError("a chain must get its operands and results");
    std::vector<Array> arrays; // until all is done
    std::vector<unsigned char *> outputs;
    std::vector<size_t> shape; // of a free chain
    for (nb::handle result : results) {
      const Array &array = arrays.emplace_back(result, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
      size_t size = chain_.output_sizes()[outputs.size()];
      if (outputs.empty())
        shape = array.shape();
      bool fits = chain_.is_free() ? array.shape() == shape
                                   : array.size() == size * chain_.output_counts()[outputs.size()];
      if (array.item_size() != size || !fits || !array.is_aligned(output_alignments_[outputs.size()]))
        throw vm::ProgramError("results must be aligned and have the sizes of the program");
      outputs.push_back(array.data());
    }
    std::vector<vm::Operand> inputs;
    for (nb::handle operand : operands) {
      const Array &array = arrays.emplace_back(operand, PyBUF_STRIDES);
      if (array.item_size() != chain_.input_sizes()[inputs.size()])
        throw vm::ProgramError("operands must have the item sizes of the program");
      if (!is_quick(array, input_alignments_[inputs.size()]))
        return false;
      inputs.push_back({array.data(), strides_of(array, inputs.size(), shape)});
    }
    nb::gil_scoped_release released;
    if (chain_.is_free())
      chain_.run_free(shape, inputs, outputs, threads);
    else
      chain_.run(inputs, outputs, threads);
    return true;
  }

private:
  static std::vector<vm::Input> inputs_of(const std::vector<InputRecord> &records) {
    std::vector<vm::Input> result;
    for (const auto &[index, level, shape, dimensions] : records) {
      if (level < 0 || level > static_cast<int>(vm::Level::full))
        throw vm::ProgramError("there is no level " + std::to_string(level));
      result.push_back({index, static_cast<vm::Level>(level), shape});
    }
    return result;
  }

  static std::vector<size_t> checked_dimensions(const InputRecord &input) {
    const auto &[index, level, shape, dimensions] = input;
    for (size_t i = 0; i < dimensions.size(); ++i)
      if (dimensions[i] >= shape.size() || (i > 0 && dimensions[i] <= dimensions[i - 1]))
        throw vm::ProgramError("dimensions of an input must be of its shape, in increasing order");
    return dimensions;
  }

  // Aligned, and rows are worth reading: of neighbours or of one element.
  static bool is_quick(const Array &array, size_t alignment) {
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

  std::vector<ptrdiff_t> strides_of(const Array &array, size_t input, const std::vector<size_t> &free_shape) const {
    const bool is_free = chain_.is_free() && chain_.inputs()[input].level != vm::Level::one;
    const std::vector<size_t> &shape = is_free ? free_shape : chain_.inputs()[input].shape;
    std::vector<ptrdiff_t> result(shape.size(), 0);
    if (array.rank() == 0)
      return result;
    const std::vector<size_t> extents = array.shape();
    bool fits = is_free ? extents == shape : extents.size() == dimensions_[input].size();
    for (size_t i = 0; fits && i < extents.size(); ++i) {
      size_t dimension = is_free ? i : dimensions_[input][i];
      fits = extents[i] == shape[dimension] || extents[i] == 1;
      result[dimension] = extents[i] == 1 ? 0 : array.stride(i);
    }
    if (!fits)
      throw vm::ProgramError("operands must have the shapes of the program");
    return result;
  }

  vm::Chain chain_;
  std::vector<std::vector<size_t>> dimensions_;
  std::vector<size_t> input_alignments_, output_alignments_;
};

} // namespace

void bind_vm(nb::module_ &m) {
  m.def("find_operation", find_operation, "name"_a, "to"_a, "operand"_a,
        R"(The number of an operation by the types of its result and of its last operand; -1 if there is none.

Types are spelled as in MLIR, operations as in StableHLO; comparisons are 'LT', 'TOTALORDER LT' and so on.)");
  m.def("scalar_function", scalar_function, "name"_a,
        nb::sig("def scalar_function(name: str) -> Callable[..., float]"),
        "What a function of one or two f32 gives before it is rounded. Raises ValueError for an unknown one.");
  nb::class_<vm::Loop>(m, "Loop",
                       R"(A program of operations on scalars and on arrays of fixed sizes, with jumps.

Instructions are (operation, to, a, b, c): an operation's number, the register of its result and those
of its operands, 0 for those that it has not. Or -1, -2, -3: a jump to instruction `to`, always, if
register `a` (an i1) is true, or if it is not. The program ends behind its last instruction.

A register holds a scalar or an array, of which the program knows the number of elements. -4 to -7 move
elements, read windows, write windows and reduce: lib/vm_arrays.h says how.)")
      .def("__init__",
           [](vm::Loop *self, const std::vector<std::string> &types, const Code &code,
              std::vector<int64_t> counts, const std::vector<vm::Numbers> &numbers,
              const std::vector<uint32_t> &arrays) {
             if (counts.empty())
               counts.assign(types.size(), vm::Loop::scalar);
             new (self) vm::Loop(types_of(types), counts, sources_of(code), numbers, arrays);
           },
           "types"_a, "code"_a, "counts"_a = std::vector<int64_t>(), "numbers"_a = std::vector<vm::Numbers>(),
           "arrays"_a = std::vector<uint32_t>(),
           nb::sig("def __init__(self, types: Sequence[str], code: Sequence[tuple[int, int, int, int, int]], "
                   "counts: Sequence[int] = (), numbers: Sequence[Sequence[int]] = (), "
                   "arrays: Sequence[int] = ()) -> None"),
           R"(`types`: of the registers; `counts`: elements of each, -1 for a scalar; () if all are.
`numbers`: lists that instructions refer to. `arrays`: the registers whose arrays a run is given.
Raises ValueError for a program that is malformed.)")
      .def_prop_ro("arena_bytes", &vm::Loop::arena_bytes, "Size of the memory that a run takes for its own arrays.")
      .def("run", run_loop, "registers"_a, "arrays"_a, "arena"_a, "budget"_a,
           nb::sig("def run(self, registers: Buffer, arrays: Sequence[Buffer], arena: Buffer, budget: int) -> bool"),
           R"(Run from the start or go on, for `budget` jumps back (more of them if there is little between);
gives whether it has ended.

`registers`: writable items of 8 bytes. The first two are the machine's, 0 at first; then one each
register, whose scalar lies in its first bytes. `arrays`: contiguous, writable if they are written.
`arena`: bytes to work in; the same while a run goes on.)");
  m.def("find_reduction",
        [](const std::string &name, const std::string &type) { return vm::find_reduction(name, type_of(type)); },
        "name"_a, "type"_a, "The number of a reduction of rows by an operation of two values; 0 if there is none.");
  nb::class_<PyChain>(m, "Chain",
                      R"(A straight line of pointwise operations on arrays, and of reductions of their rows.

Instructions are as in `Loop`, without jumps; each register is written once. There are three levels: a
register has one value (0), one a row (1), or one for each of rows times columns (2). An operation is done
on the highest level of its operands. -1 gives a register of lower level for each element; numbers of
`find_reduction` reduce rows: of an array and an initial value.)")
      .def("__init__",
           [](PyChain *self, const std::vector<std::string> &types, const Code &code,
              const std::vector<InputRecord> &inputs, const std::vector<uint32_t> &outputs, size_t rows,
              size_t columns) { new (self) PyChain(types, code, inputs, outputs, rows, columns); },
           "types"_a, "code"_a, "inputs"_a, "outputs"_a, "rows"_a = 0, "columns"_a = 0,
           R"(`types`: of the registers. Raises ValueError for a program that is malformed.

`inputs`: (register, level, shape, dimensions) each. The shape has as many elements as the level. An
operand is an array whose dimensions are those of the shape, or 1: it is repeated along them and
along the others. Without rows and columns operands of level 2 are of one shape, that of the
results, or of rank 0, those of level 0 of rank 0; shapes and dimensions of inputs then are empty.)")
      .def("run", &PyChain::run, "operands"_a, "results"_a, "threads"_a = 1,
           nb::sig("def run(self, operands: Sequence[Buffer], results: Sequence[Buffer], "
                   "threads: int = 1) -> bool"),
           R"(Fill `results` from `operands`; False, and nothing done, if one is not aligned, or not in rows.

Results are contiguous, and share no memory with operands. Large arrays are divided among up to
`threads` threads.)");
}

} // namespace hlokit
