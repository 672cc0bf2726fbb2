#include "known.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "entries.h"
#include "names.h"
#include "needs.h"
#include "schema.h"
#include "use_orders.h"

namespace hlokit {
namespace {

constexpr uint64_t properties_since = 5;
constexpr uint64_t region_sections_since = 2;
constexpr uint64_t use_orders_since = 3;
constexpr uint64_t unknown_argument_locations_left_out_since = 4;

// The bindings walk over regions recursively.
constexpr size_t deepest_regions = 100;

enum Part : uint8_t {
  has_attributes = 1 << 0,
  has_results = 1 << 1,
  has_operands = 1 << 2,
  has_successors = 1 << 3,
  has_regions = 1 << 4,
  has_use_orders = 1 << 5,
  has_properties = 1 << 6,
};

struct Name {
  const Operation *operation; // null for the module
  std::vector<AttributeNeed> attributes;
};

// The regions of an operation, and where in them the reader is.
struct Level {
  const Operation *operation; // null for the module, and above
  Cursor cursor;
  std::optional<Cursor> after;
  uint64_t regions;
  uint64_t regions_left;
  uint64_t operations_left = 0;
  size_t first_order = 0;
  uint32_t scope = 0;                                      // the first of the values that operands count from
  uint32_t first_value = 0, next_value = 0, end_value = 0; // of the values defined here
  const TypeFacts *function = nullptr;
};

class Reader {
public:
  Reader(const Bytecode &bytecode, unsigned reader)
      : bytecode_(bytecode), version_(bytecode.version()), entries_(bytecode) {
    properties_ = bytecode.properties();
    for (const OpName &op : bytecode.op_names())
      names_.push_back(name_of(op, reader));
  }

  void read() {
    Cursor cursor = bytecode_.read(bytecode_.operations());
    const auto [count, has_arguments] = cursor.flagged_varint();
    if (count != 1 || has_arguments)
      cursor.fail("one operation must hold all others");
    levels_.push_back(Level{nullptr, cursor, std::nullopt, 0, 0});
    levels_.back().operations_left = 1;
    while (!levels_.empty())
      step();
  }

private:
  Name name_of(const OpName &op, unsigned reader) const {
    const std::string_view dialect =
        bytecode_.text(bytecode_.strings()[bytecode_.dialects()[op.dialect].name]);
    const std::string_view name = bytecode_.text(bytecode_.strings()[op.name]);
    if (version_ >= properties_since && !op.was_registered)
      unknown(std::string(dialect) + "." + std::string(name));
    if (dialect == "builtin" && name == "module")
      return {nullptr, {}};
    const Operation *const operation = dialect == "vhlo" ? find_operation(name) : nullptr;
    if (operation == nullptr || operation->since > reader)
      unknown(std::string(dialect) + "." + std::string(name));
    return {operation, attributes_of(*operation)};
  }

  [[noreturn]] static void unknown(const std::string &name) {
    throw BytecodeError("operation " + name + " is not known", 0);
  }

  void step() {
    Level &level = levels_.back();
    if (level.operations_left > 0) {
      --level.operations_left;
      read_operation(level);
    } else {
      if (level.end_value != level.next_value)
        level.cursor.fail("fewer values than were announced");
      use_orders_.check(level.first_order, values_, level.cursor);
      values_.resize(level.first_value);
      if (level.regions_left > 0) {
        --level.regions_left;
        read_region(level);
      } else {
        leave(level);
      }
    }
  }

  void leave(const Level &level) {
    if ((level.after || levels_.size() == 1) && !level.cursor.at_end())
      level.cursor.fail("unknown data after the last operation");
    const Cursor after = level.after.value_or(level.cursor);
    levels_.pop_back();
    if (!levels_.empty())
      levels_.back().cursor = after;
  }

  // Of one block, or of none where a function is only declared.
  void read_region(Level &level) {
    Cursor &cursor = level.cursor;
    const uint64_t blocks = cursor.varint();
    level.first_order = use_orders_.size();
    level.first_value = level.next_value = level.end_value = static_cast<uint32_t>(values_.size());
    if (blocks == 0 && level.function != nullptr)
      return;
    if (blocks != 1)
      cursor.fail("a region of " + std::to_string(blocks) + " blocks");
    // A value takes a byte or more, as result or as argument.
    const uint64_t values = cursor.count("values");
    if (values_.size() + values > bytecode_.size())
      cursor.fail("more values than there can be");
    level.end_value += static_cast<uint32_t>(values);
    values_.resize(level.end_value, Value{undefined, 0});
    const auto [count, has_arguments] = cursor.flagged_varint();
    level.operations_left = count;
    if (count == 0 && level.operation != nullptr)
      cursor.fail("a block must return");
    if (has_arguments)
      read_arguments(level);
    check_arguments(level);
  }

  void read_arguments(Level &level) {
    Cursor &cursor = level.cursor;
    const uint64_t arguments = cursor.count("arguments");
    const uint32_t first = level.next_value;
    for (uint64_t i = 0; i < arguments; ++i) {
      bool has_location = true;
      uint64_t type;
      if (version_ < unknown_argument_locations_left_out_since) {
        type = cursor.varint();
      } else {
        const auto flagged = cursor.flagged_varint();
        type = flagged.value;
        has_location = flagged.flag;
      }
      define(level, cursor.checked_index(type, entries_.type_count(), "type"));
      if (has_location)
        read_location(cursor);
    }
    if (version_ < use_orders_since)
      return;
    const uint8_t has_orders = cursor.byte();
    if (has_orders > 1 && has_orders != has_use_orders)
      cursor.fail("unknown parts of a block");
    if (has_orders)
      use_orders_.read(cursor, first, arguments);
  }

  // What the verifiers of operations take for granted.
  void check_arguments(const Level &level) const {
    const uint32_t count = level.next_value - level.first_value;
    if (level.function != nullptr) {
      bool fits = count == level.function->input_count;
      for (uint32_t i = 0; fits && i < count; ++i)
        fits = values_[level.first_value + i].type == entries_.children(*level.function)[i];
      if (!fits)
        level.cursor.fail("a function's arguments are not those of its type");
      return;
    }
    if (level.operation == nullptr) {
      if (count != 0)
        level.cursor.fail("a module without arguments was expected");
      return;
    }
    const bool needs_tensors = level.operation->only_tensors && returned(level) != 'v';
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t type = values_[level.first_value + i].type;
      if (!(needs_tensors ? is_tensor(type) : is_value(entries_.type(type))))
        level.cursor.fail("an argument of an unusual type");
    }
  }

  // What the region that is being read returns, as schema.h has it.
  static char returned(const Level &level) {
    const std::string_view kinds = level.operation->regions;
    if (kinds.back() == '*')
      return kinds.front();
    return kinds[level.regions - 1 - level.regions_left];
  }

  void define(Level &level, uint64_t type) {
    if (level.next_value == level.end_value)
      level.cursor.fail("more values than were announced");
    values_[level.next_value++].type = static_cast<uint32_t>(type);
  }

  bool is_tensor(uint32_t type) const {
    const TypeKind kind = entries_.type(type).kind;
    return kind == TypeKind::tensor || kind == TypeKind::unranked;
  }

  uint64_t read_attribute(Cursor &cursor) const {
    return cursor.index(entries_.attribute_count(), "attribute");
  }

  void read_location(Cursor &cursor) const {
    if (entries_.attribute(read_attribute(cursor)).kind != AttributeKind::location)
      cursor.fail("a location was expected");
  }

  // `level` is invalid afterwards.
  void read_operation(Level &level) {
    Cursor &cursor = level.cursor;
    const Name &name = names_[cursor.index(names_.size(), "operation name")];
    const Operation *const operation = name.operation;
    const uint8_t parts = cursor.byte();
    if (parts & (0x80 | has_successors))
      cursor.fail("an operation with parts that are not known");
    const size_t depth = levels_.size();
    const bool is_function = operation != nullptr && operation == function_operation_;
    if ((depth == 1) != (operation == nullptr) || (depth == 2) != is_function || depth > deepest_regions)
      cursor.fail("an operation where none like it is expected");
    read_location(cursor);
    needed_.assign(name.attributes.size(), nullptr);
    if (parts & has_attributes)
      read_attributes(cursor, name);
    if (parts & has_properties)
      read_properties(cursor, name);
    for (const AttributeFacts *const attribute : needed_)
      if (attribute == nullptr)
        cursor.fail("an operation lacks an attribute");
    const uint32_t first_result = read_results(level, operation, parts);
    read_operands(level, operation, parts);
    if (parts & has_use_orders) {
      if (version_ < use_orders_since)
        cursor.fail("orders of uses are newer than this");
      use_orders_.read(cursor, first_result, level.next_value - first_result);
    }
    if (operation != nullptr)
      check(level, name);
    enter_regions(level, operation, parts);
  }

  void read_attributes(Cursor &cursor, const Name &name) {
    const AttributeFacts &dictionary = entries_.attribute(read_attribute(cursor));
    if (dictionary.kind != AttributeKind::dictionary)
      cursor.fail("a dictionary was expected");
    const uint32_t *const of = entries_.children(dictionary);
    for (uint32_t i = 0; i < dictionary.child_count; i += 2) {
      const std::string_view key = entries_.text(entries_.attribute(of[i]).string);
      const AttributeFacts &value = entries_.attribute(of[i + 1]);
      const auto found = std::find_if(name.attributes.begin(), name.attributes.end(),
                                      [&](const AttributeNeed &need) { return need.name == key; });
      if (found != name.attributes.end()) {
        if (version_ >= properties_since)
          cursor.fail("an attribute that must be a property");
        needed_[static_cast<size_t>(found - name.attributes.begin())] = &value;
      } else if (name.operation == nullptr) {
        check_of_module(cursor, key, value);
      } else if (!(is_free_name(key) || is_nobodys_name(key)) || !value.is_convertible) {
        cursor.fail("attribute " + std::string(key) + " is not known");
      }
    }
  }

  void check_of_module(const Cursor &cursor, std::string_view key, const AttributeFacts &value) const {
    const bool is_name = key == "sym_name" || key == "sym_visibility";
    if (!(is_name ? version_ < properties_since && value.kind == AttributeKind::text : is_free_name(key)))
      cursor.fail("attribute " + std::string(key) + " of a module is not known");
  }

  void read_properties(Cursor &cursor, const Name &name) {
    if (version_ < properties_since)
      cursor.fail("properties are newer than this");
    Cursor properties = bytecode_.read(properties_[cursor.index(properties_.size(), "properties")]);
    if (name.operation == nullptr) {
      // A name and a visibility, each of which may be missing.
      for (int i = 0; i < 2; ++i) {
        const auto [attribute, is_there] = properties.flagged_varint();
        if (!is_there && attribute != 0)
          properties.fail("an attribute that is missing has a number");
        if (is_there &&
            entries_.attribute(properties.checked_index(attribute, entries_.attribute_count(), "attribute"))
                    .kind != AttributeKind::text)
          properties.fail("the name of a module was expected");
      }
    } else {
      for (const AttributeFacts *&attribute : needed_)
        attribute = &entries_.attribute(read_attribute(properties));
    }
    if (!properties.at_end())
      properties.fail("unknown data after properties");
  }

  uint32_t read_results(Level &level, const Operation *operation, uint8_t parts) {
    const uint32_t first = level.next_value;
    results_.clear();
    const uint64_t count = parts & has_results ? level.cursor.count("results") : 0;
    if (operation == nullptr ? count != 0 : !operation->results.allows(count))
      level.cursor.fail("an operation of " + std::to_string(count) + " results");
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t type = level.cursor.index(entries_.type_count(), "type");
      if (!(operation->only_tensors ? is_tensor(static_cast<uint32_t>(type)) : is_value(entries_.type(type))))
        level.cursor.fail("a result of an unusual type");
      results_.push_back(static_cast<uint32_t>(type));
    }
    return first;
  }

  // Results count as defined when the operands have been read.
  void read_operands(Level &level, const Operation *operation, uint8_t parts) {
    const uint64_t count = parts & has_operands ? level.cursor.count("operands") : 0;
    if (operation == nullptr ? count != 0 : !operation->operands.allows(count))
      level.cursor.fail("an operation of " + std::to_string(count) + " operands");
    operands_.clear();
    for (uint64_t i = 0; i < count; ++i) {
      Value &value = values_[level.scope + level.cursor.index(values_.size() - level.scope, "value")];
      if (value.type == undefined)
        level.cursor.fail("an operand that is defined later");
      ++value.uses;
      operands_.push_back(value.type);
      if (operation->only_tensors && !is_tensor(value.type))
        level.cursor.fail("an operand of an unusual type");
    }
    for (const uint32_t type : results_)
      define(level, type);
  }

  void enter_regions(Level &level, const Operation *operation, uint8_t parts) {
    Cursor &cursor = level.cursor;
    uint64_t count = 0;
    bool is_isolated = false;
    if (parts & has_regions) {
      const auto flagged = cursor.flagged_varint();
      count = flagged.value;
      is_isolated = flagged.flag;
    }
    if (operation == nullptr) {
      if (count != 1)
        cursor.fail("a module has one region");
    } else {
      const std::string_view kinds = operation->regions;
      const bool any = !kinds.empty() && kinds.back() == '*';
      if (any ? count > cursor.remaining() : count != kinds.size())
        cursor.fail("an operation of " + std::to_string(count) + " regions");
      if (count == 0)
        return;
    }
    Level inner{operation, cursor, std::nullopt, count, count};
    if (is_isolated && version_ >= region_sections_since) {
      inner.cursor = bytecode_.read(bytecode_.read_operations_section(cursor));
      inner.after = cursor;
    }
    inner.first_value = inner.next_value = inner.end_value = static_cast<uint32_t>(values_.size());
    inner.scope = is_isolated ? inner.first_value : level.scope;
    inner.first_order = use_orders_.size();
    if (level.operation == nullptr && operation != nullptr)
      inner.function = function_;
    levels_.push_back(std::move(inner));
  }

  void check(const Level &level, const Name &name);
  void check_return(const Level &level) const;
  void check_function(const Level &level, const Name &name);
  void check_descriptions(const Cursor &cursor, const AttributeFacts &dictionaries, uint32_t count) const;

  const Bytecode &bytecode_;
  uint64_t version_;
  const Operation *const function_operation_ = find_operation("func_v1");
  const Operation *const return_operation_ = find_operation("return_v1");
  Entries entries_;
  std::vector<Range> properties_;
  std::vector<Name> names_;
  std::vector<Level> levels_;
  std::vector<Value> values_;
  UseOrders use_orders_;
  // Of the operation that is being read.
  std::vector<const AttributeFacts *> needed_;
  std::vector<uint32_t> operands_, results_;
  const TypeFacts *function_ = nullptr;
};

void Reader::check(const Level &level, const Name &name) {
  if (const std::string rule =
          broken_rule(entries_, {*name.operation, name.attributes, needed_, operands_, results_});
      !rule.empty())
    level.cursor.fail(rule);
  const bool is_return = name.operation == return_operation_;
  if (is_return != (levels_.size() > 2 && level.operations_left == 0))
    level.cursor.fail("a block must end with what it returns");
  if (is_return)
    check_return(level);
  if (name.operation == function_operation_)
    check_function(level, name);
}

void Reader::check_return(const Level &level) const {
  if (level.function != nullptr) {
    const uint32_t *const results = entries_.children(*level.function) + level.function->input_count;
    if (!std::equal(operands_.begin(), operands_.end(), results,
                    results + level.function->child_count - level.function->input_count))
      level.cursor.fail("a function's results are not those of its type");
    return;
  }
  const char kind = returned(level);
  if (kind == 'b' &&
      (operands_.size() != 1 || !is_scalar(entries_, entries_.type(operands_[0]), TypeKind::boolean)))
    level.cursor.fail("a region that does not return one truth value");
  if (kind == 't' && (operands_.empty() || !std::all_of(operands_.begin(), operands_.end(),
                                                        [&](uint32_t type) { return is_tensor(type); })))
    level.cursor.fail("a region that does not return tensors");
}

void Reader::check_function(const Level &level, const Name &name) {
  const OperationFacts facts{*name.operation, name.attributes, needed_, operands_, results_};
  function_ = &entries_.type(facts.attribute("function_type").type);
  check_descriptions(level.cursor, facts.attribute("arg_attrs"), function_->input_count);
  check_descriptions(level.cursor, facts.attribute("res_attrs"),
                     function_->child_count - function_->input_count);
}

// Of all arguments or results, or of none.
void Reader::check_descriptions(const Cursor &cursor, const AttributeFacts &dictionaries,
                                uint32_t count) const {
  if (dictionaries.child_count != 0 && dictionaries.child_count != count)
    cursor.fail("as many dictionaries as arguments or results were expected");
  for (uint32_t i = 0; i < dictionaries.child_count; ++i) {
    const AttributeFacts &dictionary = entries_.attribute(entries_.children(dictionaries)[i]);
    for (uint32_t k = 0; k < dictionary.child_count; k += 2) {
      const std::string_view key = entries_.text(entries_.attribute(entries_.children(dictionary)[k]).string);
      if (!is_free_name(key))
        cursor.fail("attribute " + std::string(key) + " of an argument or result is not known");
    }
  }
}

} // namespace

void require_known(const Bytecode &bytecode, unsigned reader) {
  for (const Section &section : bytecode.sections())
    if (section.is_aligned) // in memory, that is
      throw BytecodeError("an aligned section", section.data.offset);
  for (const Range &string : bytecode.strings())
    if (!is_utf8(bytecode.text(string)))
      throw BytecodeError("a text that is not UTF-8", string.offset);
  for (const Dialect &dialect : bytecode.dialects())
    if (dialect.version)
      throw BytecodeError("a dialect of an unknown version", dialect.version->offset);
  if (!bytecode.resources().resources.empty())
    throw BytecodeError("resources are not known", bytecode.resources().resources[0].data.offset);
  Reader(bytecode, reader).read();
}

} // namespace hlokit
