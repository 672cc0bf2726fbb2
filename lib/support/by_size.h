// Code that knows the size of an element, for elements whose size is known when a program runs.
#pragma once

#include <cstddef>
#include <type_traits>

namespace hlokit {

// The sizes of elements, in bytes: 1, 2, 4, 8 and 16.
constexpr bool is_element_size(size_t size) { return size >= 1 && size <= 16 && (size & (size - 1)) == 0; }

// Returns act(the size, as a std::integral_constant). `act` takes it by value, so that it can be a template argument.
template <class Act> auto by_size(size_t size, const Act &act) {
  switch (size) {
  case 1:
    return act(std::integral_constant<size_t, 1>());
  case 2:
    return act(std::integral_constant<size_t, 2>());
  case 4:
    return act(std::integral_constant<size_t, 4>());
  case 8:
    return act(std::integral_constant<size_t, 8>());
  default:
    return act(std::integral_constant<size_t, 16>());
  }
}

} // namespace hlokit
