#include "vm/opcodes.h"

#include <cfloat>

namespace hlokit::vm {
namespace {

#define HLOKIT_UNWRAP(...) __VA_ARGS__

constexpr Opcode rows[] = {
#define HLOKIT_OPCODE(name, result, operands, cost, implementation)                                                          \
  Opcode(name, ElementType::result, cost, HLOKIT_UNWRAP operands),
#define HLOKIT_COMPLEX_OPCODE(name, result, operands, cost, implementation)                                                  \
  Opcode(name, ElementType::result, cost, HLOKIT_UNWRAP operands),
#include "vm/opcodes.inc"
};

constexpr size_t real_count = 0
#define HLOKIT_OPCODE(name, result, operands, cost, implementation) +1
#include "vm/opcodes.inc"
    ;

} // namespace

const Opcodes &opcodes() {
  static constexpr Opcodes all{rows, sizeof rows / sizeof *rows, real_count};
  return all;
}

int find_opcode(std::string_view name, ElementType result, ElementType operand) {
  for (const Opcode &row : opcodes())
    if (row.result == result && row.operands[row.arity - 1] == operand && name == row.name)
      return static_cast<int>(&row - opcodes().rows);
  return -1;
}

} // namespace hlokit::vm
