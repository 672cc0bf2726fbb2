// Texts and names of attributes in artifacts.
#pragma once

#include <string_view>

namespace hlokit {

// The bindings' Python side decodes texts.
bool is_utf8(std::string_view text);

// Whether an attribute of this name may stand on anything, and nothing depends on it: its dialect, whose name
// comes before a dot, is none of those that the bindings have.
bool is_free_name(std::string_view name);

// Whether no operation has an attribute of this name, nor a dialect.
bool is_nobodys_name(std::string_view name);

} // namespace hlokit
