#include "vm/scalars/handler_pairs.h"

#include <iterator>
#include <string_view>

#include "vm/opcodes.h"
#include "vm/pointwise/implementations.h"
#include "vm/scalars/control.h"
#include "vm/scalars/elements.h"

namespace hlokit::vm {
namespace {

// Handlers ------------------------------------------------------------------------------------------------

// Computes the outer operation, at `at`, of which operand `place` is the result of the inner one.
template <class Outer, class T, int place>
const DecodedInstruction *handle_outer(T inner, const DecodedInstruction *at, unsigned char *registers) {
  const T other = load<T>(registers, place == 0 ? at->b : at->a);
  store(registers, at->to, place == 0 ? Outer::of(inner, other) : Outer::of(other, inner));
  return at[1].handler(at + 1, registers);
}

template <class Inner, class Outer, class T, int place>
const DecodedInstruction *handle_pair(const DecodedInstruction *at, unsigned char *registers) {
  const T inner = Inner::of(load<T>(registers, at->a), load<T>(registers, at->b));
  store<T>(registers, at->to, inner);
  return handle_outer<Outer, T, place>(inner, at + 1, registers);
}

// An element that is read, and an operation.
template <class Outer, class T, int place, class Index, bool is_row>
const DecodedInstruction *handle_element(const DecodedInstruction *at, unsigned char *registers) {
  T element;
  memcpy(&element, find_element<Index, is_row ? sizeof(T) : 0>(at, registers).address, sizeof element);
  store<T>(registers, at->to, element);
  return handle_outer<Outer, T, place>(element, at + 1, registers);
}

// A comparison, and a choice by its result.
template <class Compare, class T, class Word>
const DecodedInstruction *handle_choice(const DecodedInstruction *at, unsigned char *registers) {
  const Bool pred = Compare::of(load<T>(registers, at->a), load<T>(registers, at->b));
  store(registers, at->to, pred);
  store(registers, at[1].to, Select<Word>::of(pred, load<Word>(registers, at[1].b), load<Word>(registers, at[1].c)));
  return at[2].handler(at + 2, registers);
}

// A comparison, and a jump if it has this result.
template <class Compare, class T, bool jumps_if>
const DecodedInstruction *handle_jump(const DecodedInstruction *at, unsigned char *registers) {
  const Bool pred = Compare::of(load<T>(registers, at->a), load<T>(registers, at->b));
  store(registers, at->to, pred);
  return (pred.value != 0) == jumps_if ? jump_from(at + 1, registers) : at[2].handler(at + 2, registers);
}

// The end of a loop that counts: a sum that is less than a limit leads back.
template <class T> const DecodedInstruction *handle_count(const DecodedInstruction *at, unsigned char *registers) {
  const T sum = Add<T>::of(load<T>(registers, at->a), load<T>(registers, at->b));
  store<T>(registers, at->to, sum);
  const Bool pred = Less<T>::of(sum, load<T>(registers, at[1].b));
  store(registers, at[1].to, pred);
  return pred.value ? jump_from(at + 2, registers) : at[3].handler(at + 3, registers);
}

// Tables --------------------------------------------------------------------------------------------------

// The operations of pairs, in the order of the tables; integers alone have those on bits.
constexpr std::string_view inner_names[] = {"add", "subtract", "multiply",   "minimum",            "maximum",
                                            "and", "xor",      "shift_left", "shift_right_logical"};
constexpr std::string_view outer_names[] = {"add", "subtract", "multiply", "minimum", "maximum",    "LT",
                                            "EQ",  "NE",       "and",      "or",      "xor",        "shift_left",
                                            "shift_right_logical"};
constexpr size_t inner_count = std::size(inner_names);
constexpr std::string_view comparison_names[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
#define OUTERS Add, Subtract, Multiply, Minimum, Maximum, Less, Equal, NotEqual
#define BITS And, Or, Xor, ShiftLeft, ShiftRightLogical
#define COMPARISONS Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual

template <class Inner, class T, template <class> class... Outers>
constexpr Handler pairs_of[][2] = {{handle_pair<Inner, Outers<T>, T, 0>, handle_pair<Inner, Outers<T>, T, 1>}...};
// By the place of the element, and for starts of i32 in arrays and in rows, then for those of ui32.
template <class T, template <class> class... Outers>
constexpr Handler elements_of[][2][4] = {
    {{handle_element<Outers<T>, T, 0, int32_t, false>, handle_element<Outers<T>, T, 0, int32_t, true>,
      handle_element<Outers<T>, T, 0, uint32_t, false>, handle_element<Outers<T>, T, 0, uint32_t, true>},
     {handle_element<Outers<T>, T, 1, int32_t, false>, handle_element<Outers<T>, T, 1, int32_t, true>,
      handle_element<Outers<T>, T, 1, uint32_t, false>, handle_element<Outers<T>, T, 1, uint32_t, true>}}...};
template <class T, template <class> class... Comparisons>
constexpr Handler choices_of[][2] = {
    {handle_choice<Comparisons<T>, T, uint32_t>, handle_choice<Comparisons<T>, T, uint64_t>}...};
template <class T, template <class> class... Comparisons>
constexpr Handler jumps_of[][2] = {{handle_jump<Comparisons<T>, T, false>, handle_jump<Comparisons<T>, T, true>}...};

struct Table {
  ElementType type;                      // of operands
  const Handler (*pairs[inner_count])[2]; // by inner and outer operation, and the place of the result
  const Handler (*elements)[2][4];       // by operation, the place of the element, and the starts
  const Handler (*choices)[2];           // by comparison, of four or eight bytes
  const Handler (*jumps)[2];             // by comparison, if it does not hold or if it holds
  Handler count;
};
#define FLOATS(type, T)                                                                                               \
  {ElementType::type,                                                                                                 \
   {pairs_of<Add<T>, T, OUTERS>, pairs_of<Subtract<T>, T, OUTERS>, pairs_of<Multiply<T>, T, OUTERS>,                  \
    pairs_of<Minimum<T>, T, OUTERS>, pairs_of<Maximum<T>, T, OUTERS>},                                                \
   elements_of<T, OUTERS>,                                                                                            \
   choices_of<T, COMPARISONS>,                                                                                        \
   jumps_of<T, COMPARISONS>,                                                                                          \
   nullptr}
#define INTEGERS(type, T)                                                                                             \
  {ElementType::type,                                                                                                 \
   {pairs_of<Add<T>, T, OUTERS, BITS>, pairs_of<Subtract<T>, T, OUTERS, BITS>, pairs_of<Multiply<T>, T, OUTERS, BITS>, \
    pairs_of<Minimum<T>, T, OUTERS, BITS>, pairs_of<Maximum<T>, T, OUTERS, BITS>, pairs_of<And<T>, T, OUTERS, BITS>,  \
    pairs_of<Xor<T>, T, OUTERS, BITS>, pairs_of<ShiftLeft<T>, T, OUTERS, BITS>,                                       \
    pairs_of<ShiftRightLogical<T>, T, OUTERS, BITS>},                                                                 \
   elements_of<T, OUTERS, BITS>,                                                                                      \
   choices_of<T, COMPARISONS>,                                                                                        \
   jumps_of<T, COMPARISONS>,                                                                                          \
   handle_count<T>}
constexpr Table tables[] = {FLOATS(f32, float), FLOATS(f64, double), INTEGERS(i32, int32_t), INTEGERS(i64, int64_t)};

// The index of a name, or the number of names.
template <size_t count> size_t index_of(const std::string_view (&names)[count], std::string_view name) {
  size_t index = 0;
  while (index < count && names[index] != name)
    ++index;
  return index;
}
template <size_t count> bool has(const std::string_view (&)[count], size_t index) { return index < count; }

// The table of an operation; that of the signed type if the sign does not matter.
const Table *table_of(const Opcode &operation) {
  constexpr std::string_view signed_names[] = {"minimum", "maximum", "LT", "LE", "GT", "GE"};
  ElementType type = operation.operands[0];
  if ((type == ElementType::ui32 || type == ElementType::ui64) &&
      !has(signed_names, index_of(signed_names, operation.name)))
    type = type == ElementType::ui32 ? ElementType::i32 : ElementType::i64;
  for (const Table &table : tables)
    if (table.type == type)
      return &table;
  return nullptr;
}

Handler handler_of_choice(const Opcode &comparison, const Opcode &select) {
  const Table *table = table_of(comparison);
  const size_t row = index_of(comparison_names, comparison.name), size = size_of(select.result);
  return table && has(comparison_names, row) && (size == 4 || size == 8) ? table->choices[row][size == 8] : nullptr;
}

// `place`: which operand of the second operation is the result of the first one.
Handler handler_of_pair(const Opcode &first, const Opcode &second, size_t place) {
  if (place == 0 && second.name == std::string_view("select"))
    return handler_of_choice(first, second);
  const Table *table = table_of(second);
  const size_t row = index_of(inner_names, first.name), column = index_of(outer_names, second.name);
  const bool is_pair = table && table == table_of(first) && has(inner_names, row) && has(outer_names, column);
  return is_pair ? table->pairs[row][column][place] : nullptr;
}

Handler handler_of_element(const DecodedInstruction &read, const Opcode &second, size_t place) {
  const Table *table = table_of(second);
  const size_t column = index_of(outer_names, second.name);
  const auto *access = dynamic_cast<const ElementAccess *>(read.detail);
  const bool is_unsigned = access && access->index_type == ElementType::ui32;
  const bool is_pair = table && has(outer_names, column) && access && access->clamps &&
                       (is_unsigned || access->index_type == ElementType::i32);
  if (!is_pair)
    return nullptr;
  return table->elements[column][place][2 * is_unsigned + access->is_row(read, size_of(second.operands[0]))];
}

Handler handler_of_jump(const Opcode &comparison, bool jumps_if) {
  const Table *table = table_of(comparison);
  const size_t row = index_of(comparison_names, comparison.name);
  return table && has(comparison_names, row) ? table->jumps[row][jumps_if] : nullptr;
}

Handler handler_of_count(const Opcode &sum, const Opcode &comparison) {
  const Table *table = table_of(comparison);
  return table && sum.name == std::string_view("add") && comparison.name == std::string_view("LT") ? table->count : nullptr;
}

} // namespace

void HandlerPairs::add(std::vector<DecodedInstruction> &code, const Instruction &instruction) {
  const size_t place = code.size() - 1;
  const Opcode *rows = opcodes().rows;
  const Instruction *first = nullptr;
  for (size_t i = 0; last_ && place_ + 1 == place && i < instruction.operands.size() && i < 2; ++i) {
    if (instruction.operands[i] != last_->results[0])
      continue;
    Handler handler = nullptr;
    if (before_) {
      const bool is_loop = instruction.opcode == jump_if && before_->results[0] == last_->operands[0];
      if (is_loop && before_->opcode >= 0)
        handler = handler_of_count(rows[before_->opcode], rows[last_->opcode]);
    } else if (instruction.opcode >= 0) {
      handler = last_->opcode >= 0 ? handler_of_pair(rows[last_->opcode], rows[instruction.opcode], i)
                                   : handler_of_element(code[place_], rows[instruction.opcode], i);
    } else if (is_jump(instruction) && last_->opcode >= 0) {
      handler = handler_of_jump(rows[last_->opcode], instruction.opcode == jump_if);
    }
    if (handler) {
      code[before_ ? place_ - 1 : place_].handler = handler;
      first = last_;
      break;
    }
  }
  before_ = first;
  last_ = is_jump(instruction) ? nullptr : &instruction;
  place_ = place;
}

} // namespace hlokit::vm
