// hlokit._bytecode.hlo_computation: the instructions of a computation, as far as their ids decide.
#include <string_view>
#include <vector>

#include "bytecode/hlo.h"
#include "python/bytecode/module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

nb::bytes bytes_of(std::string_view text) { return nb::bytes(text.data(), text.size()); }

nb::tuple integers_of(const std::vector<uint64_t> &numbers) {
  nb::list list;
  for (const uint64_t number : numbers)
    list.append(number);
  return nb::tuple(list);
}

nb::tuple hlo_computation(const nb::bytes &data) {
  HloComputation computation;
  try {
    computation = read_hlo_computation({data.c_str(), data.size()});
  } catch (const MalformedMessage &error) {
    throw nb::value_error(error.what());
  }
  nb::list instructions;
  for (const HloInstruction &instruction : computation.instructions) {
    const nb::tuple form =
        nb::make_tuple(bytes_of(instruction.before), bytes_of(instruction.after), !instruction.called.empty());
    instructions.append(nb::make_tuple(form, instruction.id, bytes_of(instruction.name),
                                       integers_of(instruction.operands), integers_of(instruction.called)));
  }
  return nb::make_tuple(computation.id, computation.root, instructions);
}

} // namespace

void bind_hlo(nb::module_ &m) {
  m.def("hlo_computation", &hlo_computation, "data"_a,
        nb::sig("def hlo_computation(data: bytes) -> tuple[int, int, list[tuple[tuple[bytes, bytes, bool], int, bytes, "
                "tuple[int, ...], tuple[int, ...]]]]"),
        "The id of an HloComputationProto, the id of its root, and its instructions: the fields before their ids\n"
        "and after them, and whether they call computations; id, name (empty if it is among the fields), and the\n"
        "ids of operands and of computations that are called. ValueError if the data is damaged.");
}

} // namespace hlokit
