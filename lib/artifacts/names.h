// Strings and names of attributes in artifacts.
#pragma once

#include <string_view>

namespace hlokit {

// Whether a string is valid UTF-8. The Python side of the bindings decodes strings without a check.
bool is_utf8(std::string_view text);

// Whether an attribute of this name is harmless on any operation: its dialect, whose name comes before the dot, is none of
// the bindings' dialects.
bool is_free_name(std::string_view name);

// Whether neither an operation nor a dialect has an attribute of this name.
bool is_unused_name(std::string_view name);

} // namespace hlokit
