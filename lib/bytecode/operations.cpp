#include "bytecode/operations.h"

#include <optional>
#include <string>

#include "bytecode/encoding.h"

namespace hlokit {
namespace {

// The regions of an operation: the position of the counter in them, and the remaining parts.
struct Counting {
  Cursor cursor;                       // within the regions
  uint64_t regions;                    // still to come
  std::optional<Cursor> after{};       // after their section, if they have one
  uint64_t blocks = 0, operations = 0; // still to come in this region, and in this block
};

class OperationCounter {
public:
  explicit OperationCounter(const Bytecode &bytecode) : bytecode_(bytecode), version_(bytecode.version()) {}

  Operations read() {
    found_.counts.resize(bytecode_.op_names().size());
    properties_ = bytecode_.properties();
    Counting top{outermost_operation(bytecode_), 0};
    top.operations = 1;
    levels_.push_back(top);
    while (!levels_.empty())
      step();
    return std::move(found_);
  }

private:
  void step() {
    Counting &level = levels_.back();
    if (level.operations > 0) {
      --level.operations;
      read_operation(level);
    } else if (level.blocks > 0) {
      --level.blocks;
      read_block(level);
    } else if (level.regions > 0) {
      --level.regions;
      read_region(level);
    } else {
      leave_regions(levels_);
    }
  }

  static void read_region(Counting &level) {
    level.blocks = level.cursor.varint();
    if (level.blocks > 0)
      level.cursor.varint(); // the number of values
  }

  void read_block(Counting &level) {
    Cursor &cursor = level.cursor;
    const auto [count, has_arguments] = cursor.flagged_varint();
    // Each operation takes more than a byte, so reading ends even if the number is wrong.
    level.operations = count;
    if (!has_arguments)
      return;
    const uint64_t arguments = cursor.count("arguments");
    for (uint64_t i = 0; i < arguments; ++i) {
      if (version_ < unknown_argument_locations_left_out_since) {
        read_type(cursor);
        read_attribute(cursor);
        continue;
      }
      const auto [type, has_location] = cursor.flagged_varint();
      cursor.checked_index(type, bytecode_.entries().types.size(), "type");
      if (has_location)
        read_attribute(cursor);
    }
    if (version_ >= use_orders_since && cursor.byte() & has_use_orders)
      skip_use_orders(cursor, arguments);
  }

  // Invalidates `level`.
  void read_operation(Counting &level) {
    Cursor &cursor = level.cursor;
    const auto name = static_cast<uint32_t>(cursor.index(found_.counts.size(), "operation name"));
    ++found_.counts[name];
    const uint8_t parts = cursor.byte();
    read_attribute(cursor); // the location
    BodyOperation operation{name, std::nullopt, std::nullopt};
    if (parts & has_attributes)
      operation.attributes = read_attribute(cursor);
    if (parts & has_properties)
      operation.properties = properties_[cursor.index(properties_.size(), "properties")];
    const uint64_t results = parts & has_results ? cursor.count("results") : 0;
    for (uint64_t i = 0; i < results; ++i)
      read_type(cursor);
    if (parts & has_operands)
      skip_numbers(cursor, cursor.count("operands"));
    if (parts & has_successors)
      skip_numbers(cursor, cursor.count("successors"));
    if (parts & has_use_orders)
      skip_use_orders(cursor, results);
    if (levels_.size() == 2)
      found_.body.push_back(operation);
    if (parts & has_regions)
      enter_regions(cursor);
  }

  void enter_regions(Cursor &cursor) {
    const auto [count, isolated] = cursor.flagged_varint();
    // Regions that use no values from outside have a section, so that readers can skip them.
    if (!isolated || version_ < region_sections_since) {
      levels_.push_back(Counting{cursor, count});
      return;
    }
    const Range section = bytecode_.read_operations_section(cursor);
    levels_.push_back(Counting{bytecode_.read(section), count, cursor});
  }

  uint32_t read_attribute(Cursor &cursor) const {
    return static_cast<uint32_t>(cursor.index(bytecode_.entries().attributes.size(), "attribute"));
  }

  void read_type(Cursor &cursor) const { cursor.index(bytecode_.entries().types.size(), "type"); }

  const Bytecode &bytecode_;
  uint64_t version_;
  std::vector<Range> properties_;
  std::vector<Counting> levels_;
  Operations found_;
};

} // namespace

Operations read_operations(const Bytecode &bytecode) { return OperationCounter(bytecode).read(); }

} // namespace hlokit
