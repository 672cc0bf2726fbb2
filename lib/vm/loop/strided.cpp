#include "vm/loop/strided.h"

#include <algorithm>

#include "vm/verifier.h"

namespace hlokit::vm {

void Extent::add(size_t size, int64_t stride) {
  int64_t reach = (static_cast<int64_t>(size) - 1) * stride;
  (reach < 0 ? least_ : most_) += reach;
}

void Extent::check(size_t count) const {
  if (least_ < 0 || most_ >= static_cast<int64_t>(count))
    throw ProgramError("elements " + std::to_string(least_) + " to " + std::to_string(most_) +
                       " must lie in an array of " + std::to_string(count) + " elements");
}

size_t product(const Sizes &sizes, size_t rank) {
  size_t result = 1;
  for (size_t i = 0; i < rank; ++i)
    if (sizes[i] == 0)
      return 0;
  for (size_t i = 0; i < rank; ++i) {
    result *= sizes[i];
    if (result > static_cast<size_t>(most_elements))
      throw ProgramError("an instruction must take at most " + std::to_string(most_elements) + " elements");
  }
  return result;
}

RegisterRef::RegisterRef(const Frame &frame, uint32_t index, int64_t elements)
    : slot(frame.address_slot(index)),
      offset(static_cast<ptrdiff_t>(elements) * static_cast<ptrdiff_t>(size_of(frame.types[index]))) {}

void check_registers(const Frame &frame, const Instruction &instruction) {
  Registers others = instruction.operands;
  for (uint32_t result : instruction.results) {
    if (std::find(others.begin(), others.end(), result) != others.end())
      throw ProgramError("an instruction must not read, or write twice, register " + std::to_string(result) +
                         ", which it writes");
    others.push_back(result);
  }
  for (uint32_t index : others)
    if (frame.is_local[index])
      throw ProgramError("register " + std::to_string(index) + " must hold its whole array, not one block of it");
}

void check_same_type(const Frame &frame, uint32_t one, uint32_t two) {
  check_type(frame.types, two, frame.types[one]);
}

void check_count(const Frame &frame, uint32_t index, size_t count) { check_count(frame.counts, index, count); }

} // namespace hlokit::vm
