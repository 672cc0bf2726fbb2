// hlokit._native.Loop and Chain: the machines of vm.h for Python. Arrays come through the buffer protocol, and
// the interpreter's lock is released while a machine runs.
#include "bind_vm.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <string>
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
    vm::Instruction at{step, 0, 8, 16, 16, 0};
    step(&at, registers);
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

bool run_chain(const vm::Chain &chain, nb::sequence operands, nb::sequence results, size_t threads) {
  if (nb::len(operands) != chain.input_sizes().size() || nb::len(results) != chain.output_sizes().size() ||
      chain.output_sizes().empty())
    throw vm::ProgramError("a chain must get its operands and results");
  std::vector<Array> arrays; // until all is done
  std::vector<unsigned char *> outputs;
  std::vector<size_t> shape;
  for (nb::handle result : results) {
    const Array &array = arrays.emplace_back(result, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
    if (outputs.empty())
      shape = array.shape();
    if (array.item_size() != chain.output_sizes()[outputs.size()] || array.shape() != shape ||
        !array.is_aligned())
      throw vm::ProgramError("results must be aligned and have one shape and the item sizes of the program");
    outputs.push_back(array.data());
  }
  std::vector<vm::Operand> inputs;
  for (nb::handle operand : operands) {
    const Array &array = arrays.emplace_back(operand, PyBUF_STRIDES);
    if (array.item_size() != chain.input_sizes()[inputs.size()])
      throw vm::ProgramError("operands must have the item sizes of the program");
    vm::Operand input{array.data(), array.item_size(), std::vector<ptrdiff_t>(shape.size(), 0)};
    if (array.rank() != 0) {
      if (array.shape() != shape)
        throw vm::ProgramError("operands must have the shape of the results or rank 0");
      for (size_t i = 0; i < shape.size(); ++i)
        input.strides[i] = array.stride(i);
      if (!array.is_aligned())
        return false;
    }
    inputs.push_back(std::move(input));
  }
  nb::gil_scoped_release released;
  return chain.run(shape, inputs, outputs, threads);
}

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
  nb::class_<vm::Chain>(m, "Chain",
                        R"(A straight line of pointwise operations on arrays of one shape.

Instructions are as in `Loop`, without jumps; each register is written once.)")
      .def("__init__",
           [](vm::Chain *self, const std::vector<std::string> &types, const Code &code,
              std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
             new (self) vm::Chain(types_of(types), sources_of(code), std::move(inputs), std::move(outputs));
           },
           "types"_a, "code"_a, "inputs"_a, "outputs"_a,
           "`types`: of the registers. Raises ValueError for a program that is malformed.")
      .def("run", run_chain, "operands"_a, "results"_a, "threads"_a = 1,
           nb::sig("def run(self, operands: Sequence[Buffer], results: Sequence[Buffer], "
                   "threads: int = 1) -> bool"),
           R"(Fill `results` from `operands`; False, and nothing done, for operands whose layout is too slow.

Operands have the shape of the results or rank 0. Those laid out in other than row-major order are too
slow, and those that are not aligned. Results are contiguous, and share no memory with operands.
Large arrays are divided among up to `threads` threads.)");
}

} // namespace hlokit
