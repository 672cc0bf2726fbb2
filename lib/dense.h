// Where the elements of constants are.
//
// How the elements look, measured with every element type and bytecode version 0 to 6:
//   - little-endian, major to minor, without padding between elements;
//   - i1 in DenseIntOrFPElementsAttr: 8 elements a byte, the first one in the lowest bit;
//     i1 in a dense array: a byte an element;
//   - other elements narrower than a byte (i2, i4, ui2, ui4, f4, f6): a byte an element, the value in its low
//     bits, the bits above are zero (so -1 : i4 is 0x0F);
//   - wider ones take whole bytes; complex: real part, imaginary part; index: 8 bytes;
//   - splat: one element only; a splat of i1 is one byte, 0x00 or 0xFF, whose bits are right even
//     where the tensor has up to 8 elements and could as well be packed;
//   - no elements: an empty blob.
// A dense_resource has a key instead, and its bytes, in the resource section, are whatever its
// producer put there: by convention the same, but never a splat, and aligned.
#pragma once

#include <optional>
#include <vector>

#include "bytecode.h"

namespace hlokit {

enum class DenseKind : uint8_t { elements, array, resource };

struct DenseAttribute {
  DenseKind kind;
  uint32_t index;                   // into AttrTypeTable::attributes
  uint32_t type;                    // into AttrTypeTable::types: of the tensor; for an array, of its elements
  Range data;                       // for a resource, its blob
  std::optional<StringIndex> key{}; // of a resource
};

// The attributes of the builtin dialect that hold arrays of numbers, in table order.
std::vector<DenseAttribute> dense_attributes(const Bytecode &bytecode);

} // namespace hlokit
