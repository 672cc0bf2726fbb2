#include "bytecode/hlo.h"

namespace hlokit {
namespace {

// Fields of HloComputationProto.
constexpr uint64_t instructions_field = 2, computation_id_field = 5, root_id_field = 6;
// Fields of HloInstructionProto, which are in the order of their numbers.
constexpr uint64_t id_field = 35, operands_field = 36, called_field = 38;
// How the name begins, and the length of names that are taken apart.
constexpr unsigned char name_tag = 1 << 3 | 2;
constexpr size_t longest_name = 0x7F;

// Adds the numbers of a repeated field: one, or several that are packed.
void add_integers(std::vector<uint64_t> &numbers, const Fields::Value &value) {
  if (value.is_integer) {
    numbers.push_back(value.integer);
    return;
  }
  for (Fields packed(value.bytes); !packed.at_end();)
    numbers.push_back(packed.varint());
}

HloInstruction instruction(std::string_view message) {
  HloInstruction result;
  if (message.size() >= 2 && static_cast<unsigned char>(message[0]) == name_tag) {
    const size_t length = static_cast<unsigned char>(message[1]);
    if (length <= longest_name) {
      if (length > message.size() - 2)
        throw MalformedMessage("a field is longer than its message");
      result.name = message.substr(2, length);
      message.remove_prefix(2 + length);
    }
  }
  Fields fields(message);
  size_t head = message.size(), tail = message.size();
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
      result.id = value.integer;
    else if (number == operands_field)
      add_integers(result.operands, value);
    else if (number == called_field)
      add_integers(result.called, value);
  }
  result.before = message.substr(0, has_ids ? head : tail);
  result.after = message.substr(tail);
  return result;
}

} // namespace

HloComputation read_hlo_computation(std::string_view message) {
  HloComputation computation;
  for (Fields fields(message); !fields.at_end();) {
    const uint64_t number = fields.number();
    const Fields::Value value = fields.read();
    if (number == instructions_field && !value.is_integer)
      computation.instructions.push_back(instruction(value.bytes));
    else if (number == computation_id_field && value.is_integer)
      computation.id = value.integer;
    else if (number == root_id_field && value.is_integer)
      computation.root = value.integer;
  }
  return computation;
}

} // namespace hlokit
