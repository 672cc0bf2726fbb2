#include "artifacts/operation_attributes.h"

#include <algorithm>
#include <string>

#include "artifacts/names.h"
#include "bytecode/encoding.h"

namespace hlokit {
namespace {

[[noreturn]] void unknown(std::string_view dialect, std::string_view name) {
  throw BytecodeError("operation " + std::string(dialect) + "." + std::string(name) + " is not known", 0);
}

} // namespace

OperationAttributes::OperationAttributes(const Bytecode &bytecode, const Entries &entries, unsigned reader)
    : bytecode_(bytecode), entries_(entries), properties_(bytecode.properties()) {
  for (const OpName &op : bytecode.op_names())
    names_.push_back(name_of(op, reader));
}

NamedOperation OperationAttributes::name_of(const OpName &op, unsigned reader) const {
  const std::string_view dialect = entries_.text(bytecode_.dialects()[op.dialect].name);
  const std::string_view name = entries_.text(op.name);
  if (bytecode_.version() >= properties_since && !op.was_registered)
    unknown(dialect, name);
  if (dialect == "builtin" && name == "module")
    return {nullptr, {}};
  const OperationSchema *const operation = dialect == "vhlo" ? find_operation(name) : nullptr;
  if (operation == nullptr || operation->since > reader)
    unknown(dialect, name);
  return {operation, attributes_of(*operation)};
}

const NamedOperation &OperationAttributes::name(Cursor &cursor) const {
  return names_[cursor.index(names_.size(), "operation name")];
}

void OperationAttributes::read(Cursor &cursor, const NamedOperation &name, uint8_t parts) {
  found_.assign(name.attributes.size(), nullptr);
  sharding_ = nullptr;
  if (parts & has_attributes)
    read_dictionary(cursor, name);
  if (parts & has_properties)
    read_properties(cursor, name);
  for (size_t i = 0; i < found_.size(); ++i)
    if (found_[i] == nullptr)
      cursor.fail("an operation must have attribute " + std::string(name.attributes[i].name));
}

void OperationAttributes::read_dictionary(Cursor &cursor, const NamedOperation &name) {
  const AttributeFacts &dictionary = attribute(cursor);
  if (dictionary.kind != AttributeKind::dictionary)
    cursor.fail("the attributes of an operation must be a dictionary");
  const uint32_t *const of = entries_.children(dictionary);
  for (uint32_t i = 0; i < dictionary.child_count; i += 2) {
    const std::string_view key = entries_.text(entries_.attribute(of[i]).string);
    const AttributeFacts &value = entries_.attribute(of[i + 1]);
    const auto needed = std::find_if(name.attributes.begin(), name.attributes.end(),
                                     [&](const AttributeSchema &schema) { return schema.name == key; });
    if (needed != name.attributes.end()) {
      if (bytecode_.version() >= properties_since)
        cursor.fail("attribute " + std::string(key) + " must be a property");
      found_[static_cast<size_t>(needed - name.attributes.begin())] = &value;
    } else if (name.operation == nullptr) {
      check_of_module(cursor, key, value);
    } else if (key == "sdy.sharding_rule" && value.kind == AttributeKind::sharding && value.code == sharding_rule) {
      sharding_ = &value;
    } else if (!(is_free_name(key) || is_unused_name(key)) || !value.is_convertible) {
      cursor.fail("attribute " + std::string(key) + " is not known");
    }
  }
}

void OperationAttributes::check_of_module(const Cursor &cursor, std::string_view key,
                                          const AttributeFacts &value) const {
  const bool is_name = key == "sym_name" || key == "sym_visibility";
  const bool is_known = is_name ? bytecode_.version() < properties_since && value.kind == AttributeKind::text
                                : is_free_name(key);
  if (!is_known)
    cursor.fail("attribute " + std::string(key) + " of a module is not known");
}

void OperationAttributes::read_properties(Cursor &cursor, const NamedOperation &name) {
  if (bytecode_.version() < properties_since)
    cursor.fail("an operation must have no properties in bytecode before version " + std::to_string(properties_since));
  Cursor properties = bytecode_.read(properties_[cursor.index(properties_.size(), "properties")]);
  if (name.operation == nullptr)
    read_module_properties(properties);
  for (const AttributeFacts *&needed : found_)
    needed = &attribute(properties);
  if (!properties.at_end())
    properties.fail("unknown data after properties");
}

// The name and the visibility of a module, each of which may be missing.
void OperationAttributes::read_module_properties(Cursor &properties) const {
  for (int i = 0; i < 2; ++i) {
    const auto [number, is_there] = properties.flagged_varint();
    if (!is_there && number != 0)
      properties.fail("a missing attribute must have number 0, got " + std::to_string(number));
    if (is_there &&
        entries_.attribute(properties.checked_index(number, entries_.attribute_count(), "attribute")).kind !=
            AttributeKind::text)
      properties.fail("the name of a module must be a text");
  }
}

const TypeFacts &OperationAttributes::check_function(const Cursor &cursor, const OperationFacts &function) const {
  const TypeFacts &type = entries_.type(function.attribute("function_type").type);
  check_descriptions(cursor, function.attribute("arg_attrs"), type.input_count);
  check_descriptions(cursor, function.attribute("res_attrs"), type.child_count - type.input_count);
  return type;
}

// Either each argument (or result) has a description, or none has.
void OperationAttributes::check_descriptions(const Cursor &cursor, const AttributeFacts &dictionaries,
                                             uint32_t count) const {
  if (dictionaries.child_count != 0 && dictionaries.child_count != count)
    cursor.fail("there must be a dictionary for each of " + std::to_string(count) + " arguments or results, got " +
                std::to_string(dictionaries.child_count));
  for (uint32_t i = 0; i < dictionaries.child_count; ++i) {
    const AttributeFacts &dictionary = entries_.attribute(entries_.children(dictionaries)[i]);
    for (uint32_t k = 0; k < dictionary.child_count; k += 2) {
      const std::string_view key = entries_.text(entries_.attribute(entries_.children(dictionary)[k]).string);
      if (!is_free_name(key))
        cursor.fail("attribute " + std::string(key) + " of an argument or result is not known");
    }
  }
}

} // namespace hlokit
