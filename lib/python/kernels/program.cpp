// hlokit._kernels.Program: a program of vm::Loop, which is called with values of NumPy.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "python/kernels/module.h"
#include "python/kernels/ports.h"
#include "python/kernels/programs.h"
#include "python/kernels/without_lock.h"
#include "vm/loop/loop.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

using numpy::Extents;

// A register, or -1 for an operand that is not read; the shape of the array, and the known properties of the operand.
using OperandRecord = std::tuple<int64_t, Extents, nb::object>;
// A register, the shape of the array and its dtype; or, without a dtype, the number of the operand that is the result.
using ResultRecord = std::tuple<size_t, Extents, nb::object>;
using ConstantRecord = std::tuple<size_t, nb::object>;
// The operands of a call: shape, offset, strides, dtype. Its results: shape, dtype. Whether the kernel receives copies.
using ViewRecord = std::tuple<Extents, intptr_t, Extents, nb::object>;
using CallRecord = std::tuple<std::vector<ViewRecord>, std::vector<std::tuple<Extents, nb::object>>, bool>;

// The number of backward jumps before other threads of Python may run: releasing Python's lock takes the time of some
// dozen instructions.
constexpr int64_t short_budget = 512;
// The number of instructions without jumps that take as long.
constexpr size_t long_work = 4096;

// The memory of a run, which belongs to an object of Python, since kernels may keep views of it.
struct Memory {
  nb::object owner;
  unsigned char *data;

  explicit Memory(size_t bytes)
      : owner(nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes + vm::Loop::alignment)))) {
    if (!owner.is_valid())
      throw nb::python_error();
    data = reinterpret_cast<unsigned char *>(PyBytes_AsString(owner.ptr()));
    data += (vm::Loop::alignment - reinterpret_cast<uintptr_t>(data) % vm::Loop::alignment) % vm::Loop::alignment;
  }
};

class Program {
public:
  Program(const std::vector<ElementType> &types, const std::vector<vm::Instruction> &program,
          const std::vector<int64_t> &counts, const std::vector<OperandRecord> &operands,
          const std::vector<ResultRecord> &results, const std::vector<ConstantRecord> &constants,
          const std::vector<CallRecord> &calls, int64_t budget, nb::object counter)
      : loop_(types, counts, program, arrays_of(counts, operands, results, constants)),
        image_(vm::reserved_words::count + types.size()), calls_(calls.size()), budget_(budget), counted_(nb::none()) {
    const Registers registers{types, counts};
    size_t place = 0; // among the arrays of a run
    auto check_unwritten = [&](const Port &port) {
      if (!port.is_scalar && loop_.external()[place++].is_written)
        throw vm::ProgramError("an instruction must not write to an operand or a constant");
    };
    for (const auto &[index, shape, known] : operands) {
      Operand &operand = operands_.emplace_back();
      if (index >= 0)
        operand = registers.operand(static_cast<size_t>(index), shape, known);
      if (operand.use != Operand::Use::known) // a constant
        check_unwritten(operand);
    }
    for (const auto &[index, shape, dtype] : results) {
      Result &result = results_.emplace_back();
      if (!dtype.is_none())
        result = registers.result(index, shape, dtype);
      else if (index < operands.size())
        result.operand = index;
      else
        throw vm::ProgramError("a result without a dtype must name one of the " + std::to_string(operands.size()) +
                               " operands, got " + std::to_string(index));
      place += !result.is_scalar;
    }
    for (const auto &[index, array] : constants) {
      check_unwritten(registers.constant(index, array, reinterpret_cast<unsigned char *>(image_.data())));
      constants_.push_back(array);
    }
    for (const vm::DecodedCall &call : loop_.calls())
      add_call(registers, call, calls);
    if (!counter.is_none())
      counter_ = registers.result(nb::cast<size_t>(counter[0]), {}, counter[1]);
  }

  bool fits(const nb::tuple &operands) const {
    check_count(operands);
    Values copies;
    for (size_t i = 0; i < operands_.size(); ++i)
      if (!operands_[i].fits(operands[i], copies))
        return false;
    return true;
  }

  nb::object run(const nb::tuple &operands, nb::handle call) {
    check_count(operands);
    const Memory memory(loop_.memory_bytes());
    std::memcpy(memory.data, image_.data(), 8 * image_.size());
    Values copies, results(results_.size());
    for (size_t i = 0; i < operands_.size(); ++i)
      if (!operands_[i].read(operands[i], memory.data, copies))
        return nb::none();
    for (size_t i = 0; i < results_.size(); ++i)
      if (const Result &result = results_[i]; !result.dtype.is_valid()) {
        results[i] = operands[result.operand];
      } else if (!result.is_scalar) {
        results[i] = numpy::new_array(result.shape, result.dtype);
        result.point(memory.data, numpy::data_of(results[i]));
      }
    loop_.start(memory.data);
    nb::object owner; // of all memory that kernels see
    for (int64_t stop; (stop = resume(memory.data)) != vm::reasons::ended;) {
      if (stop == vm::reasons::spent) {
        if (counter_.dtype.is_valid())
          counted_ = counter_.value(counter_.elements(memory.data));
        if (PyErr_CheckSignals() != 0)
          throw nb::python_error();
        if (!call.is_none()) // the interpreter raises what other threads ask for only when it runs code
          call(-1, nb::tuple());
        continue;
      }
      if (!owner.is_valid())
        owner = nb::make_tuple(nb::find(this), memory.owner, operands, tuple_of(copies), tuple_of(results));
      calls_[static_cast<size_t>(stop)].make(static_cast<size_t>(stop), memory.data, owner, call);
    }
    counted_ = nb::none();
    for (size_t i = 0; i < results_.size(); ++i)
      if (const Result &result = results_[i]; result.dtype.is_valid() && (result.is_scalar || result.shape.empty()))
        results[i] = result.value(result.elements(memory.data));
    return results.size() == 1 ? results[0] : tuple_of(std::move(results));
  }

  nb::object counter() const { return counted_; }

private:
  // The registers of the arrays of a run: operands, results and constants.
  static std::vector<uint32_t> arrays_of(const std::vector<int64_t> &counts, const std::vector<OperandRecord> &operands,
                                         const std::vector<ResultRecord> &results,
                                         const std::vector<ConstantRecord> &constants) {
    std::vector<uint32_t> found;
    auto add = [&](size_t index) {
      if (index < counts.size() && counts[index] != vm::Loop::scalar)
        found.push_back(static_cast<uint32_t>(index));
    };
    for (const auto &[index, shape, known] : operands)
      if (!nb::isinstance<nb::bytes>(known))
        add(static_cast<size_t>(index));
    for (const auto &[index, shape, dtype] : results)
      if (!dtype.is_none())
        add(index);
    for (const auto &[index, array] : constants)
      add(index);
    return found;
  }

  void add_call(const Registers &registers, const vm::DecodedCall &decoded, const std::vector<CallRecord> &calls) {
    if (decoded.number >= calls.size() || !calls_[decoded.number].results.empty())
      throw vm::ProgramError("each call must have a number of its own below " + std::to_string(calls.size()) +
                             ", got " + std::to_string(decoded.number));
    const auto &[operands, results, copies] = calls[decoded.number];
    if (operands.size() != decoded.operands.size() || results.size() != decoded.results.size())
      throw vm::ProgramError("call " + std::to_string(decoded.number) + " must have " +
                             std::to_string(decoded.operands.size()) + " operands and " +
                             std::to_string(decoded.results.size()) + " results, as its instruction, got " +
                             std::to_string(operands.size()) + " and " + std::to_string(results.size()));
    Call &call = calls_[decoded.number];
    call.copies = copies;
    for (size_t i = 0; i < operands.size(); ++i) {
      const auto &[shape, offset, strides, dtype] = operands[i];
      call.operands.push_back(registers.kernel_operand(decoded.operands[i], shape, offset, strides, dtype));
    }
    for (size_t i = 0; i < results.size(); ++i) {
      const auto &[shape, dtype] = results[i];
      call.results.push_back(registers.result(decoded.results[i], shape, dtype));
    }
  }

  void check_count(const nb::tuple &operands) const {
    if (operands.size() != operands_.size())
      throw vm::ProgramError("a program must get " + std::to_string(operands_.size()) + " operands, got " +
                             std::to_string(operands.size()));
  }

  // Runs until the program ends, needs a call, or has spent the budget. Lets other threads run if the run is long.
  int64_t resume(unsigned char *memory) const {
    if (loop_.work() < long_work) {
      const int64_t stop = loop_.resume(memory, std::min(budget_, short_budget));
      if (stop != vm::reasons::spent)
        return stop;
    }
    int64_t stop = vm::reasons::spent;
    without_lock([&] { stop = loop_.resume(memory, budget_); });
    return stop;
  }

  vm::Loop loop_;
  std::vector<uint64_t> image_; // the slots before a run
  std::vector<Operand> operands_;
  std::vector<Result> results_;
  std::vector<Call> calls_;
  Values constants_;
  int64_t budget_;
  Result counter_; // without a dtype if there is none
  nb::object counted_;
};

} // namespace

void bind_program(nb::module_ &m) {
  nb::class_<Program>(m, "Program",
                      R"(A program on scalars and on arrays of fixed sizes, which is called with values of NumPy.

Instructions are (opcode, results, operands, numbers): the registers that they write and read, and the
numbers of those that are not pointwise operations. `opcodes` and `instructions` list them. The program
ends after its last instruction.

A register holds a scalar, or an array whose number of elements the program fixes.)")
      .def("__init__",
           [](Program *self, const std::vector<std::string> &types, Code code, std::vector<int64_t> counts,
              const std::vector<OperandRecord> &operands, const std::vector<ResultRecord> &results,
              const std::vector<ConstantRecord> &constants, const std::vector<CallRecord> &calls, int64_t budget,
              nb::object counter) {
             if (counts.empty())
               counts.assign(types.size(), vm::Loop::scalar);
             new (self) Program(types_of(types), program_of(std::move(code)), counts, operands, results, constants, calls,
                                budget, counter);
           },
           "types"_a, "code"_a, "counts"_a = std::vector<int64_t>(),
           "operands"_a = std::vector<OperandRecord>(), "results"_a = std::vector<ResultRecord>(),
           "constants"_a = std::vector<ConstantRecord>(), "calls"_a = std::vector<CallRecord>(), "budget"_a = 100000,
           "counter"_a = nb::none(),
           nb::sig("def __init__(self, types: Sequence[str], "
                   "code: Sequence[tuple[int, Sequence[int], Sequence[int], Sequence[int]]], counts: Sequence[int] = (), "
                   "operands: Sequence[tuple[int, Sequence[int], bytes | tuple[int, int] | None]] = (), "
                   "results: Sequence[tuple[int, Sequence[int], Any]] = (), "
                   "constants: Sequence[tuple[int, Any]] = (), "
                   "calls: Sequence[tuple[Sequence[tuple[Sequence[int], int, Sequence[int], Any]], "
                   "Sequence[tuple[Sequence[int], Any]], bool]] = (), "
                   "budget: int = 100000, counter: tuple[int, Any] | None = None) -> None"),
           R"(`types`: those of the registers. `counts`: elements of each register, -1 for a scalar; () if all
are scalars.

`operands`: (register, shape, what is known) for each; register -1 is not read. Known are the bytes
of one element, which is a constant, or, of all NaNs, the bits of the positive infinity and of the
NaN. `results`: (register, shape, dtype), or (number of an operand, shape, None) for the operand as
it is.
`constants`: (register, array).

`calls`: for each number of a call its operands, each a view (shape, offset, strides, dtype) of a
register; its results (shape, dtype); and whether its kernel is given copies of arrays.

A run checks for signals after `budget` jumps back, or after more of them if there is little work
between, and lets other threads run meanwhile. `counter`: the register that the attribute shows,
and its dtype. Raises ValueError for a malformed program.)")
      .def("fits", &Program::fits, "operands"_a, nb::sig("def fits(self, operands: tuple[Any, ...]) -> bool"),
           "Whether the operands whose values are known have these values.")
      .def("run", &Program::run, "operands"_a, "call"_a = nb::none(),
           nb::sig("def run(self, operands: tuple[Any, ...], "
                   "call: Callable[[int, tuple[Any, ...]], Any] | None = None) -> Any"),
           R"(The result, or a tuple of several, in new arrays; None if an operand has other NaNs than those known.

Operands, which the program `fits`, are arrays of any strides, or scalars. `call(number, operands)`
evaluates a call; `call(-1, ())` comes after each budget, for the interpreter to raise exceptions that
other threads set. Raises ValueError for operands of other shapes or sizes.)")
      .def_prop_ro("counter", &Program::counter, nb::for_getter(nb::sig("def counter(self) -> Any")),
                   "The counter when a run last checked for signals; None between runs.");
}

} // namespace hlokit
