#include "vm/instruction.h"

#include <string>

namespace hlokit::vm {

void check_register(const std::vector<ElementType> &types, uint32_t index) {
  if (index >= types.size())
    throw ProgramError("there is no register " + std::to_string(index));
}

void check_type(const std::vector<ElementType> &types, uint32_t index, ElementType type) {
  check_register(types, index);
  if (types[index] != type)
    throw ProgramError("register " + std::to_string(index) + " must hold " + name_of(type));
}

void check_real(const std::vector<ElementType> &types) {
  for (ElementType type : types)
    if (is_complex(type))
      throw ProgramError("bodies of regions have no complex numbers");
}

const Opcode &check_operation(const std::vector<ElementType> &types, const Instruction &instruction) {
  const Opcodes &all = opcodes();
  if (instruction.opcode < 0 || static_cast<size_t>(instruction.opcode) >= all.count)
    throw ProgramError("there is no operation " + std::to_string(instruction.opcode));
  const Opcode &found = all.rows[instruction.opcode];
  const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
  check_type(types, instruction.to, found.result);
  for (size_t i = 0; i < found.arity; ++i)
    check_type(types, operands[i], found.operands[i]);
  return found;
}

} // namespace hlokit::vm
