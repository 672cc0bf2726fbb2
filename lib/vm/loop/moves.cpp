// Moves of elements between registers. The most frequent moves, of one or two dimensions, have separate handlers.
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

// Moves in one dimension or two. The offsets are in bytes.
struct Plane : Detail {
  ptrdiff_t to, from;
  StridedCopy block;
};

const DecodedInstruction *run_row(const DecodedInstruction *at, unsigned char *registers) {
  const auto &plane = static_cast<const Plane &>(*at->detail);
  const StridedCopy &block = plane.block;
  block.row(address_in(registers, at->to) + plane.to, address_in(registers, at->a) + plane.from, block.to[0], block.from[0],
            block.sizes[0]);
  return next(at, registers);
}

const DecodedInstruction *run_plane(const DecodedInstruction *at, unsigned char *registers) {
  const auto &plane = static_cast<const Plane &>(*at->detail);
  plane.block.plane(plane.block, address_in(registers, at->to) + plane.to, address_in(registers, at->a) + plane.from);
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
  case 8:
    return run_element<8>;
  default:
    return run_element<16>;
  }
}

} // namespace

const DecodedInstruction *copy_bytes(const DecodedInstruction *at, unsigned char *registers) {
  copy_row_bytes(address_in(registers, at->to), address_in(registers, at->a), at->b);
  return next(at, registers);
}

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
  const uint32_t to_slot = frame.address_slot(instruction.to), from_slot = frame.address_slot(instruction.a);
  if (count == 1)
    return {element_handler(item), nullptr, 1, 0, to_slot, from_slot, static_cast<uint32_t>(from_offset * static_cast<int64_t>(item)),
            static_cast<uint32_t>(to_offset * static_cast<int64_t>(item))};
  if (block.rank == 1 && block.has_rows() && from_offset == 0 && to_offset == 0)
    return {copy_bytes, nullptr, count, 0, to_slot, from_slot, static_cast<uint32_t>(count * item)};
  if (block.rank == 1 || block.rank == 2) {
    auto plane = std::make_unique<Plane>();
    plane->to = static_cast<ptrdiff_t>(to_offset) * static_cast<ptrdiff_t>(item);
    plane->from = static_cast<ptrdiff_t>(from_offset) * static_cast<ptrdiff_t>(item);
    plane->block = block;
    return {block.rank == 1 ? run_row : run_plane, std::move(plane), count, 0, to_slot, from_slot};
  }
  auto result = std::make_unique<Move>();
  result->to = RegisterRef(frame, instruction.to, to_offset);
  result->from = RegisterRef(frame, instruction.a, from_offset);
  result->block = block;
  return {run_move, std::move(result), count, 0};
}

} // namespace hlokit::vm
