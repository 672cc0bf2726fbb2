// Moves of elements between registers.
#include <cstring>
#include <memory>
#include <utility>

#include "support/by_size.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct Move : Detail {
  RegisterRef to, from;
  StridedCopy block;

  void run(unsigned char *registers) const { block.copy(to.find(registers), from.find(registers)); }
};

// Moves of one element. `to` and `a` are the slots with the addresses of the registers, `b` and `c` the offsets of the
// elements that are read and written.
template <size_t size> const DecodedInstruction *run_element(const DecodedInstruction *at, unsigned char *registers) {
  std::memcpy(address_in(registers, at->to) + at->c, address_in(registers, at->a) + at->b, size);
  return next(at, registers);
}

// A row of `b` bytes.
const DecodedInstruction *copy_bytes(const DecodedInstruction *at, unsigned char *registers) {
  copy_row_bytes(address_in(registers, at->to), address_in(registers, at->a), at->b);
  return next(at, registers);
}

} // namespace

DecodedArrayOp decode_move(const Frame &frame, const Instruction &instruction, const Numbers &given) {
  check_registers(frame, instruction.to, {instruction.a});
  check_same_type(frame, instruction.to, instruction.a);
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
  const RegisterRef &target = move->to = RegisterRef(frame, instruction.to, to_offset);
  const RegisterRef &source = move->from = RegisterRef(frame, instruction.a, from_offset);
  const StridedCopy &block = move->block = StridedCopy(rank, sizes, to, from, item);
  if (count == 1) {
    const Handler handler = by_size(item, [](auto size) { return run_element<size>; });
    const auto read_at = static_cast<uint32_t>(source.offset), written_at = static_cast<uint32_t>(target.offset);
    return {handler, nullptr, 1, 0, target.slot, source.slot, read_at, written_at};
  }
  if (block.rank == 1 && block.has_rows() && from_offset == 0 && to_offset == 0)
    return {copy_bytes, nullptr, count, 0, target.slot, source.slot, static_cast<uint32_t>(count * item)};
  return {run_detail<Move>, std::move(move), count, 0};
}

} // namespace hlokit::vm
