// How bytecode encodes operations: what its readers have in common, whatever they look for.
#pragma once

#include <cstdint>
#include <vector>

#include "bytecode.h"

namespace hlokit {

// What versions of the format brought, as far as operations are concerned.
constexpr uint64_t region_sections_since = 2;
constexpr uint64_t use_orders_since = 3;
constexpr uint64_t unknown_argument_locations_left_out_since = 4;
constexpr uint64_t properties_since = 5;

// The parts that an operation has; a byte after its name says which.
enum Part : uint8_t {
  has_attributes = 1 << 0,
  has_results = 1 << 1,
  has_operands = 1 << 2,
  has_successors = 1 << 3,
  has_regions = 1 << 4,
  has_use_orders = 1 << 5,
  has_properties = 1 << 6,
};

// Where the outermost operation begins, which is alone in a block of its own.
Cursor outermost_operation(const Bytecode &bytecode);

void skip_numbers(Cursor &cursor, uint64_t count);

// Skips the orders of uses of so many results or arguments.
void skip_use_orders(Cursor &cursor, uint64_t values);

// Leaves the regions of an operation: the reader goes on behind them. Levels are the operations in whose regions it
// is, each with a cursor within them, and a cursor `after` their section if they have one. They are a vector, since
// recursion would be as deep as the input says.
template <class Level> void leave_regions(std::vector<Level> &levels) {
  const Level &level = levels.back();
  if ((level.after || levels.size() == 1) && !level.cursor.at_end())
    level.cursor.fail("unknown data after the last operation");
  const Cursor after = level.after.value_or(level.cursor);
  levels.pop_back();
  if (!levels.empty())
    levels.back().cursor = after;
}

} // namespace hlokit
