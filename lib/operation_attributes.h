// The names of operations in a file, and the attributes that an operation of such a name has there.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "entries.h"
#include "needs.h"
#include "schema.h"

namespace hlokit {

// A name that operations of a file have.
struct NamedOperation {
  const Operation *operation; // null for the module
  std::vector<AttributeNeed> attributes;
};

// Reads attributes, whether they are in a dictionary, as they once were, or properties.
class OperationAttributes {
public:
  // Throws a BytecodeError if a reader of this version does not know an operation.
  OperationAttributes(const Bytecode &bytecode, const Entries &entries, unsigned reader);

  const NamedOperation &name(Cursor &cursor) const;

  // Reads those of an operation: all that it needs, of any kind, and such others as nobody minds.
  void read(Cursor &cursor, const NamedOperation &name, uint8_t parts);
  // What the last operation needs, in that order.
  const std::vector<const AttributeFacts *> &found() const { return found_; }

  // Makes sure that a function describes the arguments and results that it has; its type.
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
};

} // namespace hlokit
