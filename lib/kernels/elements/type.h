// Types of elements: what arrays and registers hold.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hlokit {

// An i1 is a byte that is 0 or 1. f16 and bf16 are handled as their bits. A complex number is its real part followed by
// its imaginary part; complex numbers come last.
enum class ElementType : uint8_t { i1, i8, i16, i32, i64, ui8, ui16, ui32, ui64, f32, f64, bf16, f16, c64, c128 };

// The names in MLIR.
constexpr const char *element_type_names[] = {"i1",   "i8",  "i16", "i32",  "i64", "ui8",          "ui16",        "ui32",
                                              "ui64", "f32", "f64", "bf16", "f16", "complex<f32>", "complex<f64>"};
constexpr size_t element_type_count = sizeof element_type_names / sizeof *element_type_names;

constexpr const char *name_of(ElementType type) { return element_type_names[static_cast<size_t>(type)]; }

// In bytes.
constexpr size_t size_of(ElementType type) {
  constexpr uint8_t sizes[element_type_count] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 2, 2, 8, 16};
  return sizes[static_cast<size_t>(type)];
}

constexpr bool is_integer(ElementType type) { return type <= ElementType::ui64; } // or a boolean
constexpr bool is_complex(ElementType type) { return type >= ElementType::c64; }

// The alignment of an element; of a complex number, that of its parts.
constexpr size_t alignment_of(ElementType type) { return is_complex(type) ? size_of(type) / 2 : size_of(type); }

} // namespace hlokit
