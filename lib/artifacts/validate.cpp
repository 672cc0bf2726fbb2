#include "artifacts/validate.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "artifacts/entries.h"
#include "artifacts/names.h"
#include "artifacts/rules.h"
#include "artifacts/operation_attributes.h"
#include "bytecode/encoding.h"
#include "artifacts/schema.h"
#include "artifacts/use_orders.h"

namespace hlokit {
namespace {

// A bound for the depth of regions, since the bindings walk over regions recursively.
constexpr size_t deepest_regions = 100;

// The name of an operation in messages; that of the module for null.
std::string name_of(const OperationSchema *operation) {
  return operation == nullptr ? "builtin.module" : std::string("vhlo.") + operation->name;
}

// The regions of an operation, and the position of the validator in them.
struct Checking {
  const OperationSchema *operation; // null for the module, and above it
  Cursor cursor;
  std::optional<Cursor> after;
  uint64_t regions;
  uint64_t regions_left;
  uint64_t operations_left = 0;
  size_t first_order = 0;
  uint32_t scope = 0;                                      // the first of the values that operands may refer to
  uint32_t first_value = 0, next_value = 0, end_value = 0; // of the values defined here
  const TypeFacts *function = nullptr;
};

class Validator {
public:
  Validator(const Bytecode &bytecode, unsigned reader)
      : bytecode_(bytecode), version_(bytecode.version()), entries_(bytecode),
        attributes_(bytecode, entries_, reader) {}

  void run() {
    levels_.push_back(Checking{nullptr, outermost_operation(bytecode_), std::nullopt, 0, 0});
    levels_.back().operations_left = 1;
    while (!levels_.empty())
      step();
  }

private:
  void step() {
    Checking &level = levels_.back();
    if (level.operations_left > 0) {
      --level.operations_left;
      read_operation(level);
    } else {
      if (level.end_value != level.next_value)
        level.cursor.fail("a region must define all values that it announces");
      use_orders_.check(level.first_order, values_, level.cursor);
      values_.resize(level.first_value);
      if (level.regions_left > 0) {
        --level.regions_left;
        read_region(level);
      } else {
        leave_regions(levels_);
      }
    }
  }

  // A region has one block; the region of a function declaration has none.
  void read_region(Checking &level) {
    Cursor &cursor = level.cursor;
    const uint64_t blocks = cursor.varint();
    level.first_order = use_orders_.size();
    level.first_value = level.next_value = level.end_value = static_cast<uint32_t>(values_.size());
    if (blocks == 0 && level.function != nullptr)
      return;
    if (blocks != 1)
      cursor.fail("a region must have 1 block, got " + std::to_string(blocks));
    // A value takes a byte or more, as a result or as an argument.
    const uint64_t values = cursor.count("values");
    if (values_.size() + values > bytecode_.size())
      cursor.fail("a region must not announce more values than there are bytes");
    level.end_value += static_cast<uint32_t>(values);
    values_.resize(level.end_value, Value{undefined, 0});
    const auto [count, has_arguments] = cursor.flagged_varint();
    level.operations_left = count;
    if (count == 0 && level.operation != nullptr)
      cursor.fail("a block must end with a return, got no operations");
    if (has_arguments)
      read_arguments(level);
    check_arguments(level);
  }

  void read_arguments(Checking &level) {
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
      cursor.fail("a block must have only arguments, operations and orders of uses");
    if (has_orders)
      use_orders_.read(cursor, first, arguments);
  }

  // The verifiers of operations rely on these types.
  void check_arguments(const Checking &level) const {
    const uint32_t count = level.next_value - level.first_value;
    if (level.function != nullptr) {
      bool fits = count == level.function->input_count;
      for (uint32_t i = 0; fits && i < count; ++i)
        fits = values_[level.first_value + i].type == entries_.children(*level.function)[i];
      if (!fits)
        level.cursor.fail("the arguments of a function must have the types of its inputs");
      return;
    }
    if (level.operation == nullptr) {
      if (count != 0)
        level.cursor.fail("a module must have no arguments, got " + std::to_string(count));
      return;
    }
    const bool needs_tensors = level.operation->only_tensors && returned(level) != 'v';
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t type = values_[level.first_value + i].type;
      if (!(needs_tensors ? is_tensor(type) : is_value(entries_.type(type))))
        level.cursor.fail(needs_tensors ? "an argument of this region must be a tensor"
                                        : "an argument of a region must have the type of a value");
    }
  }

  // The letter of schema.h for the values that the present region returns.
  static char returned(const Checking &level) {
    const std::string_view kinds = level.operation->regions;
    if (kinds.back() == '*')
      return kinds.front();
    return kinds[level.regions - 1 - level.regions_left];
  }

  void define(Checking &level, uint64_t type) {
    if (level.next_value == level.end_value)
      level.cursor.fail("a region must define only as many values as it announces");
    values_[level.next_value++].type = static_cast<uint32_t>(type);
  }

  bool is_tensor(uint32_t type) const {
    const TypeKind kind = entries_.type(type).kind;
    return kind == TypeKind::tensor || kind == TypeKind::unranked;
  }

  void read_location(Cursor &cursor) const {
    if (entries_.attribute(cursor.index(entries_.attribute_count(), "attribute")).kind != AttributeKind::location)
      cursor.fail("the location of an operation or argument must be an attribute of a location");
  }

  // Invalidates `level`.
  void read_operation(Checking &level) {
    Cursor &cursor = level.cursor;
    const NamedOperation &name = attributes_.name(cursor);
    const OperationSchema *const operation = name.operation;
    const uint8_t parts = cursor.byte();
    if (parts & (0x80 | has_successors))
      cursor.fail("an operation must have no successors, and no unknown parts");
    const size_t depth = levels_.size();
    const bool is_function = operation != nullptr && operation == function_operation_;
    if ((depth == 1) != (operation == nullptr) || (depth == 2) != is_function || depth > deepest_regions)
      cursor.fail("a file must contain a module, a module functions, and a function other operations, nested at most " +
                  std::to_string(deepest_regions) + " deep");
    read_location(cursor);
    attributes_.read(cursor, name, parts);
    const uint32_t first_result = read_results(level, operation, parts);
    read_operands(level, operation, parts);
    if (parts & has_use_orders) {
      if (version_ < use_orders_since)
        cursor.fail("an operation must have no order of uses in bytecode before version " +
                    std::to_string(use_orders_since));
      use_orders_.read(cursor, first_result, level.next_value - first_result);
    }
    if (operation != nullptr)
      check(level, name);
    enter_regions(level, operation, parts);
  }

  uint32_t read_results(Checking &level, const OperationSchema *operation, uint8_t parts) {
    const uint32_t first = level.next_value;
    results_.clear();
    const uint64_t count = parts & has_results ? level.cursor.count("results") : 0;
    if (operation == nullptr ? count != 0 : !operation->results.allows(count))
      level.cursor.fail(name_of(operation) + " must not have " + std::to_string(count) + " results");
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t type = level.cursor.index(entries_.type_count(), "type");
      if (!(operation->only_tensors ? is_tensor(static_cast<uint32_t>(type)) : is_value(entries_.type(type))))
        level.cursor.fail(operation->only_tensors ? name_of(operation) + " must have tensors as results"
                                                   : "a result must have the type of a value");
      results_.push_back(static_cast<uint32_t>(type));
    }
    return first;
  }

  // Results are defined after the operands have been read.
  void read_operands(Checking &level, const OperationSchema *operation, uint8_t parts) {
    const uint64_t count = parts & has_operands ? level.cursor.count("operands") : 0;
    if (operation == nullptr ? count != 0 : !operation->operands.allows(count))
      level.cursor.fail(name_of(operation) + " must not have " + std::to_string(count) + " operands");
    operands_.clear();
    for (uint64_t i = 0; i < count; ++i) {
      Value &value = values_[level.scope + level.cursor.index(values_.size() - level.scope, "value")];
      if (value.type == undefined)
        level.cursor.fail("an operand must be defined before its use");
      ++value.uses;
      operands_.push_back(value.type);
      if (operation->only_tensors && !is_tensor(value.type))
        level.cursor.fail(name_of(operation) + " must have tensors as operands");
    }
    for (const uint32_t type : results_)
      define(level, type);
  }

  void enter_regions(Checking &level, const OperationSchema *operation, uint8_t parts) {
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
        cursor.fail("a module must have 1 region, got " + std::to_string(count));
    } else {
      const std::string_view kinds = operation->regions;
      const bool any = !kinds.empty() && kinds.back() == '*';
      if (any ? count > cursor.remaining() : count != kinds.size())
        cursor.fail(name_of(operation) + " must not have " + std::to_string(count) + " regions");
      if (count == 0)
        return;
    }
    Checking inner{operation, cursor, std::nullopt, count, count};
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

  void check(const Checking &level, const NamedOperation &name);
  void check_return(const Checking &level) const;

  const Bytecode &bytecode_;
  uint64_t version_;
  const OperationSchema *const function_operation_ = find_operation("func_v1");
  const OperationSchema *const return_operation_ = find_operation("return_v1");
  Entries entries_;
  OperationAttributes attributes_;
  std::vector<Checking> levels_;
  std::vector<Value> values_;
  UseOrders use_orders_;
  // The types of the operands and results of the present operation.
  std::vector<uint32_t> operands_, results_;
  const TypeFacts *function_ = nullptr;
};

void Validator::check(const Checking &level, const NamedOperation &name) {
  const OperationFacts facts{*name.operation, name.attributes, attributes_.found(), operands_, results_,
                             attributes_.sharding()};
  if (const std::string rule = broken_rule(entries_, facts); !rule.empty())
    level.cursor.fail(rule);
  const bool is_return = name.operation == return_operation_;
  if (is_return != (levels_.size() > 2 && level.operations_left == 0))
    level.cursor.fail("a block must end with a return, and have no other return");
  if (is_return)
    check_return(level);
  if (name.operation == function_operation_)
    function_ = &attributes_.check_function(level.cursor, facts);
}

void Validator::check_return(const Checking &level) const {
  if (level.function != nullptr) {
    const uint32_t *const results = entries_.children(*level.function) + level.function->input_count;
    if (!std::equal(operands_.begin(), operands_.end(), results,
                    results + level.function->child_count - level.function->input_count))
      level.cursor.fail("a function must return values of the types of its results");
    return;
  }
  const char kind = returned(level);
  if (kind == 'b' &&
      (operands_.size() != 1 || !is_scalar(entries_, entries_.type(operands_[0]), TypeKind::boolean)))
    level.cursor.fail("this region must return one boolean");
  if (kind == 't' && (operands_.empty() || !std::all_of(operands_.begin(), operands_.end(),
                                                        [&](uint32_t type) { return is_tensor(type); })))
    level.cursor.fail("this region must return tensors");
}

} // namespace

void validate(const Bytecode &bytecode, unsigned reader) {
  for (const Section &section : bytecode.sections())
    if (section.is_aligned) // MLIR's reader would require the file aligned in memory
      throw BytecodeError("a section must not be aligned", section.data.offset);
  for (const Range &string : bytecode.strings())
    if (!is_utf8(bytecode.text(string)))
      throw BytecodeError("a text must be UTF-8", string.offset);
  for (const Dialect &dialect : bytecode.dialects())
    if (dialect.version)
      throw BytecodeError("a dialect must have no version", dialect.version->offset);
  if (!bytecode.resources().resources.empty())
    throw BytecodeError("there must be no resources", bytecode.resources().resources[0].data.offset);
  Validator(bytecode, reader).run();
}

} // namespace hlokit
