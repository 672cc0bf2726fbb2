#include "vm/pointwise/handler_pairs.h"

#include <string_view>

#include "vm/opcodes.h"
#include "vm/pointwise/implementations.h"

namespace hlokit::vm {
namespace {

// `place`: which operand of the outer operation is the result of the inner one.
template <class Inner, class Outer, class T, int place>
const DecodedInstruction *handle_pair(const DecodedInstruction *at, unsigned char *registers) {
  const T inner = Inner::of(load<T>(registers, at->a), load<T>(registers, at->b));
  store<T>(registers, at->to, inner);
  const T other = load<T>(registers, place == 0 ? at[1].b : at[1].a);
  store(registers, at[1].to, place == 0 ? Outer::of(inner, other) : Outer::of(other, inner));
  return at[2].handler(at + 2, registers);
}

// The operations that pairs have, in the order of the rows of a table; inner ones come first.
constexpr std::string_view names[] = {"add", "subtract", "multiply", "minimum", "maximum", "LT"};
constexpr size_t outer_count = sizeof names / sizeof *names, inner_count = 3;

struct Table {
  ElementType operand;
  Handler handlers[inner_count][outer_count][2];
};

#define PAIR(Inner, Outer, T) {handle_pair<Inner<T>, Outer<T>, T, 0>, handle_pair<Inner<T>, Outer<T>, T, 1>}
#define PAIRS_OF(Inner, T)                                                                                           \
  {PAIR(Inner, Add, T),     PAIR(Inner, Subtract, T), PAIR(Inner, Multiply, T),                                      \
   PAIR(Inner, Minimum, T), PAIR(Inner, Maximum, T),  PAIR(Inner, Less, T)}
#define TABLE(type, T) {ElementType::type, {PAIRS_OF(Add, T), PAIRS_OF(Subtract, T), PAIRS_OF(Multiply, T)}}
constexpr Table tables[] = {TABLE(f32, float), TABLE(f64, double), TABLE(i32, int32_t), TABLE(i64, int64_t)};

size_t index_of(const Opcode &operation) {
  size_t index = 0;
  while (index < outer_count && names[index] != operation.name)
    ++index;
  return index;
}

Handler handler_of_pair(const Opcode &inner, const Opcode &outer, size_t place) {
  if (inner.operands[0] != outer.operands[0])
    return nullptr;
  for (const Table &table : tables)
    if (table.operand == inner.operands[0]) {
      const size_t row = index_of(inner), column = index_of(outer);
      return row < inner_count && column < outer_count ? table.handlers[row][column][place] : nullptr;
    }
  return nullptr;
}

} // namespace

void HandlerPairs::add(std::vector<DecodedInstruction> &code, const Instruction &instruction) {
  const size_t place = code.size() - 1;
  const Opcode *rows = opcodes().rows;
  if (last_ && place_ + 1 == place)
    for (size_t i = 0; i < instruction.operands.size() && i < 2; ++i)
      if (instruction.operands[i] == last_->results[0])
        if (const Handler pair = handler_of_pair(rows[last_->opcode], rows[instruction.opcode], i)) {
          code[place_].handler = pair;
          last_ = nullptr;
          return;
        }
  last_ = &instruction;
  place_ = place;
}

} // namespace hlokit::vm
