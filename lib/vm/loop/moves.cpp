// Moves of elements between registers.
#include <cstring>
#include <memory>
#include <utility>

#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct Move : Detail {
  RegisterRef to, from;
  StridedCopy block;
};

const DecodedInstruction *run_move(const DecodedInstruction *at, unsigned char *registers) {
  const auto &move = static_cast<const Move &>(*at->detail);
  move.block.copy(move.to.find(registers), move.from.find(registers));
  return at + 1;
}

// Moves of one element. `to` and `a` are the slots with the addresses of the registers, `b` and `c` the offsets of the
// elements that are read and written, in bytes.
template <size_t size> const DecodedInstruction *run_element(const DecodedInstruction *at, unsigned char *registers) {
  std::memcpy(address_in(registers, at->to) + at->c, address_in(registers, at->a) + at->b, size);
  return next(at, registers);
}

// Moves of all elements of a register.
const DecodedInstruction *run_whole(const DecodedInstruction *at, unsigned char *registers) {
  std::memcpy(address_in(registers, at->to), address_in(registers, at->a), at->b);
  return next(at, registers);
}

Handler element_handler(size_t size) {
  switch (size) {
  case 1:
    return run_element<1>;
  case 2:
    return run_element<2>;
  case 4:
    return run_element<4>;
  default:
    return run_element<8>;
  }
}

uint32_t address_slot(const Frame &frame, uint32_t index) {
  const uint32_t slot = Frame::slot(index);
  return frame.is_scalar(index) ? frame.addresses.of_scalar(slot) : slot;
}

} // namespace

DecodedArrayOp decode_move(const Frame &frame, const Instruction &instruction, const Numbers &given) {
  check_whole(frame, instruction.to);
  check_whole(frame, instruction.a);
  check_same_type(frame, instruction.to, instruction.a);
  check_apart(instruction.to, instruction.a);
  NumberReader numbers(given);
  const size_t rank = numbers.rank();
  const Sizes sizes = numbers.sizes(rank);
  const int64_t from_offset = numbers.any();
  const Strides from = numbers.strides(rank);
  const int64_t to_offset = numbers.any();
  const Strides to = numbers.strides(rank);
  numbers.end();
  const size_t count = product(sizes, rank), item = size_of(frame.types[instruction.to]);
  if (count == 0)
    return {return_to_loop, nullptr, 0, 0};
  Extent read(from_offset), written(to_offset);
  read.add(sizes, from, rank);
  written.add(sizes, to, rank);
  read.check(frame.count(instruction.a));
  written.check(frame.count(instruction.to));
  const StridedCopy block(rank, sizes, to, from, item);
  const uint32_t to_slot = address_slot(frame, instruction.to), from_slot = address_slot(frame, instruction.a);
  if (count == 1)
    return {element_handler(item), nullptr, 1, 0, to_slot, from_slot, static_cast<uint32_t>(from_offset * static_cast<int64_t>(item)),
            static_cast<uint32_t>(to_offset * static_cast<int64_t>(item))};
  if (block.rank == 1 && block.has_rows() && from_offset == 0 && to_offset == 0)
    return {run_whole, nullptr, count, 0, to_slot, from_slot, static_cast<uint32_t>(count * item)};
  auto result = std::make_unique<Move>();
  result->to = RegisterRef(frame, instruction.to, to_offset);
  result->from = RegisterRef(frame, instruction.a, from_offset);
  result->block = block;
  return {run_move, std::move(result), count, 0};
}

} // namespace hlokit::vm
