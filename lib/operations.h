// The operations of a file: how many there are of each name, and what the module's body consists of.
#pragma once

#include <optional>
#include <vector>

#include "bytecode.h"

namespace hlokit {

// An operation in the body of the outermost one: a function, as a rule.
struct BodyOperation {
  uint32_t name;                      // into Bytecode::op_names
  std::optional<uint32_t> attributes; // into AttrTypeTable::attributes: a dictionary
  std::optional<Range> properties;    // as the operation encoded them
};

struct Operations {
  std::vector<uint64_t> counts; // one for each of Bytecode::op_names
  std::vector<BodyOperation> body;
};

Operations read_operations(const Bytecode &bytecode);

} // namespace hlokit
