// The names of operations in a file, and the attributes of an operation.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "artifacts/entries.h"
#include "artifacts/rules.h"
#include "artifacts/schema.h"

namespace hlokit {

// The name of operations in a file.
struct NamedOperation {
  const OperationSchema *operation; // null for the module
  std::vector<AttributeSchema> attributes;
};

// Reads the attributes of operations: from a dictionary, as old versions have them, or from properties.
class OperationAttributes {
public:
  // Throws a BytecodeError for an operation that a reader of this version does not know.
  OperationAttributes(const Bytecode &bytecode, const Entries &entries, unsigned reader);

  const NamedOperation &name(Cursor &cursor) const;

  // Reads the attributes of an operation. Throws a BytecodeError unless the operation has all attributes of its schema,
  // whose kinds rules.h checks, and no others but harmless ones.
  void read(Cursor &cursor, const NamedOperation &name, uint8_t parts);
  // The attributes of the last operation that was read, in the order of its schema.
  const std::vector<const AttributeFacts *> &found() const { return found_; }
  // The sharding rule of the last operation; null if it has none.
  const AttributeFacts *sharding() const { return sharding_; }

  // Checks that a function has as many descriptions as arguments and results. Returns its type.
  const TypeFacts &check_function(const Cursor &cursor, const OperationFacts &function) const;

private:
  NamedOperation name_of(const OpName &op, unsigned reader) const;
  void read_dictionary(Cursor &cursor, const NamedOperation &name);
  void check_of_module(const Cursor &cursor, std::string_view key, const AttributeFacts &value) const;
  void read_properties(Cursor &cursor, const NamedOperation &name);
  void read_module_properties(Cursor &properties) const;
  void check_descriptions(const Cursor &cursor, const AttributeFacts &dictionaries, uint32_t count) const;
  const AttributeFacts &attribute(Cursor &cursor) const {
    return entries_.attribute(cursor.index(entries_.attribute_count(), "attribute"));
  }

  const Bytecode &bytecode_;
  const Entries &entries_;
  std::vector<Range> properties_;
  std::vector<NamedOperation> names_;
  std::vector<const AttributeFacts *> found_;
  const AttributeFacts *sharding_ = nullptr;
};

} // namespace hlokit
