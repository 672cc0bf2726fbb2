#include "bytecode/encoding.h"

namespace hlokit {

Cursor outermost_operation(const Bytecode &bytecode) {
  Cursor cursor = bytecode.read(bytecode.operations());
  const auto [count, has_arguments] = cursor.flagged_varint();
  if (count != 1 || has_arguments)
    cursor.fail("one operation must hold all others");
  return cursor;
}

void skip_numbers(Cursor &cursor, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    cursor.varint();
}

void skip_use_orders(Cursor &cursor, uint64_t values) {
  const uint64_t shuffled = values == 1 ? 1 : cursor.count("values with an order of uses");
  for (uint64_t i = 0; i < shuffled; ++i) {
    if (values != 1)
      cursor.varint(); // which value
    skip_numbers(cursor, cursor.flagged_varint().value);
  }
}

} // namespace hlokit
