// Strided accesses to arrays: reading their numbers, and checking their extents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "vm/loop/arrays.h"
#include "vm/strided_copy.h"

namespace hlokit::vm {

// Reads numbers one by one. Throws ProgramError for a number out of range, and for a missing one.
class NumberReader {
public:
  explicit NumberReader(const Numbers &numbers) : numbers_(numbers) {}

  int64_t next(int64_t least, int64_t most);
  int64_t any() { return next(-most_elements, most_elements); }
  size_t size() { return static_cast<size_t>(next(0, most_elements)); }
  size_t rank() { return static_cast<size_t>(next(0, static_cast<int64_t>(most_dimensions))); }
  Sizes sizes(size_t rank);
  Strides strides(size_t rank);
  void end() const;

private:
  const Numbers &numbers_;
  size_t at_ = 0;
};

// Reads a number, and two lists of registers.
DecodedCall read_registers(const Frame &frame, NumberReader &reader);

// The numbers of an instruction. Throws ProgramError if there are none.
const Numbers &numbers_of(const Instruction &instruction, const std::vector<Numbers> &numbers);
// Whether an instruction on arrays reads two registers, `a` and `b`: `c` is the index of its numbers.
bool has_two_operands(const Instruction &instruction);
// Whether the registers of an instruction are among its numbers.
bool has_register_lists(const Instruction &instruction);
DecodedCall register_lists_of(const Frame &frame, const Instruction &instruction, const std::vector<Numbers> &numbers);

// The range of elements that some dimensions reach from an offset.
class Extent {
public:
  explicit Extent(int64_t offset) : least_(offset), most_(offset) {}
  void add(size_t size, int64_t stride);
  void add(const Sizes &sizes, const Strides &strides, size_t rank);
  // Throws ProgramError if the range lies outside an array of `count` elements.
  void check(size_t count) const;

private:
  int64_t least_, most_;
};

// The number of elements. Throws ProgramError if there are too many.
size_t product(const Sizes &sizes, size_t rank);

// An element in the memory of a register: in its slot, or in the array that the slot points to.
struct RegisterRef {
  uint32_t slot = 0;
  bool is_scalar = false;
  ptrdiff_t offset = 0; // in bytes

  RegisterRef() = default;
  RegisterRef(const Frame &frame, uint32_t index, int64_t elements);
  unsigned char *find(unsigned char *registers) const {
    if (is_scalar)
      return registers + slot + offset;
    unsigned char *result;
    std::memcpy(&result, registers + slot, sizeof result);
    return result + offset;
  }
};

// Throw ProgramError if a register is neither a scalar nor a whole array, if an instruction reads what it writes, or if
// two registers have different types.
void check_whole(const Frame &frame, uint32_t index);
void check_apart(uint32_t written, uint32_t read);
void check_same_type(const Frame &frame, uint32_t one, uint32_t two);

} // namespace hlokit::vm
