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

// A loop with the memory of one run, which is checked once.
class LoopRun {
public:
  LoopRun(const vm::Loop &loop, nb::handle registers, const Items &arrays, nb::handle arena)
      : loop_(&loop), memory_(registers, PyBUF_WRITABLE | PyBUF_ND) {
    if (memory_.item_size() != 8 || memory_.bytes() != loop.register_bytes() || !memory_.is_aligned())
      throw vm::ProgramError("registers must be an aligned array of " +
                             std::to_string(loop.register_bytes() / 8) + " items of 8 bytes");
    if (arrays.size() != loop.external().size())
      throw vm::ProgramError("a loop must get its arrays");
    held_.reserve(loop.external().size() + 1);
    size_t i = 0;
    for (nb::handle array : arrays) {
      const vm::Loop::ExternalArray &expected = loop.external()[i++];
      const Array &given =
          held_.emplace_back(array, (expected.is_written ? PyBUF_WRITABLE : 0) | PyBUF_ND | PyBUF_C_CONTIGUOUS);
      if (given.bytes() != expected.bytes || reinterpret_cast<uintptr_t>(given.data()) % expected.alignment != 0)
        throw vm::ProgramError("an array must be aligned and have " + std::to_string(expected.bytes) + " bytes");
      pointers_.push_back(given.data());
    }
    const Array &own = held_.emplace_back(arena, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
    if (own.bytes() < loop.arena_bytes())
      throw vm::ProgramError("the arena must have " + std::to_string(loop.arena_bytes()) + " bytes");
    for (size_t one = 0; one < held_.size(); ++one)
      if (one + 1 == held_.size() || loop.external()[one].is_written)
        for (size_t two = 0; two < held_.size(); ++two)
          if (one != two && held_[one].overlaps(held_[two]))
            throw vm::ProgramError("what is written must share no memory with another array");
  }

  int64_t resume(int64_t budget) {
    nb::gil_scoped_release released;
    return loop_->run(memory_.data(), pointers_, held_.back().data(), budget);
  }

private:
  const vm::Loop *loop_;
  Array memory_;
  std::vector<Array> held_; // the arrays of the caller, then the arena
  std::vector<unsigned char *> pointers_;
};

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
      .def("arena_offset", &vm::Loop::arena_offset, "register"_a,
           R"(Where the array of a register lies in the arena, counted from its first address that 64 divides;
-1 for a scalar, an array of the caller, or an array of which only a part is kept at a time.)");
  nb::class_<LoopRun>(m, "LoopRun", R"(A run of a Loop: its memory, which nothing else may change while the run is under way.

`registers`: writable items of 8 bytes. The first three belong to the machine and are 0 at first; then
comes one for each register, with a scalar in its first bytes. `arrays`: contiguous, and writable if
the program writes them. `arena`: memory to work in. Between two calls of `resume` the caller may
read and write what registers hold.)")
      .def("__init__",
           [](LoopRun *self, const vm::Loop &loop, nb::handle registers, nb::handle arrays, nb::handle arena) {
             new (self) LoopRun(loop, registers, Items(arrays), arena);
           },
           "loop"_a, "registers"_a, "arrays"_a,
           "arena"_a, nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, loop: Loop, registers: Buffer, arrays: Sequence[Buffer], arena: Buffer) -> None"),
           "Raises ValueError for memory that does not fit the program.")
      .def("resume", &LoopRun::resume, "budget"_a,
           R"(Run from the start, or from where the run stopped. Returns -1 when the program has ended, -2 when the
budget is spent, or the number of a call that the caller is to make now.

A run stops after `budget` jumps back, or after more of them if there is little work between.)");
}

} // namespace hlokit
