// Elements of arrays at starts that are scalars, which instructions read to scalars and write from scalars.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "vm/pointwise/kernels.h"
#include "vm/scalars/addresses.h"
#include "vm/scalars/detail.h"

namespace hlokit::vm {

// The instruction has the first start: `a` is its slot, `c` its limit and `jump` its stride in bytes; `b` is the slot of the
// array, `to` that of the scalar.
struct ElementAccess : Detail {
  struct Start {
    uint32_t slot;
    int32_t limit, stride;
  };

  ptrdiff_t offset = 0; // in bytes
  bool clamps = false;  // starts outside of the array; otherwise nothing is moved
  ElementType index_type = ElementType::i32; // of starts
  std::vector<Start> further_starts;

  // Whether neighbours in the array have neighbouring starts, as in arrays of one dimension.
  bool is_row(const DecodedInstruction &at, size_t size) const {
    return further_starts.empty() && at.jump == static_cast<int32_t>(size);
  }
};

// Where an element is, and whether the instruction moves it.
struct Element {
  unsigned char *address;
  bool is_moved;
};

// `row`: the size of the elements of a row; 0 if the array is none.
template <class Index, size_t row>
inline Element find_element(const DecodedInstruction *at, const unsigned char *registers) {
  const auto &access = static_cast<const ElementAccess &>(*at->detail);
  ptrdiff_t place = access.offset;
  bool is_inside = true;
  const auto go_to = [&](uint32_t slot, int64_t limit, ptrdiff_t stride) {
    Index start;
    std::memcpy(&start, registers + slot, sizeof start);
    auto index = static_cast<int64_t>(start);
    if (static_cast<uint64_t>(index) > static_cast<uint64_t>(limit)) {
      index = std::is_signed_v<Index> && index < 0 ? 0 : limit;
      is_inside = false;
    }
    place += static_cast<ptrdiff_t>(index) * stride;
  };
  go_to(at->a, at->c, row ? ptrdiff_t(row) : at->jump);
  if (!row)
    for (const ElementAccess::Start &start : access.further_starts)
      go_to(start.slot, start.limit, start.stride);
  return {address_in(registers, at->b) + place, is_inside || access.clamps};
}

// An element of `size` bytes; Index is the type of the starts.
template <size_t size, class Index, bool is_read, bool is_row>
const DecodedInstruction *access_element(const DecodedInstruction *at, unsigned char *registers) {
  const Element element = find_element<Index, is_row ? size : 0>(at, registers);
  if (element.is_moved && is_read)
    std::memcpy(registers + at->to, element.address, size);
  else if (element.is_moved)
    std::memcpy(element.address, registers + at->to, size);
  return next(at, registers);
}

} // namespace hlokit::vm
