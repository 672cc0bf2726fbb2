// The nesting depth of MLIR text, and its size after the expansion of aliases. Both bound the stack and the memory of a
// recursive reader or printer of the text. The time is linear in the length of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlokit {

// A level of nesting in units of stack: locations are read and printed by small functions.
constexpr uint32_t units_of_level = 4, units_of_location = 1;

struct Excess {
  size_t offset; // of the bracket, or of the definition or the use of the alias
  bool is_depth; // too deep; otherwise too large
};

// The first position where the text is nested more than `deepest` units deep, or where the expansion of aliases exceeds
// `largest` types, attributes and locations: of one alias, or of all uses in the text together. Nothing if there is
// none.
std::optional<Excess> find_excess(std::string_view text, uint32_t deepest, uint64_t largest);

} // namespace hlokit
