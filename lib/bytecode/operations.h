// The operations of a file: the number of each name, and the operations in the module's body.
#pragma once

#include <optional>
#include <vector>

#include "bytecode/container.h"

namespace hlokit {

// An operation in the body of the module, usually a function.
struct BodyOperation {
  uint32_t name;                      // into Bytecode::op_names
  std::optional<uint32_t> attributes; // into AttrTypeTable::attributes: a dictionary
  std::optional<Range> properties;    // in the encoding of the operation
};

struct Operations {
  std::vector<uint64_t> counts; // one for each of Bytecode::op_names
  std::vector<BodyOperation> body;
};

Operations read_operations(const Bytecode &bytecode);

} // namespace hlokit
