// hlokit._bytecode.hlo_computation: the instructions of a computation, as far as their ids decide.
#include <string_view>
#include <utility>

#include "bytecode/protobuf.h"
#include "python/bytecode/module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// Fields of HloComputationProto.
constexpr uint64_t instructions_field = 2, computation_id_field = 5, root_id_field = 6;
// Fields of HloInstructionProto. Fields are in the order of their numbers: what an instruction computes is before and
// after those that refer to others.
constexpr uint64_t id_field = 35, operands_field = 36, called_field = 38;
// How the name begins, and the length of names that are taken apart.
constexpr unsigned char name_tag = 1 << 3 | 2;
constexpr unsigned char longest_name = 0x7F;

nb::bytes bytes_of(std::string_view text) { return nb::bytes(text.data(), text.size()); }

// Adds the numbers of a repeated field: one, or several that are packed.
void add_integers(nb::list &numbers, const Fields::Value &value) {
  if (value.is_integer) {
    numbers.append(value.integer);
    return;
  }
  for (Fields packed(value.bytes); !packed.at_end();)
    numbers.append(packed.varint());
}

nb::tuple instruction(std::string_view message) {
  std::string_view name;
  if (message.size() >= 2 && static_cast<unsigned char>(message[0]) == name_tag &&
      static_cast<unsigned char>(message[1]) <= longest_name) {
    name = message.substr(2, static_cast<unsigned char>(message[1]));
    if (message.size() < 2 + name.size() || name.size() < static_cast<unsigned char>(message[1]))
      throw MalformedMessage("a field is longer than its message");
    message.remove_prefix(2 + name.size());
  }
  Fields fields(message);
  size_t head = message.size(), tail = message.size();
  uint64_t id = 0;
  nb::list operands, called;
  bool has_ids = false;
  while (!fields.at_end()) {
    const size_t start = fields.position();
    const uint64_t number = fields.number();
    if (number > called_field) {
      tail = start;
      break;
    }
    const Fields::Value value = fields.read();
    if (number >= id_field && !has_ids) {
      head = start;
      has_ids = true;
    }
    if (number < id_field && has_ids)
      throw MalformedMessage("the fields of an instruction must be in the order of their numbers");
    if (number == id_field && value.is_integer)
      id = value.integer;
    else if (number == operands_field)
      add_integers(operands, value);
    else if (number == called_field)
      add_integers(called, value);
  }
  if (head > tail)
    head = tail;
  const nb::tuple form =
      nb::make_tuple(bytes_of(message.substr(0, head)), bytes_of(message.substr(tail)), called.size() > 0);
  return nb::make_tuple(form, id, bytes_of(name), nb::tuple(operands), nb::tuple(called));
}

nb::tuple hlo_computation(const nb::bytes &data) {
  uint64_t id = 0, root = 0;
  nb::list instructions;
  try {
    for (Fields fields({data.c_str(), data.size()}); !fields.at_end();) {
      const uint64_t number = fields.number();
      const Fields::Value value = fields.read();
      if (number == instructions_field && !value.is_integer)
        instructions.append(instruction(value.bytes));
      else if (number == computation_id_field && value.is_integer)
        id = value.integer;
      else if (number == root_id_field && value.is_integer)
        root = value.integer;
    }
  } catch (const MalformedMessage &error) {
    throw nb::value_error(error.what());
  }
  return nb::make_tuple(id, root, instructions);
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
