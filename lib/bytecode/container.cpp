#include "bytecode/container.h"

#include <array>

#include "bytecode/sections.h"

namespace hlokit {
namespace {

constexpr std::string_view magic = "ML\xEFR";

// The versions of the format that changed the tables.
constexpr uint64_t dialect_versions_since = 1;
constexpr uint64_t op_name_count_since = 4;

Section read_section(Cursor &cursor) {
  const uint8_t id = cursor.byte();
  const uint64_t size = cursor.varint();
  const bool is_aligned = (id & aligned_flag) != 0;
  if (is_aligned)
    cursor.align(cursor.varint());
  return {static_cast<uint8_t>(id & ~aligned_flag), is_aligned, cursor.take(size)};
}

std::vector<Entry> read_entry_group(Cursor &offsets, Cursor &data, uint64_t count, uint64_t dialect_count) {
  std::vector<Entry> entries;
  entries.reserve(count);
  while (entries.size() < count) {
    const auto dialect = static_cast<DialectIndex>(offsets.index(dialect_count, "dialect"));
    const uint64_t group_size = offsets.count("attributes or types");
    if (group_size > count - entries.size())
      offsets.fail("a group must not have more attributes or types than were announced");
    for (uint64_t i = 0; i < group_size; ++i) {
      const auto [size, custom] = offsets.flagged_varint();
      entries.push_back({dialect, custom, data.take(size)});
    }
  }
  return entries;
}

} // namespace

std::string section_name(uint8_t id) {
  static constexpr std::array<const char *, section_count> names = {
      "string",   "dialect",         "attr_type",       "attr_type_offset", "ir",
      "resource", "resource_offset", "dialect_version", "properties",
  };
  return id < names.size() ? names[id] : "section_" + std::to_string(id);
}

Bytecode::Bytecode(std::string_view file) : file_(file) {
  Cursor cursor(file, {0, file.size()});
  if (file.substr(0, magic.size()) != magic)
    cursor.fail("MLIR bytecode begins with 'ML\\xEFR', this does not");
  cursor.take(magic.size());
  version_ = cursor.varint();
  producer_ = cursor.zero_terminated();
  read_sections(cursor);
  if (version_ <= newest_known_version)
    require_sections();
}

void Bytecode::read_sections(Cursor &cursor) {
  while (!cursor.at_end()) {
    const Section next = read_section(cursor);
    if (next.id >= section_count && version_ <= newest_known_version)
      cursor.fail("there is no section number " + std::to_string(next.id));
    if (section(next.id))
      cursor.fail("there must be only one section '" + section_name(next.id) + "'");
    sections_.push_back(next);
  }
}

void Bytecode::require_sections() const {
  for (const uint8_t id :
       {string_section, dialect_section, attr_type_section, attr_type_offset_section, ir_section})
    if (!section(id))
      throw BytecodeError("section '" + section_name(id) + "' is missing", size());
  if (version_ >= properties_since && !section(properties_section))
    throw BytecodeError("section 'properties' is missing", size());
  if (section(resource_section).has_value() != section(resource_offset_section).has_value())
    throw BytecodeError("sections 'resource' and 'resource_offset' must come together", size());
}

std::optional<Range> Bytecode::section(uint8_t id) const {
  for (const Section &candidate : sections_)
    if (candidate.id == id)
      return candidate.data;
  return std::nullopt;
}

namespace {

// Reads a table unless an earlier call did.
template <typename Table, typename Read> const Table &once(std::optional<Table> &table, Read read) {
  if (!table)
    table = read();
  return *table;
}

} // namespace

const std::vector<Range> &Bytecode::strings() const {
  return once(strings_, [this] { return read_strings(); });
}

const std::vector<Dialect> &Bytecode::dialects() const { return dialect_table().dialects; }

const std::vector<OpName> &Bytecode::op_names() const { return dialect_table().op_names; }

const Bytecode::DialectTable &Bytecode::dialect_table() const {
  return once(dialects_, [this] { return read_dialects(); });
}

const AttrTypeTable &Bytecode::entries() const {
  return once(entries_, [this] { return read_entries(); });
}

const ResourceTable &Bytecode::resources() const {
  return once(resources_, [this] { return read_resources(); });
}

Range Bytecode::table_section(uint8_t id) const {
  if (version_ > newest_known_version)
    throw BytecodeError("bytecode version " + std::to_string(version_) + " is newer than " +
                            std::to_string(newest_known_version) + ", the newest known one",
                        magic.size());
  // The constructor has checked that all sections exist that the version requires.
  return section(id).value_or(Range{});
}

// The lengths come first, from the last string to the first; then the texts, each with a zero byte.
std::vector<Range> Bytecode::read_strings() const {
  const Range part = table_section(string_section);
  Cursor lengths = read(part);
  std::vector<Range> strings(lengths.count("strings"));
  uint64_t end = part.offset + part.size;
  for (auto string = strings.rbegin(); string != strings.rend(); ++string) {
    const uint64_t size = lengths.varint();
    if (size == 0 || size > end - lengths.position())
      lengths.fail("a string cannot have " + std::to_string(size) + " bytes here");
    end -= size;
    *string = {end, size - 1};
  }
  if (lengths.position() != end)
    lengths.fail("unknown data between the lengths of the strings and the strings");
  return strings;
}

Bytecode::DialectTable Bytecode::read_dialects() const {
  const uint64_t string_count = strings().size();
  Cursor cursor = read(table_section(dialect_section));
  DialectTable table;

  const uint64_t dialect_count = cursor.count("dialects");
  table.dialects.reserve(dialect_count);
  for (uint64_t i = 0; i < dialect_count; ++i) {
    if (version_ < dialect_versions_since) {
      table.dialects.push_back(
          {static_cast<StringIndex>(cursor.index(string_count, "string")), std::nullopt});
      continue;
    }
    const auto [name, versioned] = cursor.flagged_varint();
    Dialect dialect{static_cast<StringIndex>(cursor.checked_index(name, string_count, "string")),
                    std::nullopt};
    if (versioned) {
      const Section version = read_section(cursor);
      if (version.id != dialect_version_section)
        cursor.fail("the version of a dialect cannot be in section '" + section_name(version.id) + "'");
      dialect.version = version.data;
    }
    table.dialects.push_back(dialect);
  }

  if (version_ >= op_name_count_since)
    table.op_names.reserve(cursor.count("operation names"));
  while (!cursor.at_end()) {
    const auto dialect = static_cast<DialectIndex>(cursor.index(dialect_count, "dialect"));
    const uint64_t group_size = cursor.count("operation names");
    for (uint64_t i = 0; i < group_size; ++i) {
      Cursor::Flagged name{0, true};
      if (version_ >= properties_since)
        name = cursor.flagged_varint();
      else
        name.value = cursor.varint();
      const auto string = static_cast<StringIndex>(cursor.checked_index(name.value, string_count, "string"));
      table.op_names.push_back({dialect, string, name.flag});
    }
  }
  return table;
}

// One section has the data of all attributes and then of all types, back to back. The other one has their dialects and
// sizes.
AttrTypeTable Bytecode::read_entries() const {
  const uint64_t dialect_count = dialects().size();
  Cursor offsets = read(table_section(attr_type_offset_section));
  Cursor data = read(table_section(attr_type_section));
  const uint64_t attribute_count = offsets.count("attributes");
  const uint64_t type_count = offsets.count("types");
  AttrTypeTable table;
  table.attributes = read_entry_group(offsets, data, attribute_count, dialect_count);
  table.types = read_entry_group(offsets, data, type_count, dialect_count);
  if (!offsets.at_end())
    offsets.fail("unknown data after the last attribute or type");
  return table;
}

std::vector<Range> Bytecode::properties() const {
  std::vector<Range> properties;
  if (version_ < properties_since)
    return properties;
  Cursor cursor = read(table_section(properties_section));
  const uint64_t count = cursor.count("properties");
  properties.reserve(count);
  for (uint64_t i = 0; i < count; ++i)
    properties.push_back(cursor.take(cursor.varint()));
  if (!cursor.at_end())
    cursor.fail("unknown data after the last properties");
  return properties;
}

Range Bytecode::operations() const { return table_section(ir_section); }

Range Bytecode::read_operations_section(Cursor &cursor) const {
  const Section part = read_section(cursor);
  if (part.id != ir_section)
    cursor.fail("a region cannot be in section '" + section_name(part.id) + "'");
  return part.data;
}

ResourceTable Bytecode::read_resources() const {
  ResourceTable table;
  if (!section(resource_section))
    return table;
  Cursor infos = read(table_section(resource_offset_section));
  Cursor values = read(table_section(resource_section));

  const uint64_t external_groups = infos.count("groups of resources");
  for (uint64_t i = 0; i < external_groups; ++i) {
    const auto provider = static_cast<StringIndex>(infos.index(strings().size(), "string"));
    read_resource_group(provider, infos, values, table);
  }
  table.first_of_dialects = table.resources.size();
  while (!infos.at_end()) {
    const uint64_t dialect = infos.index(dialects().size(), "dialect");
    read_resource_group(dialects()[dialect].name, infos, values, table);
  }
  return table;
}

void Bytecode::read_resource_group(StringIndex group, Cursor &infos, Cursor &values,
                                   ResourceTable &table) const {
  const uint64_t count = infos.count("resources");
  for (uint64_t i = 0; i < count; ++i) {
    const auto key = static_cast<StringIndex>(infos.index(strings().size(), "string"));
    Cursor value = read(values.take(infos.varint()));
    const uint8_t kind = infos.byte();
    if (kind > static_cast<uint8_t>(ResourceKind::string))
      infos.fail("there is no kind of resource number " + std::to_string(kind));
    Resource resource{group, key, static_cast<ResourceKind>(kind), 1, {value.position(), 0}};
    read_resource_value(value, resource);
    table.resources.push_back(resource);
  }
}

void Bytecode::read_resource_value(Cursor &value, Resource &resource) const {
  // A writer may leave out the value, for instance a large blob.
  if (value.at_end()) {
    resource.kind = ResourceKind::declaration;
    return;
  }
  switch (resource.kind) {
  case ResourceKind::blob: {
    resource.alignment = value.varint();
    const uint64_t size = value.varint();
    value.align(resource.alignment);
    resource.data = value.take(size);
    break;
  }
  case ResourceKind::boolean:
    resource.data = value.take(1);
    break;
  case ResourceKind::string:
    resource.data = strings()[value.index(strings().size(), "string")];
    break;
  case ResourceKind::declaration:
    break;
  }
  if (!value.at_end())
    value.fail("unknown data after a resource");
}

} // namespace hlokit
