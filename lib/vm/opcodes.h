// The table of opcodes: names, types and costs of the pointwise operations, for the checker, for the kernels and for
// Python. opcodes.inc has the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/elements/type.h"

namespace hlokit::vm {

// A pointwise operation on elements of certain types. Its number is its position in the table.
struct Opcode {
  const char *name; // the name in StableHLO; comparisons are "LT", "TOTALORDER LT" and so on
  ElementType result;
  uint8_t cost; // of an element, in additions
  uint8_t arity;
  ElementType operands[3];

  template <class... Operands>
  constexpr Opcode(const char *name, ElementType result, uint8_t cost, Operands... operands)
      : name(name), result(result), cost(cost), arity(sizeof...(operands)), operands{operands...} {}
};

struct Opcodes {
  const Opcode *rows;
  size_t count;
  size_t real_count; // the rows from here on have complex numbers

  const Opcode *begin() const { return rows; }
  const Opcode *end() const { return rows + count; }
};

const Opcodes &opcodes();

// The number of an operation, by the types of its result and of its last operand; -1 if there is none.
int find_opcode(std::string_view name, ElementType result, ElementType operand);

// The opcodes of the other instructions: -1, -2 and so on.
namespace other_opcodes {
enum Place {
#define HLOKIT_INSTRUCTION(name, Record) name,
#include "vm/instructions.inc"
};
} // namespace other_opcodes
#define HLOKIT_INSTRUCTION(name, Record) constexpr int name = -1 - other_opcodes::name;
#include "vm/instructions.inc"

} // namespace hlokit::vm
