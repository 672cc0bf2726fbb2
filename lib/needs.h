// Whether attributes are what operations need, and what else the bindings rely on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "entries.h"
#include "schema.h"

namespace hlokit {

// An operation: its attributes in the order of its needs, and the types of its operands and results.
struct OperationFacts {
  const Operation &operation;
  const std::vector<AttributeNeed> &needs;
  const std::vector<const AttributeFacts *> &attributes;
  const std::vector<uint32_t> &operands;
  const std::vector<uint32_t> &results;

  // The attribute of a name that the operation has.
  const AttributeFacts &attribute(std::string_view name) const;
};

// What an operation lacks that the bindings take for granted; empty if nothing.
std::string broken_rule(const Entries &entries, const OperationFacts &facts);

// A tensor of rank 0 with elements of this kind.
bool is_scalar(const Entries &entries, const TypeFacts &type, TypeKind kind);

} // namespace hlokit
