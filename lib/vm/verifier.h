// The verifier of programs.
//
// Engines verify a program once, when they decode it: registers are in range and have the types that operations expect,
// straight-line code computes values before it uses them, and jumps stay inside. Running a program then needs no checks,
// whatever the values. Every operation is defined for all values; none fails. The kinds of fields (vm/fields.h) say what all
// instructions of a name require; the decoders of instructions on arrays (vm/loop/arrays.h) verify their extents.
//
// All functions throw ProgramError if their condition does not hold.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/regions/combine.h"
#include "vm/fields.h"

namespace hlokit::vm {

using Types = std::vector<ElementType>;
constexpr int64_t scalar_count = -1; // of a register that holds a scalar

void check_register(const Types &types, uint32_t index);
void check_type(const Types &types, uint32_t index, ElementType type);
void check_scalar(const std::vector<int64_t> &counts, uint32_t index);
// A scalar counts as one element.
void check_count(const std::vector<int64_t> &counts, uint32_t index, size_t count);
// Returns the opcode of an instruction, which is pointwise, if the registers have the types that it expects.
const Opcode &check_operation(const Types &types, const Instruction &instruction);
// Returns a pointwise operation of two operands of the type of a register, and with such a result.
const Opcode &check_binary_operation(const Types &types, int64_t opcode, uint32_t index);

// Checks the registers of a record by the kinds of its fields. `counts`: elements of each register.
template <class Record>
void check_kinds(const Types &types, const std::vector<int64_t> &counts, const Instruction &instruction, const Record &record) {
  each_field(record, [&](const char *, const auto &field) {
    using Kind = std::decay_t<decltype(field)>;
    if constexpr (std::is_base_of_v<fields::Alike, Kind>)
      check_type(types, field, types[instruction.results[0]]);
    if constexpr (std::is_base_of_v<fields::Initial, Kind>)
      check_count(counts, field, 1);
    if constexpr (std::is_base_of_v<fields::Condition, Kind>) {
      check_type(types, field, ElementType::i1);
      check_scalar(counts, field);
    }
    if constexpr (std::is_base_of_v<fields::Words, Kind> || std::is_base_of_v<fields::ResultWords, Kind>)
      check_type(types, field, ElementType::ui32);
  });
}

// Returns the combination by a pointwise operation, whose operands and result have the type of a register.
const regions::Combination &check_combination(const Types &types, int64_t opcode, uint32_t index);

// A loop. `counts`: elements of each register. Complex numbers are in arrays; a pointwise operation whose result is an array
// takes arrays of the same size, and scalars; jumps lead to instructions or to the end.
void check_loop(const Types &types, const std::vector<int64_t> &counts, const std::vector<Instruction> &program);

// The definitions of straight-line code: each register has one, before all uses.
class Definitions {
public:
  explicit Definitions(const Types &types) : types_(types), is_defined_(types.size()) {}

  bool has(uint32_t index) const { return is_defined_[index]; }
  void add(uint32_t index);
  void check_use(uint32_t index) const;
  // Checks a pointwise operation and its uses, and adds its result. Returns its opcode.
  const Opcode &add(const Instruction &instruction);

private:
  const Types &types_;
  std::vector<bool> is_defined_;
};

} // namespace hlokit::vm
