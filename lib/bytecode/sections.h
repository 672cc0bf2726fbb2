// The sections of a bytecode file, and versions of the format.
#pragma once

#include <cstdint>

namespace hlokit {

enum SectionId : uint8_t {
  string_section,
  dialect_section,
  attr_type_section,
  attr_type_offset_section,
  ir_section,
  resource_section,
  resource_offset_section,
  dialect_version_section,
  properties_section,
  section_count,
};

// The bit of a section's number that says whether an alignment follows.
constexpr uint8_t aligned_flag = 0x80;

// The first version of the format in which operations have properties, and names of operations state whether they are
// registered.
constexpr uint64_t properties_since = 5;

} // namespace hlokit
