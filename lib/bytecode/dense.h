// The attributes that hold the elements of constants.
//
// How the elements are encoded, measured with every element type and bytecode versions 0 to 6:
//   - little-endian, in row-major order, without padding between elements;
//   - i1 in DenseIntOrFPElementsAttr: 8 elements a byte, the first one in the lowest bit;
//     i1 in a dense array: one byte for each element;
//   - other elements narrower than a byte (i2, i4, ui2, ui4, f4, f6): one byte for each element, the value in the low
//     bits, zeros above (so -1 : i4 is 0x0F);
//   - wider elements: whole bytes; complex: real part, imaginary part; index: 8 bytes;
//   - splat: one element only; a splat of i1 is one byte, 0x00 or 0xFF, like 8 packed elements;
//   - no elements: an empty blob.
// A dense_resource has a key instead: its bytes are in the resource section. Producers may write any bytes there, but
// by convention write the same encoding, aligned and never as a splat.
#pragma once

#include <optional>
#include <vector>

#include "bytecode/container.h"

namespace hlokit {

enum class DenseKind : uint8_t { elements, array, resource };

struct DenseAttribute {
  DenseKind kind;
  uint32_t index;                   // into AttrTypeTable::attributes
  uint32_t type;                    // into AttrTypeTable::types: of the tensor; for an array, of its elements
  Range data;                       // for a resource, its blob
  std::optional<StringIndex> key{}; // of a resource
};

// The attributes of the builtin dialect with arrays of numbers, in table order.
std::vector<DenseAttribute> dense_attributes(const Bytecode &bytecode);

} // namespace hlokit
