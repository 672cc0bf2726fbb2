#include "bytecode/structure.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "bytecode/encoding.h"

namespace hlokit {
void SlimFile::write(std::string_view piece) {
  while (!piece.empty()) {
    if (state_ != State::content) {
      head(static_cast<uint8_t>(piece.front()));
      piece.remove_prefix(1);
      ++position_;
      continue;
    }
    const std::string_view part = piece.substr(0, std::min<uint64_t>(left_, piece.size()));
    if (id_ != attr_type_section && id_ != resource_section && id_ != resource_offset_section)
      kept_.append(part);
    left_ -= part.size();
    position_ += part.size();
    piece.remove_prefix(part.size());
    if (left_ == 0)
      state_ = State::id;
  }
}

// Takes a byte before the content of a section.
void SlimFile::head(uint8_t byte) {
  const auto keep = [this, byte] { kept_.push_back(static_cast<char>(byte)); };
  switch (state_) {
  case State::magic:
    keep();
    if (position_ == 3)
      state_ = State::version;
    return;
  case State::version:
    keep();
    if (number(byte))
      state_ = State::producer;
    return;
  case State::producer:
    keep();
    if (byte == 0)
      state_ = State::id;
    return;
  case State::id:
    id_ = byte & ~aligned_flag & 0xFF;
    alignment_ = byte & aligned_flag ? 1 : 0;
    state_ = State::size;
    return;
  case State::size:
    if (!number(byte))
      return;
    left_ = number_;
    if (alignment_)
      state_ = State::alignment;
    else
      begin_content();
    return;
  case State::alignment:
    if (!number(byte))
      return;
    alignment_ = std::max<uint64_t>(number_, 1);
    state_ = State::padding;
    break;
  case State::padding:
  case State::content:
    break;
  }
  if ((position_ + 1) % alignment_ == 0)
    begin_content();
}

// Takes a byte of a number, and returns whether it is the last one. The number of trailing zero bits of the first byte
// is the number of bytes that follow.
bool SlimFile::number(uint8_t byte) {
  digits_.push_back(static_cast<char>(byte));
  const auto first = static_cast<uint8_t>(digits_[0]);
  size_t size = 1;
  while (size < 9 && !(first >> (size - 1) & 1))
    ++size;
  if (digits_.size() < size)
    return false;
  number_ = Cursor(digits_, {0, digits_.size()}).varint();
  digits_.clear();
  return true;
}

void SlimFile::begin_content() {
  state_ = left_ > 0 ? State::content : State::id;
  if (id_ == resource_section || id_ == resource_offset_section)
    return;
  kept_.push_back(static_cast<char>(id_));
  // The size, in the longest encoding: nine bytes, the first of them 0.
  const uint64_t size = id_ == attr_type_section ? 0 : left_;
  kept_.push_back(0);
  for (unsigned shift = 0; shift < 64; shift += 8)
    kept_.push_back(static_cast<char>(size >> shift & 0xFF));
}

std::vector<ValueRef> Structure::captured(uint32_t operation) const {
  const StructureOperation &outer = operations[operation];
  const uint32_t first_block = outer.region_count == 0 ? outer.end_block : regions[outer.first_region].first_block;
  std::vector<ValueRef> found;
  std::unordered_set<uint64_t> known;
  for (uint32_t inner = operation + 1; inner < outer.end; ++inner) {
    const StructureOperation &user = operations[inner];
    for (uint32_t i = 0; i < user.operand_count; ++i) {
      const ValueRef value = operands[user.first_operand + i];
      const bool is_inside = value.block == nowhere || (value.block >= first_block && value.block < outer.end_block);
      if (!is_inside && known.insert(uint64_t{value.block} << 32 | value.number).second)
        found.push_back(value);
    }
  }
  return found;
}

namespace {

struct TypedValue {
  ValueRef value;
  uint32_t type;
};

constexpr TypedValue undefined = {{nowhere, 0}, nowhere};

// The regions of an operation: the position of the reader in them, and the remaining parts.
struct Visiting {
  Cursor cursor;                 // within the regions
  uint64_t regions;              // still to come
  uint32_t operation;            // the owner of the regions
  std::optional<Cursor> after{}; // after their section, if they use no values from outside
  uint64_t blocks = 0;           // still to come in this region
  uint64_t operations = 0;       // still to come in this block
  uint32_t region = 0;           // the next one, of Structure::regions
  uint32_t block = nowhere;      // the present one
  size_t scope_size = 0;         // values in scope before the present region
  size_t next_value = 0;         // of the present region
  bool is_in_region = false;
};

struct Hash {
  size_t operator()(const std::vector<uint32_t> &key) const {
    uint64_t hash = key.size();
    for (const uint32_t part : key)
      hash = (hash ^ part) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    return static_cast<size_t>(hash);
  }
};

class StructureBuilder {
public:
  explicit StructureBuilder(const Bytecode &bytecode) : bytecode_(bytecode) {}

  Structure read() {
    if (bytecode_.version() < properties_since)
      throw BytecodeError("bytecode of version " + std::to_string(bytecode_.version()) + " has no properties", 0);
    name_count_ = bytecode_.op_names().size();
    scopes_.emplace_back();
    Visiting top{outermost_operation(bytecode_), 0, nowhere};
    top.operations = 1;
    top.block = add_block(0);
    levels_.push_back(top);
    while (!levels_.empty())
      step();
    return std::move(found_);
  }

private:
  void step() {
    Visiting &level = levels_.back();
    if (level.operations > 0) {
      --level.operations;
      read_operation(level);
    } else if (level.blocks > 0) {
      end_block(level);
      --level.blocks;
      read_block(level);
    } else if (level.regions > 0) {
      end_block(level);
      end_region(level);
      --level.regions;
      read_region(level);
    } else {
      end_block(level);
      end_region(level);
      leave(level);
    }
  }

  uint32_t add_block(uint32_t argument_count) {
    const auto first = static_cast<uint32_t>(found_.operations.size());
    found_.blocks.push_back({argument_count, argument_count, first, first});
    return static_cast<uint32_t>(found_.blocks.size() - 1);
  }

  void end_block(Visiting &level) {
    if (level.block != nowhere)
      found_.blocks[level.block].end = static_cast<uint32_t>(found_.operations.size());
    level.block = nowhere;
  }

  // The values of a region go out of scope after it.
  void end_region(Visiting &level) {
    if (level.is_in_region)
      scopes_.back().resize(level.scope_size);
    level.is_in_region = false;
  }

  void read_region(Visiting &level) {
    level.blocks = level.cursor.varint();
    found_.regions[level.region++] = {static_cast<uint32_t>(found_.blocks.size()),
                                      static_cast<uint32_t>(std::min<uint64_t>(level.blocks, nowhere))};
    if (level.blocks == 0)
      return;
    const uint64_t values = level.cursor.count("values");
    std::vector<TypedValue> &scope = scopes_.back();
    level.is_in_region = true;
    level.scope_size = level.next_value = scope.size();
    scope.resize(scope.size() + values, undefined);
  }

  void leave(const Visiting &level) {
    if (level.after)
      scopes_.pop_back();
    if (level.operation != nowhere) {
      StructureOperation &operation = found_.operations[level.operation];
      operation.end = static_cast<uint32_t>(found_.operations.size());
      operation.end_block = static_cast<uint32_t>(found_.blocks.size());
    }
    leave_regions(levels_);
  }

  void define(Visiting &level, uint32_t number, uint64_t type) {
    if (!level.is_in_region || level.next_value == scopes_.back().size())
      level.cursor.fail("a region must define only as many values as it announces");
    scopes_.back()[level.next_value++] = {{level.block, number}, static_cast<uint32_t>(type)};
  }

  void read_block(Visiting &level) {
    Cursor &cursor = level.cursor;
    const auto [count, has_arguments] = cursor.flagged_varint();
    // Each operation takes more than a byte, so reading ends even if the number is wrong.
    level.operations = count;
    const uint64_t arguments = has_arguments ? cursor.count("arguments") : 0;
    level.block = add_block(static_cast<uint32_t>(arguments));
    for (uint64_t i = 0; i < arguments; ++i) {
      const auto [type, has_location] = cursor.flagged_varint();
      define(level, static_cast<uint32_t>(i), type);
      if (has_location)
        cursor.varint();
    }
    if (has_arguments && cursor.byte() & has_use_orders)
      skip_use_orders(cursor, arguments);
  }

  // Invalidates `level`.
  void read_operation(Visiting &level) {
    Cursor &cursor = level.cursor;
    StructureOperation operation{};
    operation.name = static_cast<uint32_t>(cursor.index(name_count_, "operation name"));
    const uint8_t parts = cursor.byte();
    cursor.varint(); // the location
    key_.assign({operation.name, parts});
    if (parts & has_attributes)
      add_to_key(cursor.varint());
    if (parts & has_properties)
      add_to_key(cursor.varint());

    StructureBlock &block = found_.blocks[level.block];
    operation.result_count = static_cast<uint32_t>(parts & has_results ? cursor.count("results") : 0);
    operation.first_result = block.value_count;
    block.value_count += operation.result_count;
    add_to_key(operation.result_count);
    for (uint32_t i = 0; i < operation.result_count; ++i) {
      const uint64_t type = cursor.varint();
      add_to_key(type);
      define(level, operation.first_result + i, type);
    }
    operation.first_operand = static_cast<uint32_t>(found_.operands.size());
    operation.operand_count = static_cast<uint32_t>(parts & has_operands ? cursor.count("operands") : 0);
    for (uint32_t i = 0; i < operation.operand_count; ++i) {
      const TypedValue value = scopes_.back()[cursor.index(scopes_.back().size(), "value")];
      add_to_key(value.type);
      found_.operands.push_back(value.value);
    }
    if (parts & has_successors)
      skip_numbers(cursor, cursor.count("successors"));
    if (parts & has_use_orders)
      skip_use_orders(cursor, operation.result_count);

    const auto number = static_cast<uint32_t>(found_.operations.size());
    operation.end = number + 1;
    operation.end_block = static_cast<uint32_t>(found_.blocks.size());
    operation.first_region = static_cast<uint32_t>(found_.regions.size());
    const auto [regions, isolated] = parts & has_regions ? cursor.flagged_varint() : Cursor::Flagged{0, false};
    if (regions > 0) {
      key_.push_back(nowhere); // no other key is as long
      key_.push_back(number);
    }
    operation.kind = kinds_.emplace(key_, static_cast<uint32_t>(kinds_.size())).first->second;
    if (!(parts & has_regions)) {
      found_.operations.push_back(operation);
      return;
    }
    if (regions > cursor.remaining())
      cursor.fail(std::to_string(regions) + " regions cannot be in " + std::to_string(cursor.remaining()) + " bytes");
    operation.region_count = static_cast<uint32_t>(regions);
    found_.operations.push_back(operation);
    found_.regions.resize(found_.regions.size() + regions);
    enter_regions(cursor, regions, isolated, number);
  }

  void enter_regions(Cursor &cursor, uint64_t count, bool isolated, uint32_t operation) {
    Visiting inner{cursor, count, operation};
    // Regions that use no values from outside have a section, so that readers can skip them.
    if (isolated) {
      inner.cursor = bytecode_.read(bytecode_.read_operations_section(cursor));
      inner.after = cursor;
      scopes_.emplace_back();
    }
    inner.region = found_.operations[operation].first_region;
    levels_.push_back(inner);
  }

  void add_to_key(uint64_t number) {
    key_.push_back(static_cast<uint32_t>(number));
    if (number >= nowhere)
      throw BytecodeError("there is no attribute or type number " + std::to_string(number), 0);
  }

  const Bytecode &bytecode_;
  uint64_t name_count_ = 0;
  std::vector<Visiting> levels_;
  // The values in scope, for each enclosing region that is isolated from above.
  std::vector<std::vector<TypedValue>> scopes_;
  std::vector<uint32_t> key_;
  std::unordered_map<std::vector<uint32_t>, uint32_t, Hash> kinds_;
  Structure found_;
};

} // namespace

Structure read_structure(const Bytecode &bytecode) { return StructureBuilder(bytecode).read(); }

} // namespace hlokit
