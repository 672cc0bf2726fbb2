#include "vm/loop/strided.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "vm/verifier.h"

namespace hlokit::vm {

int64_t NumberReader::next(int64_t least, int64_t most) {
  if (at_ >= numbers_.size())
    throw ProgramError("an instruction must have more than " + std::to_string(at_) + " numbers");
  int64_t number = numbers_[at_++];
  if (number < least || number > most)
    throw ProgramError("number " + std::to_string(at_ - 1) + " of an instruction must be from " +
                       std::to_string(least) + " to " + std::to_string(most) + ", got " + std::to_string(number));
  return number;
}

Sizes NumberReader::sizes(size_t rank) {
  Sizes result{};
  for (size_t i = 0; i < rank; ++i)
    result[i] = size();
  return result;
}

Strides NumberReader::strides(size_t rank) {
  Strides result{};
  for (size_t i = 0; i < rank; ++i)
    result[i] = any();
  return result;
}

void NumberReader::end() const {
  if (at_ != numbers_.size())
    throw ProgramError("an instruction must have " + std::to_string(at_) + " numbers, got " +
                       std::to_string(numbers_.size()));
}

void Extent::add(size_t size, int64_t stride) {
  int64_t reach = (static_cast<int64_t>(size) - 1) * stride;
  (reach < 0 ? least_ : most_) += reach;
}

void Extent::add(const Sizes &sizes, const Strides &strides, size_t rank) {
  for (size_t i = 0; i < rank; ++i)
    add(sizes[i], strides[i]);
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

DecodedCall read_registers(const Frame &frame, NumberReader &reader) {
  auto count = [&] { return static_cast<uint32_t>(reader.next(0, std::numeric_limits<int32_t>::max())); };
  auto registers = [&] {
    std::vector<uint32_t> result;
    for (uint32_t left = count(); left > 0; --left) {
      result.push_back(count());
      check_register(frame.types, result.back());
    }
    return result;
  };
  return {count(), registers(), registers()};
}

const Numbers &numbers_of(const Instruction &instruction, const std::vector<Numbers> &numbers) {
  const uint32_t index = has_two_operands(instruction) ? instruction.c : instruction.b;
  if (index >= numbers.size())
    throw ProgramError("there are no numbers " + std::to_string(index));
  return numbers[index];
}

bool has_two_operands(const Instruction &instruction) {
  return instruction.opcode == reduce || instruction.opcode == dot || instruction.opcode == scan;
}

bool has_register_lists(const Instruction &instruction) {
  return instruction.opcode == call || instruction.opcode == lapack || instruction.opcode == sort ||
         instruction.opcode == threefry || instruction.opcode == random_bits;
}

DecodedCall register_lists_of(const Frame &frame, const Instruction &instruction, const std::vector<Numbers> &numbers) {
  NumberReader reader(numbers_of(instruction, numbers));
  return read_registers(frame, reader);
}

void check_registers(const Frame &frame, uint32_t written, const std::vector<uint32_t> &read) {
  const auto check_whole = [&](uint32_t index) {
    check_register(frame.types, index);
    if (frame.is_local[index])
      throw ProgramError("register " + std::to_string(index) + " must hold its whole array, not one block of it");
  };
  check_whole(written);
  for (uint32_t index : read) {
    check_whole(index);
    if (index == written)
      throw ProgramError("an instruction must not read register " + std::to_string(index) + ", which it writes");
  }
}

void check_registers(const Frame &frame, const DecodedCall &registers) {
  std::vector<uint32_t> others = registers.operands;
  for (uint32_t result : registers.results) {
    check_registers(frame, result, others);
    others.push_back(result);
  }
}

void check_same_type(const Frame &frame, uint32_t one, uint32_t two) {
  check_type(frame.types, two, frame.types[one]);
}

void check_count(const Frame &frame, uint32_t index, size_t count) {
  if (frame.count(index) != count)
    throw ProgramError("register " + std::to_string(index) + " must hold " + std::to_string(count) + " elements, got " +
                       std::to_string(frame.count(index)));
}

} // namespace hlokit::vm
