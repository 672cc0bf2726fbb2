#include "vm/verifier.h"

#include <limits>
#include <string>

namespace hlokit::vm {
namespace {

std::string name_of_register(uint32_t index) { return "register " + std::to_string(index); }

void check_scalar(const std::vector<int64_t> &counts, uint32_t index) {
  if (counts[index] != scalar_count)
    throw ProgramError(name_of_register(index) + " must hold a scalar");
}

} // namespace

void check_register(const Types &types, uint32_t index) {
  if (index >= types.size())
    throw ProgramError("there is no " + name_of_register(index));
}

void check_type(const Types &types, uint32_t index, ElementType type) {
  check_register(types, index);
  if (types[index] != type)
    throw ProgramError(name_of_register(index) + " must hold " + name_of(type) + ", not " + name_of(types[index]));
}

const Opcode &check_operation(const Types &types, const Instruction &instruction) {
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

const regions::Combination &check_combination(const Types &types, int opcode, uint32_t index) {
  const Opcode &found = check_operation(types, {opcode, index, index, index, index});
  const regions::Combination *combination = regions::find_combination(found.name, found.result);
  if (!combination)
    throw ProgramError(std::string("there is no kernel that combines ") + name_of(found.result) + " by " + found.name);
  return *combination;
}

void check_loop(const Types &types, const std::vector<int64_t> &counts, const std::vector<Instruction> &program) {
  constexpr size_t most = std::numeric_limits<int32_t>::max() / 16;
  if (types.size() > most || program.size() > most)
    throw ProgramError("a program must have at most " + std::to_string(most) + " registers and instructions");
  if (counts.size() != types.size())
    throw ProgramError("each register must have a count");
  for (size_t i = 0; i < types.size(); ++i) {
    if (counts[i] < scalar_count || counts[i] > most_elements)
      throw ProgramError("an array must have 0 to " + std::to_string(most_elements) + " elements, got " +
                         std::to_string(counts[i]));
    if (is_complex(types[i]) && counts[i] == scalar_count)
      throw ProgramError(name_of_register(static_cast<uint32_t>(i)) + " must be an array: it holds complex numbers");
  }
  for (const Instruction &instruction : program) {
    if (is_jump(instruction)) {
      if (instruction.to > program.size())
        throw ProgramError("a jump must lead into the program or to its end, got " + std::to_string(instruction.to));
      if (instruction.opcode == jump)
        continue;
      check_type(types, instruction.a, ElementType::i1);
      check_scalar(counts, instruction.a);
    } else if (instruction.opcode >= 0) {
      const size_t arity = check_operation(types, instruction).arity;
      const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
      for (size_t i = 0; i < arity; ++i)
        if (counts[operands[i]] != scalar_count && counts[operands[i]] != counts[instruction.to])
          throw ProgramError(name_of_register(operands[i]) + " must have as many elements as the result");
    }
  }
}

void Definitions::add(uint32_t index) {
  check_register(types_, index);
  if (is_defined_[index])
    throw ProgramError(name_of_register(index) + " must be defined once");
  is_defined_[index] = true;
}

void Definitions::check_use(uint32_t index) const {
  check_register(types_, index);
  if (!is_defined_[index])
    throw ProgramError(name_of_register(index) + " must be defined before it is used");
}

const Opcode &Definitions::add(const Instruction &instruction) {
  const Opcode &found = check_operation(types_, instruction);
  const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
  for (size_t i = 0; i < found.arity; ++i)
    check_use(operands[i]);
  add(instruction.to);
  return found;
}

} // namespace hlokit::vm
