// hlokit._kernels.Loop.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/programs.h"
#include "vm/loop/loop.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

bool run_loop(const vm::Loop &loop, nb::handle registers, nb::sequence arrays, nb::handle arena, int64_t budget) {
  Array memory(registers, PyBUF_WRITABLE | PyBUF_ND);
  if (memory.item_size() != 8 || memory.bytes() != loop.register_bytes() || !memory.is_aligned())
    throw vm::ProgramError("registers must be an aligned array of " +
                           std::to_string(loop.register_bytes() / 8) + " items of 8 bytes");
  if (nb::len(arrays) != loop.external().size())
    throw vm::ProgramError("a loop must get its arrays");
  std::vector<Array> held; // until the run has ended
  std::vector<unsigned char *> pointers;
  held.reserve(loop.external().size() + 1);
  size_t i = 0;
  for (nb::handle array : arrays) {
    const vm::Loop::ExternalArray &expected = loop.external()[i++];
    const Array &given =
        held.emplace_back(array, (expected.is_written ? PyBUF_WRITABLE : 0) | PyBUF_ND | PyBUF_C_CONTIGUOUS);
    if (given.bytes() != expected.bytes || reinterpret_cast<uintptr_t>(given.data()) % expected.alignment != 0)
      throw vm::ProgramError("an array must be aligned and have " + std::to_string(expected.bytes) + " bytes");
    pointers.push_back(given.data());
  }
  const Array &own = held.emplace_back(arena, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
  if (own.bytes() < loop.arena_bytes())
    throw vm::ProgramError("the arena must have " + std::to_string(loop.arena_bytes()) + " bytes");
  for (size_t one = 0; one < held.size(); ++one)
    if (one + 1 == held.size() || loop.external()[one].is_written)
      for (size_t two = 0; two < held.size(); ++two)
        if (one != two && held[one].overlaps(held[two]))
          throw vm::ProgramError("what is written must share no memory with another array");
  nb::gil_scoped_release released;
  return loop.run(memory.data(), pointers, own.data(), budget);
}

} // namespace

void bind_loop(nb::module_ &m) {
  nb::class_<vm::Loop>(m, "Loop",
                       R"(A program with jumps on scalars and on arrays of fixed sizes.

Instructions are (opcode, to, a, b, c): the register of the result, then those of the operands, 0 for
operands that the operation lacks. `opcodes` lists the opcodes. A jump leads to instruction `to`. The
program ends after its last instruction.

A register holds a scalar, or an array whose number of elements the program fixes. Instructions on
arrays have numbers besides their registers: lib/vm/loop/arrays.h says which.)")
      .def("__init__",
           [](vm::Loop *self, const std::vector<std::string> &types, const Code &code, std::vector<int64_t> counts,
              const std::vector<vm::Numbers> &numbers, const std::vector<uint32_t> &arrays) {
             if (counts.empty())
               counts.assign(types.size(), vm::Loop::scalar);
             new (self) vm::Loop(types_of(types), counts, program_of(code), numbers, arrays);
           },
           "types"_a, "code"_a, "counts"_a = std::vector<int64_t>(), "numbers"_a = std::vector<vm::Numbers>(),
           "arrays"_a = std::vector<uint32_t>(),
           nb::sig("def __init__(self, types: Sequence[str], code: Sequence[tuple[int, int, int, int, int]], "
                   "counts: Sequence[int] = (), numbers: Sequence[Sequence[int]] = (), "
                   "arrays: Sequence[int] = ()) -> None"),
           R"(`types`: those of the registers. `counts`: elements of each register, -1 for a scalar; () if all
are scalars. `numbers`: the lists that instructions refer to. `arrays`: the registers whose arrays a
run is given. Raises ValueError for a malformed program.)")
      .def_prop_ro("arena_bytes", &vm::Loop::arena_bytes, "Size of the memory that a run needs for its own arrays.")
      .def("run", run_loop, "registers"_a, "arrays"_a, "arena"_a, "budget"_a,
           nb::sig("def run(self, registers: Buffer, arrays: Sequence[Buffer], arena: Buffer, budget: int) -> bool"),
           R"(Run from the start, or from where the last run stopped. Returns whether the program has ended.

A run stops after `budget` jumps back, or after more of them if there is little work between.
`registers`: writable items of 8 bytes. The first two belong to the machine and are 0 at first; then
comes one for each register, with a scalar in its first bytes. `arrays`: contiguous, and writable if
the program writes them. `arena`: memory to work in, the same until the program has ended.)");
}

} // namespace hlokit
