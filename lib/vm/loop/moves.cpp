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

// Moves in two dimensions at most, in bytes.
struct Plane : Detail {
  ptrdiff_t to, from;
  size_t rows, count;
  ptrdiff_t to_row, from_row, to_step, from_step;
};

enum class Steps { any, gather, fill, plain };

template <size_t size, Steps steps>
const DecodedInstruction *run_plane(const DecodedInstruction *at, unsigned char *registers) {
  const auto &plane = static_cast<const Plane &>(*at->detail);
  constexpr auto item = static_cast<ptrdiff_t>(size);
  const ptrdiff_t to_step = steps == Steps::any ? plane.to_step : item;
  unsigned char *to_row = address_in(registers, at->to) + plane.to;
  const unsigned char *from_row = address_in(registers, at->a) + plane.from;
  for (size_t row = 0; row < plane.rows; ++row, to_row += plane.to_row, from_row += plane.from_row) {
    if (steps == Steps::plain) {
      copy_row_bytes(to_row, from_row, plane.count * size);
      continue;
    }
    if (steps == Steps::fill) {
      fill_row<size>(to_row, from_row, plane.count);
      continue;
    }
    unsigned char *to = to_row;
    const unsigned char *from = from_row;
    for (size_t i = 0; i < plane.count; ++i, to += to_step, from += plane.from_step)
      std::memcpy(to, from, size);
  }
  return next(at, registers);
}

template <size_t size> Handler plane_handler(ptrdiff_t to_step, ptrdiff_t from_step) {
  constexpr auto item = static_cast<ptrdiff_t>(size);
  if (to_step != item)
    return run_plane<size, Steps::any>;
  if (from_step == item)
    return run_plane<size, Steps::plain>;
  return from_step == 0 ? run_plane<size, Steps::fill> : run_plane<size, Steps::gather>;
}

Handler plane_handler(size_t size, ptrdiff_t to_step, ptrdiff_t from_step) {
  switch (size) {
  case 1:
    return plane_handler<1>(to_step, from_step);
  case 2:
    return plane_handler<2>(to_step, from_step);
  case 4:
    return plane_handler<4>(to_step, from_step);
  case 8:
    return plane_handler<8>(to_step, from_step);
  default:
    return plane_handler<16>(to_step, from_step);
  }
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
    const size_t inner = block.rank - 1;
    auto plane = std::make_unique<Plane>();
    plane->to = static_cast<ptrdiff_t>(to_offset) * static_cast<ptrdiff_t>(item);
    plane->from = static_cast<ptrdiff_t>(from_offset) * static_cast<ptrdiff_t>(item);
    plane->rows = inner ? block.sizes[0] : 1;
    plane->count = block.sizes[inner];
    plane->to_row = inner ? block.to[0] : 0;
    plane->from_row = inner ? block.from[0] : 0;
    plane->to_step = block.to[inner];
    plane->from_step = block.from[inner];
    return {plane_handler(item, plane->to_step, plane->from_step), std::move(plane), count, 0, to_slot, from_slot};
  }
  auto result = std::make_unique<Move>();
  result->to = RegisterRef(frame, instruction.to, to_offset);
  result->from = RegisterRef(frame, instruction.a, from_offset);
  result->block = block;
  return {run_move, std::move(result), count, 0};
}

} // namespace hlokit::vm
