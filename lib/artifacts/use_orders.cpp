#include "artifacts/use_orders.h"

namespace hlokit {

void UseOrders::read(Cursor &cursor, uint32_t first_value, uint64_t values) {
  if (values == 0)
    cursor.fail("an order of uses must be of a value, got no values");
  const uint64_t shuffled = values == 1 ? 1 : cursor.count("values with an order of uses");
  if (shuffled == 0)
    cursor.fail("an announced list of orders of uses must have an order");
  for (uint64_t i = 0; i < shuffled; ++i) {
    const uint64_t value = values == 1 ? 0 : cursor.index(values, "value");
    const auto [count, is_pairs] = cursor.flagged_varint();
    if (count > cursor.remaining())
      cursor.fail("an order of " + std::to_string(count) + " uses must have a byte for each use, got " +
                  std::to_string(cursor.remaining()) + " bytes");
    Order order{first_value + static_cast<uint32_t>(value), is_pairs, {}};
    order.numbers.reserve(count);
    for (uint64_t use = 0; use < count; ++use)
      order.numbers.push_back(cursor.varint());
    orders_.push_back(std::move(order));
  }
}

// An order is a permutation of the uses, or pairs of their numbers.
void UseOrders::check(size_t first, const std::vector<Value> &values, const Cursor &cursor) {
  for (size_t i = first; i < orders_.size(); ++i) {
    const Order &order = orders_[i];
    const uint32_t uses = values[order.value].uses;
    if (order.is_pairs ? order.numbers.size() % 2 != 0 : order.numbers.size() != uses)
      cursor.fail("an order of uses must be of the " + std::to_string(uses) + " uses of its value");
    std::vector<bool> seen(uses);
    for (size_t k = 0; k < order.numbers.size(); ++k) {
      if (order.numbers[k] >= uses)
        cursor.fail("an order of uses must be of the " + std::to_string(uses) + " uses of its value");
      if (order.is_pairs && k % 2 != 0)
        continue;
      if (seen[order.numbers[k]])
        cursor.fail("an order of uses must have each use once");
      seen[order.numbers[k]] = true;
    }
  }
  orders_.resize(first);
}

} // namespace hlokit
