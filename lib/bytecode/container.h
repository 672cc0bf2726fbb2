// The container of MLIR bytecode: header, sections and the tables in them. operations.h reads the operations.
//
// The constructor reads the header and walks over the sections, without looking into them. A table is read on first use.
// Texts and blobs are ranges of the file and never copied; the memory of a table is at most a small constant times its
// bytes in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/cursor.h"

namespace hlokit {

constexpr uint64_t newest_known_version = 6;

// Indices into Bytecode::strings and Bytecode::dialects.
using StringIndex = uint32_t;
using DialectIndex = uint32_t;

struct Section {
  uint8_t id;
  bool is_aligned; // whether it has an alignment
  Range data;
};

struct Dialect {
  StringIndex name;
  std::optional<Range> version;
};

struct OpName {
  DialectIndex dialect;
  StringIndex name;
  bool was_registered; // whether the writer knew the operation; true in versions that do not record it
};

// An attribute or a type. Without a custom encoding, the data is text and a zero byte.
struct Entry {
  DialectIndex dialect;
  bool custom;
  Range data;
};

struct AttrTypeTable {
  std::vector<Entry> attributes;
  std::vector<Entry> types;
};

enum class ResourceKind : uint8_t { blob = 0, boolean = 1, string = 2, declaration = 0xFF };

struct Resource {
  StringIndex group; // the name of a dialect or of an external provider
  StringIndex key;
  ResourceKind kind;
  uint64_t alignment;
  Range data; // the value alone, without alignment and padding
};

struct ResourceTable {
  std::vector<Resource> resources;
  // Resources of external providers come first. Attributes refer to those of dialects only, counted from this index.
  size_t first_of_dialects = 0;
};

class Bytecode {
public:
  // `file` must outlive the object.
  explicit Bytecode(std::string_view file);

  std::string_view text(Range range) const { return file_.substr(range.offset, range.size); }
  Cursor read(Range range) const { return {file_, range}; }
  uint64_t size() const { return file_.size(); }

  uint64_t version() const { return version_; }
  std::string_view producer() const { return text(producer_); }
  const std::vector<Section> &sections() const { return sections_; }

  // All following functions throw for a version above `newest_known_version`.
  const std::vector<Range> &strings() const;
  const std::vector<Dialect> &dialects() const;
  const std::vector<OpName> &op_names() const;
  const AttrTypeTable &entries() const;
  const ResourceTable &resources() const;
  // The properties of operations, each in the encoding of its operation.
  std::vector<Range> properties() const;
  // The section with the operations.
  Range operations() const;
  // Skips a section within the section of operations, and returns its content.
  Range read_operations_section(Cursor &cursor) const;

private:
  struct DialectTable {
    std::vector<Dialect> dialects;
    std::vector<OpName> op_names;
  };

  void read_sections(Cursor &cursor);
  void require_sections() const;
  const DialectTable &dialect_table() const;

  std::vector<Range> read_strings() const;
  DialectTable read_dialects() const;
  AttrTypeTable read_entries() const;
  ResourceTable read_resources() const;
  void read_resource_group(StringIndex group, Cursor &infos, Cursor &values, ResourceTable &table) const;
  void read_resource_value(Cursor &value, Resource &resource) const;

  std::optional<Range> section(uint8_t id) const;
  Range table_section(uint8_t id) const;

  std::string_view file_;
  uint64_t version_ = 0;
  Range producer_;
  std::vector<Section> sections_;

  mutable std::optional<std::vector<Range>> strings_;
  mutable std::optional<DialectTable> dialects_;
  mutable std::optional<AttrTypeTable> entries_;
  mutable std::optional<ResourceTable> resources_;
};

// The name of a section, for messages.
std::string section_name(uint8_t id);

} // namespace hlokit
