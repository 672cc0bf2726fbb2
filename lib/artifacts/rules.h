// Verifier rules: the constraints of attributes, and further constraints without which the bindings crash.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "artifacts/entries.h"
#include "artifacts/schema.h"

namespace hlokit {

// An operation: its attributes, in the order of its schema, and the types of its operands and results.
struct OperationFacts {
  const OperationSchema &operation;
  const std::vector<AttributeSchema> &schema;
  const std::vector<const AttributeFacts *> &attributes;
  const std::vector<uint32_t> &operands;
  const std::vector<uint32_t> &results;
  const AttributeFacts *sharding_rule; // null if the operation has none

  // The attribute of a name in the schema.
  const AttributeFacts &attribute(std::string_view name) const;
};

// The rule that an operation breaks; empty if none.
std::string broken_rule(const Entries &entries, const OperationFacts &facts);

// What is wrong with a sharding rule of an operation; empty if nothing is.
std::string broken_sharding(const Entries &entries, const OperationFacts &facts);

// Whether a type is a tensor of rank 0 with elements of a kind.
bool is_scalar(const Entries &entries, const TypeFacts &type, TypeKind kind);

} // namespace hlokit
