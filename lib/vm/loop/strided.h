// Strided accesses to arrays: reading their numbers, and checking their extents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

// An element of a register, which is a scalar or an array.
struct RegisterRef {
  uint32_t slot = 0;    // with the address of the register
  ptrdiff_t offset = 0; // in bytes

  RegisterRef() = default;
  RegisterRef(const Frame &frame, uint32_t index, int64_t elements = 0);
  unsigned char *find(unsigned char *registers) const { return address_in(registers, slot) + offset; }
};

// The following functions throw ProgramError if their condition does not hold.

// All registers of an instruction are scalars or whole arrays, and it reads none that it writes.
void check_registers(const Frame &frame, uint32_t written, const std::vector<uint32_t> &read);
// The same for several results, which are different registers.
void check_registers(const Frame &frame, const DecodedCall &registers);
void check_same_type(const Frame &frame, uint32_t one, uint32_t two);
void check_count(const Frame &frame, uint32_t index, size_t count);

} // namespace hlokit::vm
