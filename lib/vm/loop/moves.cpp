// Moves of elements between registers. The most frequent moves, of one or two dimensions, have separate handlers.
#include <cstring>
#include <memory>
#include <utility>

#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

// `to` and `a` are the slots with the addresses of the registers. The offsets are in bytes.
struct Move : Detail {
  ptrdiff_t to, from;
  StridedCopy block;
};

const DecodedInstruction *run_move(const DecodedInstruction *at, unsigned char *registers) {
  const auto &move = static_cast<const Move &>(*at->detail);
  move.block.copy(address_in(registers, at->to) + move.to, address_in(registers, at->a) + move.from);
  return at + 1;
}

// Moves of one element. `b` and `c` are the offsets of the elements that are read and written.
template <size_t size> const DecodedInstruction *run_element(const DecodedInstruction *at, unsigned char *registers) {
  std::memcpy(address_in(registers, at->to) + at->c, address_in(registers, at->a) + at->b, size);
  return next(at, registers);
}

const DecodedInstruction *run_row(const DecodedInstruction *at, unsigned char *registers) {
  const auto &move = static_cast<const Move &>(*at->detail);
  const StridedCopy &block = move.block;
  block.row(address_in(registers, at->to) + move.to, address_in(registers, at->a) + move.from, block.to[0], block.from[0],
            block.sizes[0]);
  return next(at, registers);
}

const DecodedInstruction *run_plane(const DecodedInstruction *at, unsigned char *registers) {
  const auto &move = static_cast<const Move &>(*at->detail);
  move.block.plane(move.block, address_in(registers, at->to) + move.to, address_in(registers, at->a) + move.from,
                   move.block.sizes[0]);
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
  auto move = std::make_unique<Move>();
  move->block = StridedCopy(rank, sizes, to, from, item);
  move->to = static_cast<ptrdiff_t>(to_offset) * static_cast<ptrdiff_t>(item);
  move->from = static_cast<ptrdiff_t>(from_offset) * static_cast<ptrdiff_t>(item);
  const StridedCopy &block = move->block;
  const uint32_t to_slot = frame.address_slot(instruction.to), from_slot = frame.address_slot(instruction.a);
  if (count == 1)
    return {element_handler(item), nullptr, 1, 0, to_slot, from_slot, static_cast<uint32_t>(move->from), static_cast<uint32_t>(move->to)};
  if (block.rank == 1 && block.has_rows() && from_offset == 0 && to_offset == 0)
    return {copy_bytes, nullptr, count, 0, to_slot, from_slot, static_cast<uint32_t>(count * item)};
  const Handler handler = block.rank == 1 ? run_row : block.rank == 2 ? run_plane : run_move;
  return {handler, std::move(move), count, 0, to_slot, from_slot};
}

} // namespace hlokit::vm
