// Orders of uses, which a file gives where they are not those of the operations.
#pragma once

#include <cstdint>
#include <vector>

#include "cursor.h"

namespace hlokit {

// A result or an argument of a block.
struct Value {
  uint32_t type; // undefined until it is defined
  uint32_t uses;
};

constexpr uint32_t undefined = UINT32_MAX;

class UseOrders {
public:
  size_t size() const { return orders_.size(); }

  // Reads those of some of so many values.
  void read(Cursor &cursor, uint32_t first_value, uint64_t values);

  // When all uses are known: makes sure that the orders from there on fit, and forgets them.
  void check(size_t first, const std::vector<Value> &values, const Cursor &cursor);

private:
  struct Order {
    uint32_t value;
    bool is_pairs;
    std::vector<uint64_t> numbers;
  };

  std::vector<Order> orders_;
};

} // namespace hlokit
