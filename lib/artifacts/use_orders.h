// Use-list orders. A file has them if the order of uses is not that of the operations.
#pragma once

#include <cstdint>
#include <vector>

#include "bytecode/cursor.h"

namespace hlokit {

// A result or an argument of a block.
struct Value {
  uint32_t type; // `undefined` before the definition
  uint32_t uses;
};

constexpr uint32_t undefined = UINT32_MAX;

class UseOrders {
public:
  size_t size() const { return orders_.size(); }

  // Reads the use-list orders of some of the `values` values that begin with `first_value`.
  void read(Cursor &cursor, uint32_t first_value, uint64_t values);

  // Checks the orders from `first` on, and drops these orders. Call it after all uses have been read.
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
