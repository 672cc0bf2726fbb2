#include "operations.h"

#include <optional>
#include <string>

namespace hlokit {
namespace {

// What each version of the format brought, as far as operations are concerned.
constexpr uint64_t region_sections_since = 2;
constexpr uint64_t use_orders_since = 3;
constexpr uint64_t unknown_argument_locations_left_out_since = 4;

// The parts that an operation has; a byte after its name says which.
enum Part : uint8_t {
  has_attributes = 1 << 0,
  has_results = 1 << 1,
  has_operands = 1 << 2,
  has_successors = 1 << 3,
  has_regions = 1 << 4,
  has_use_orders = 1 << 5,
  has_properties = 1 << 6,
};

// The regions of an operation: where in them the reader is, and how much is left. Explicit, since
// recursion would be as deep as the input says.
struct Level {
  Cursor cursor;                       // within the regions
  uint64_t regions;                    // still to come
  std::optional<Cursor> after{};       // behind their section, if they have one
  uint64_t blocks = 0, operations = 0; // still to come in this region, and in this block
};

class Reader {
public:
  explicit Reader(const Bytecode &bytecode) : bytecode_(bytecode), version_(bytecode.version()) {}

  Operations read() {
    found_.counts.resize(bytecode_.op_names().size());
    properties_ = bytecode_.properties();
    Cursor cursor = bytecode_.read(bytecode_.operations());
    // The outermost operation stands in a block of its own.
    Level top{cursor, 0};
    const auto [count, has_arguments] = top.cursor.flagged_varint();
    if (count != 1 || has_arguments)
      top.cursor.fail("one operation must hold all others");
    top.operations = 1;
    levels_.push_back(top);
    while (!levels_.empty())
      step();
    return std::move(found_);
  }

private:
  void step() {
    Level &level = levels_.back();
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
      leave(level);
    }
  }

  static void read_region(Level &level) {
    level.blocks = level.cursor.varint();
    if (level.blocks > 0)
      level.cursor.varint(); // the number of values
  }

  void leave(const Level &level) {
    if ((level.after || levels_.size() == 1) && !level.cursor.at_end())
      level.cursor.fail("unknown data after the last operation");
    const Cursor after = level.after.value_or(level.cursor);
    levels_.pop_back();
    if (!levels_.empty())
      levels_.back().cursor = after;
  }

  void read_block(Level &level) {
    Cursor &cursor = level.cursor;
    const auto [count, has_arguments] = cursor.flagged_varint();
    // Each takes more than a byte, so that reading ends, whatever the number says.
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
      read_use_orders(cursor, arguments);
  }

  // `level` is invalid afterwards.
  void read_operation(Level &level) {
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
      skip(cursor, cursor.count("operands"));
    if (parts & has_successors)
      skip(cursor, cursor.count("successors"));
    if (parts & has_use_orders)
      read_use_orders(cursor, results);
    if (levels_.size() == 2)
      found_.body.push_back(operation);
    if (parts & has_regions)
      enter_regions(cursor);
  }

  void enter_regions(Cursor &cursor) {
    const auto [count, isolated] = cursor.flagged_varint();
    // Regions that use no values from outside have a section, so that they can be read later.
    if (!isolated || version_ < region_sections_since) {
      levels_.push_back(Level{cursor, count});
      return;
    }
    const Range section = bytecode_.read_operations_section(cursor);
    levels_.push_back(Level{bytecode_.read(section), count, cursor});
  }

  void read_use_orders(Cursor &cursor, uint64_t values) const {
    uint64_t shuffled = 1;
    if (values != 1)
      shuffled = cursor.count("values with an order of uses");
    for (uint64_t i = 0; i < shuffled; ++i) {
      if (values != 1)
        cursor.varint(); // which value
      skip(cursor, cursor.flagged_varint().value);
    }
  }

  uint32_t read_attribute(Cursor &cursor) const {
    return static_cast<uint32_t>(cursor.index(bytecode_.entries().attributes.size(), "attribute"));
  }

  void read_type(Cursor &cursor) const { cursor.index(bytecode_.entries().types.size(), "type"); }

  static void skip(Cursor &cursor, uint64_t numbers) {
    for (uint64_t i = 0; i < numbers; ++i)
      cursor.varint();
  }

  const Bytecode &bytecode_;
  uint64_t version_;
  std::vector<Range> properties_;
  std::vector<Level> levels_;
  Operations found_;
};

} // namespace

Operations read_operations(const Bytecode &bytecode) { return Reader(bytecode).read(); }

} // namespace hlokit
