// Elements of arrays at starts that are scalars, which instructions read to scalars and write from scalars.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "support/compiler.h"
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

// The index of a start, clamped to its limit without a jump. Clears `is_inside` if it was outside.
template <class Index>
HLOKIT_INLINE int64_t find_index(const unsigned char *registers, uint32_t slot, int64_t limit, bool &is_inside) {
  using Wide = std::conditional_t<std::is_signed_v<Index>, int64_t, uint64_t>;
  Index start;
  std::memcpy(&start, registers + slot, sizeof start);
  const Wide index = start, last = static_cast<Wide>(limit);
  is_inside &= static_cast<uint64_t>(index) <= static_cast<uint64_t>(limit);
  return static_cast<int64_t>(std::min(std::max<Wide>(index, 0), last));
}

// An element of an array of several dimensions, or whose elements are no neighbours.
template <class Index>
HLOKIT_NOINLINE Element find_any_element(const DecodedInstruction *at, const unsigned char *registers) {
  const auto &access = static_cast<const ElementAccess &>(*at->detail);
  bool is_inside = true;
  ptrdiff_t place = access.offset + static_cast<ptrdiff_t>(find_index<Index>(registers, at->a, at->c, is_inside)) * at->jump;
  for (const ElementAccess::Start &start : access.further_starts)
    place += static_cast<ptrdiff_t>(find_index<Index>(registers, start.slot, start.limit, is_inside)) * start.stride;
  return {address_in(registers, at->b) + place, is_inside || access.clamps};
}

// `row`: the size of the elements of a row, which is found inline; 0 if the array is none.
template <class Index, size_t row>
HLOKIT_INLINE Element find_element(const DecodedInstruction *at, const unsigned char *registers) {
  if constexpr (row == 0)
    return find_any_element<Index>(at, registers);
  const auto &access = static_cast<const ElementAccess &>(*at->detail);
  bool is_inside = true;
  const auto index = static_cast<ptrdiff_t>(find_index<Index>(registers, at->a, at->c, is_inside));
  return {address_in(registers, at->b) + access.offset + index * ptrdiff_t(row), is_inside || access.clamps};
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
