#include "vm/verifier.h"

#include <limits>
#include <string>

namespace hlokit::vm {
namespace {

std::string name_of_register(uint32_t index) { return "register " + std::to_string(index); }

const Opcode &check_opcode(int64_t number) {
  const Opcodes &all = opcodes();
  if (number < 0 || static_cast<size_t>(number) >= all.count)
    throw ProgramError("there is no operation " + std::to_string(number));
  return all.rows[number];
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

void check_scalar(const std::vector<int64_t> &counts, uint32_t index) {
  if (counts[index] != scalar_count)
    throw ProgramError(name_of_register(index) + " must hold a scalar");
}

void check_count(const std::vector<int64_t> &counts, uint32_t index, size_t count) {
  const int64_t own = counts[index] == scalar_count ? 1 : counts[index];
  if (own != static_cast<int64_t>(count))
    throw ProgramError(name_of_register(index) + " must hold " + std::to_string(count) + " elements, got " + std::to_string(own));
}

const Opcode &check_operation(const Types &types, const Instruction &instruction) {
  const Opcode &opcode = check_opcode(instruction.opcode);
  if (instruction.results.size() != 1 || instruction.operands.size() != opcode.arity || !instruction.numbers.empty())
    throw ProgramError(std::string(opcode.name) + " must have 1 result, " + std::to_string(opcode.arity) +
                       " operands and no numbers");
  check_type(types, instruction.results[0], opcode.result);
  for (size_t i = 0; i < opcode.arity; ++i)
    check_type(types, instruction.operands[i], opcode.operands[i]);
  return opcode;
}

const Opcode &check_binary_operation(const Types &types, int64_t number, uint32_t index) {
  const Opcode &opcode = check_opcode(number);
  if (opcode.arity != 2)
    throw ProgramError(std::string("an operation that combines elements must have two operands, got ") + opcode.name);
  check_type(types, index, opcode.result);
  for (ElementType operand : {opcode.operands[0], opcode.operands[1]})
    check_type(types, index, operand);
  return opcode;
}

const regions::Combination &check_combination(const Types &types, int64_t number, uint32_t index) {
  const Opcode &opcode = check_binary_operation(types, number, index);
  const regions::Combination *combination = regions::find_combination(opcode.name, opcode.result);
  if (!combination)
    throw ProgramError(std::string("there is no kernel that combines ") + name_of(opcode.result) + " by " + opcode.name);
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
    for (const Registers *registers : {&instruction.results, &instruction.operands})
      for (uint32_t index : *registers)
        check_register(types, index);
    if (is_jump(instruction)) {
      if (instruction.opcode == jump)
        read_fields<fields::Jump>(instruction);
      else
        check_kinds(types, counts, instruction, read_fields<fields::ConditionalJump>(instruction));
      if (target_of(instruction) > program.size())
        throw ProgramError("a jump must lead into the program or to its end, got " + std::to_string(target_of(instruction)));
    } else if (instruction.opcode >= 0) {
      check_operation(types, instruction);
      for (uint32_t operand : instruction.operands)
        if (counts[operand] != scalar_count && counts[operand] != counts[instruction.results[0]])
          throw ProgramError(name_of_register(operand) + " must have as many elements as the result");
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
  const Opcode &opcode = check_operation(types_, instruction);
  for (uint32_t operand : instruction.operands)
    check_use(operand);
  add(instruction.results[0]);
  return opcode;
}

void check_number(const char *name, int64_t number, int64_t least, int64_t most) {
  if (number < least || number > most)
    throw ProgramError(std::string(name) + " of an instruction must be from " + std::to_string(least) + " to " +
                       std::to_string(most) + ", got " + std::to_string(number));
}

namespace fields {

uint32_t Reader::next(const Registers &registers, size_t &at, const char *name) const {
  if (at >= registers.size())
    throw ProgramError(std::string("an instruction must have a register for ") + name);
  return registers[at++];
}

Registers Reader::rest(const Registers &registers, size_t &at) const {
  const uint32_t *const first = registers.begin() + at;
  at = registers.size();
  return {first, registers.end()};
}

int64_t Reader::number(const char *name, int64_t least, int64_t most) {
  if (numbers_ >= instruction_.numbers.size())
    throw ProgramError(std::string("an instruction must have a number for ") + name);
  const int64_t number = instruction_.numbers[numbers_++];
  check_number(name, number, least, most);
  return number;
}

void Reader::end() const {
  if (results_ != instruction_.results.size() || operands_ != instruction_.operands.size() ||
      numbers_ != instruction_.numbers.size())
    throw ProgramError("an instruction must have " + std::to_string(results_) + " results, " + std::to_string(operands_) +
                       " operands and " + std::to_string(numbers_) + " numbers, got " +
                       std::to_string(instruction_.results.size()) + ", " + std::to_string(instruction_.operands.size()) +
                       " and " + std::to_string(instruction_.numbers.size()));
}

} // namespace fields

} // namespace hlokit::vm
