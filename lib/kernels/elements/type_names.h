// Types of elements by their names.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels/elements/type.h"

namespace hlokit {

// The type of a name. Throws std::invalid_argument for other names.
inline ElementType element_type(std::string_view name) {
  for (size_t i = 0; i < element_type_count; ++i)
    if (name == element_type_names[i])
      return static_cast<ElementType>(i);
  throw std::invalid_argument("there is no type " + std::string(name));
}

} // namespace hlokit
