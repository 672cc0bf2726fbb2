// hlokit._kernels.StraightLine: a Loop without jumps, which is called with arrays.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/programs.h"
#include "vm/loop/loop.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// A register, and the shape of the array in it.
using PortRecord = std::tuple<uint32_t, std::vector<size_t>>;
using Constant = std::tuple<uint32_t, nb::bytes>;

// Work, in instructions, from which on other threads of Python may run meanwhile. To let them takes the time of some dozen
// instructions.
constexpr size_t long_work = 4096;

class StraightLine {
public:
  StraightLine(const std::vector<std::string> &type_names, const Code &code, const std::vector<int64_t> &counts,
          const std::vector<vm::Numbers> &numbers, const std::vector<PortRecord> &inputs,
          const std::vector<PortRecord> &outputs, const std::vector<Constant> &constants)
      : StraightLine(types_of(type_names), program_of(code), counts, numbers, inputs, outputs, constants) {}

  void run(nb::handle operands, nb::handle results) const {
    const Sequence given(operands, inputs_.size()), taken(results, outputs_.size());
    std::vector<uint64_t> registers(image_);
    auto *memory = reinterpret_cast<unsigned char *>(registers.data());
    std::vector<Array> held; // until the run has ended
    held.reserve(inputs_.size() + outputs_.size());
    std::vector<unsigned char *> pointers(constants_);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const Port &port = inputs_[i];
      const Array &array = held.emplace_back(given[i], PyBUF_ND | PyBUF_STRIDES);
      check(port, array);
      if (port.is_scalar)
        std::memcpy(memory + port.slot, array.data(), port.size);
      else
        pointers[port.place] = array.data();
    }
    std::vector<std::unique_ptr<unsigned char[]>> copies;
    for (size_t i = 0; i < inputs_.size(); ++i)
      if (!inputs_[i].is_scalar && !(held[i].is_aligned() && held[i].is_row_major()))
        pointers[inputs_[i].place] = copies.emplace_back(held[i].row_major()).get();
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const Port &port = outputs_[i];
      const Array &array = held.emplace_back(taken[i], PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
      check(port, array);
      if (!array.is_aligned())
        throw vm::ProgramError("results must be aligned");
      for (size_t j = 0; j + 1 < held.size(); ++j)
        if (held[j].overlaps(array))
          throw vm::ProgramError("results must share no memory with other arrays");
      if (!port.is_scalar)
        pointers[port.place] = array.data();
    }
    const std::unique_ptr<unsigned char[]> arena(new unsigned char[loop_.arena_bytes()]);
    if (loop_.work() < long_work) {
      loop_.run(memory, pointers, arena.get(), 1);
    } else {
      nb::gil_scoped_release released;
      loop_.run(memory, pointers, arena.get(), 1);
    }
    for (size_t i = 0; i < outputs_.size(); ++i)
      if (outputs_[i].is_scalar)
        std::memcpy(held[inputs_.size() + i].data(), memory + outputs_[i].slot, outputs_[i].size);
  }

private:
  // An operand or a result.
  struct Port {
    size_t slot = 0;  // of a scalar
    size_t place = 0; // of an array, among the arrays of a run
    size_t size = 0;            // of an element
    bool is_scalar = false;
    std::vector<size_t> shape;
  };

  // Arrays, as many as expected.
  class Sequence {
  public:
    Sequence(nb::handle object, size_t count) : held_(object) {
      if (held_.size() != count)
        throw vm::ProgramError("a straight line must get " + std::to_string(count) + " arrays here");
    }
    nb::handle operator[](size_t i) const { return PyTuple_GetItem(held_.ptr(), static_cast<Py_ssize_t>(i)); }

  private:
    Items held_;
  };

  StraightLine(const std::vector<ElementType> &types, const std::vector<vm::Instruction> &program,
          const std::vector<int64_t> &counts, const std::vector<vm::Numbers> &numbers,
          const std::vector<PortRecord> &inputs, const std::vector<PortRecord> &outputs,
          const std::vector<Constant> &constants)
      : loop_(types, counts, checked(program), numbers, arrays_of(counts, inputs, outputs, constants)),
        image_(vm::Loop::reserved + types.size()) {
    size_t place = 0;
    auto port_of = [&](uint32_t index, const std::vector<size_t> &shape, bool is_written) {
      Port port;
      port.is_scalar = counts.at(index) == vm::Loop::scalar;
      port.slot = 8 * (vm::Loop::reserved + index);
      port.size = size_of(types[index]);
      port.shape = shape;
      uint64_t count = 1;
      for (size_t extent : shape)
        count = extent > most_elements ? most_elements + 1 : std::min(count * extent, most_elements + 1);
      if (count != (port.is_scalar ? 1 : static_cast<uint64_t>(counts[index])))
        throw vm::ProgramError("a shape must have as many elements as its register");
      if (!port.is_scalar) {
        port.place = place++;
        if (!is_written && loop_.external()[port.place].is_written)
          throw vm::ProgramError("operands and constants must not be written");
      }
      return port;
    };
    for (const auto &[index, shape] : inputs)
      inputs_.push_back(port_of(index, shape, false));
    for (const auto &[index, shape] : outputs)
      outputs_.push_back(port_of(index, shape, true));
    constants_.resize(place);
    for (const auto &[index, bytes] : constants) {
      const bool is_scalar = counts.at(index) == vm::Loop::scalar;
      const size_t expected = size_of(types[index]) * (is_scalar ? 1 : static_cast<size_t>(counts[index]));
      if (bytes.size() != expected)
        throw vm::ProgramError("a constant must have the bytes of its register");
      if (is_scalar) {
        std::memcpy(&image_[vm::Loop::reserved + index], bytes.c_str(), expected);
        continue;
      }
      port_of(index, {static_cast<size_t>(counts[index])}, false);
      kept_.emplace_back((expected + 7) / 8);
      std::memcpy(kept_.back().data(), bytes.c_str(), expected);
      constants_.push_back(reinterpret_cast<unsigned char *>(kept_.back().data()));
    }
  }

  static const std::vector<vm::Instruction> &checked(const std::vector<vm::Instruction> &program) {
    for (const vm::Instruction &instruction : program) {
      if (instruction.opcode <= vm::jump && instruction.opcode >= vm::jump_if_not)
        throw vm::ProgramError("a straight line must have no jumps");
      if (instruction.opcode == vm::call)
        throw vm::ProgramError("a straight line must have no calls");
    }
    return program;
  }

  // The registers of the arrays of a run: operands, results and constants.
  static std::vector<uint32_t> arrays_of(const std::vector<int64_t> &counts, const std::vector<PortRecord> &inputs,
                                         const std::vector<PortRecord> &outputs,
                                         const std::vector<Constant> &constants) {
    std::vector<uint32_t> result;
    auto add = [&](uint32_t index) {
      if (index >= counts.size())
        throw vm::ProgramError("there is no register " + std::to_string(index));
      if (counts[index] != vm::Loop::scalar)
        result.push_back(index);
    };
    for (const auto &[index, shape] : inputs)
      add(index);
    for (const auto &[index, shape] : outputs)
      add(index);
    for (const auto &[index, bytes] : constants)
      add(index);
    return result;
  }

  static void check(const Port &port, const Array &array) {
    if (array.item_size() != port.size || !array.has_shape(port.shape))
      throw vm::ProgramError("arrays must have the shapes and item sizes of the straight line");
  }

  static constexpr uint64_t most_elements = uint64_t(1) << 28;

  vm::Loop loop_;
  std::vector<uint64_t> image_;            // the registers before a run
  std::vector<Port> inputs_, outputs_;
  std::vector<std::vector<uint64_t>> kept_; // constant arrays
  std::vector<unsigned char *> constants_;  // the arrays of a run: null for operands and results, then the constants
};

} // namespace

void bind_straight_line(nb::module_ &m) {
  nb::class_<StraightLine>(
      m, "StraightLine",
      R"(A program without jumps on scalars and on arrays of fixed sizes, which is called with arrays.

Instructions, registers and numbers are those of `Loop`.)")
      .def(nb::init<const std::vector<std::string> &, const Code &, const std::vector<int64_t> &,
                    const std::vector<vm::Numbers> &, const std::vector<PortRecord> &,
                    const std::vector<PortRecord> &, const std::vector<Constant> &>(),
           "types"_a, "code"_a, "counts"_a, "numbers"_a, "inputs"_a, "outputs"_a, "constants"_a,
           nb::sig("def __init__(self, types: Sequence[str], code: Sequence[tuple[int, int, int, int, int]], "
                   "counts: Sequence[int], numbers: Sequence[Sequence[int]], "
                   "inputs: Sequence[tuple[int, Sequence[int]]], outputs: Sequence[tuple[int, Sequence[int]]], "
                   "constants: Sequence[tuple[int, bytes]]) -> None"),
           R"(`inputs` and `outputs`: registers, each with the shape of its array. `constants`: registers, each
with its bytes. Raises ValueError for a malformed program.)")
      .def("run", &StraightLine::run, "operands"_a, "results"_a,
           nb::sig("def run(self, operands: Sequence[Buffer], results: Sequence[Buffer]) -> None"),
           "Compute. Operands have any strides. Results are contiguous and share no memory with others.");
}

} // namespace hlokit
