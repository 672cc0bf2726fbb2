// Strided accesses to arrays: their fields, and checks of their extents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vm/loop/arrays.h"
#include "vm/strided_copy.h"

namespace hlokit::vm {

// The sizes of axes, and their strides in one of the arrays.
template <class Axis> Sizes sizes_of(const fields::Axes<Axis> &axes) {
  Sizes result{};
  for (size_t i = 0; i < axes.size(); ++i)
    result[i] = static_cast<size_t>(axes[i].size);
  return result;
}
template <class Axis> Strides strides_of(const fields::Axes<Axis> &axes, fields::Distance Axis::*stride) {
  Strides result{};
  for (size_t i = 0; i < axes.size(); ++i)
    result[i] = axes[i].*stride;
  return result;
}

inline Sizes three_sizes(int64_t outer, int64_t size, int64_t inner) {
  return {static_cast<size_t>(outer), static_cast<size_t>(size), static_cast<size_t>(inner)};
}

// The range of elements that some dimensions reach from an offset.
class Extent {
public:
  explicit Extent(int64_t offset) : least_(offset), most_(offset) {}
  void add(size_t size, int64_t stride);
  template <class Axis> void add(const fields::Axes<Axis> &axes, fields::Distance Axis::*stride) {
    for (const Axis &axis : axes)
      add(static_cast<size_t>(axis.size), axis.*stride);
  }
  // Throws ProgramError if the range lies outside an array of `count` elements.
  void check(size_t count) const;

private:
  int64_t least_, most_;
};

// The number of elements. Throws ProgramError if there are too many.
size_t product(const Sizes &sizes, size_t rank);

// An element of a register, which is a scalar or an array.
struct RegisterRef {
  uint32_t slot = 0;    // with the address of the register
  ptrdiff_t offset = 0; // in bytes

  RegisterRef() = default;
  RegisterRef(const Frame &frame, uint32_t index, int64_t elements = 0);
  unsigned char *find(unsigned char *registers) const { return address_in(registers, slot) + offset; }
};

// The following functions throw ProgramError if their condition does not hold.

// The fields of an instruction, whose registers are of their kinds. It reads none that it writes, writes none twice, and all
// are scalars or whole arrays.
void check_registers(const Frame &frame, const Instruction &instruction);
template <class Record> Record checked_fields(const Frame &frame, const Instruction &instruction) {
  const Record record = read_fields<Record>(instruction);
  check_registers(frame, instruction);
  check_kinds(frame.types, frame.counts, instruction, record);
  return record;
}
void check_same_type(const Frame &frame, uint32_t one, uint32_t two);
void check_count(const Frame &frame, uint32_t index, size_t count);

} // namespace hlokit::vm
