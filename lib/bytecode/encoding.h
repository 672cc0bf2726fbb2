// How bytecode encodes operations: the common part of all readers of operations.
#pragma once

#include <cstdint>
#include <vector>

#include "bytecode/container.h"
#include "bytecode/sections.h"

namespace hlokit {

// The versions of the format that changed the encoding of operations.
constexpr uint64_t region_sections_since = 2;
constexpr uint64_t use_orders_since = 3;
constexpr uint64_t unknown_argument_locations_left_out_since = 4;

// The parts of an operation. A byte after the name states which parts the operation has.
enum Part : uint8_t {
  has_attributes = 1 << 0,
  has_results = 1 << 1,
  has_operands = 1 << 2,
  has_successors = 1 << 3,
  has_regions = 1 << 4,
  has_use_orders = 1 << 5,
  has_properties = 1 << 6,
};

// A cursor at the outermost operation, the only one in its block.
Cursor outermost_operation(const Bytecode &bytecode);

void skip_numbers(Cursor &cursor, uint64_t count);

// Skips the use-list orders of `values` results or arguments.
void skip_use_orders(Cursor &cursor, uint64_t values);

// Leaves the regions of an operation and continues after them. `levels` has the operations around the reader's
// position: each has a `cursor` within its regions, and a cursor `after` the section of the regions if there is one.
// The stack is explicit, because the input would control the depth of a recursion.
template <class Visit> void leave_regions(std::vector<Visit> &levels) {
  const Visit &level = levels.back();
  if ((level.after || levels.size() == 1) && !level.cursor.at_end())
    level.cursor.fail("unknown data after the last operation");
  const Cursor after = level.after.value_or(level.cursor);
  levels.pop_back();
  if (!levels.empty())
    levels.back().cursor = after;
}

} // namespace hlokit
