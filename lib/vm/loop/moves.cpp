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

DecodedArrayOp decode_move(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::Move>(frame, instruction);
  const size_t rank = fields.axes.size(), item = size_of(frame.types[fields.to]);
  const Sizes sizes = sizes_of(fields.axes);
  const size_t count = product(sizes, rank);
  if (count == 0)
    return {return_to_loop, nullptr, 0, 0};
  Extent read(fields.source_offset), written(fields.target_offset);
  read.add(fields.axes, &fields::MoveAxis::source);
  written.add(fields.axes, &fields::MoveAxis::target);
  read.check(frame.count(fields.operand));
  written.check(frame.count(fields.to));
  auto move = std::make_unique<Move>();
  const RegisterRef &target = move->to = RegisterRef(frame, fields.to, fields.target_offset);
  const RegisterRef &source = move->from = RegisterRef(frame, fields.operand, fields.source_offset);
  const StridedCopy &block = move->block =
      StridedCopy(rank, sizes, strides_of(fields.axes, &fields::MoveAxis::target),
                  strides_of(fields.axes, &fields::MoveAxis::source), item);
  if (count == 1) {
    const Handler handler = by_size(item, [](auto size) { return run_element<size>; });
    const auto read_at = static_cast<uint32_t>(source.offset), written_at = static_cast<uint32_t>(target.offset);
    return {handler, nullptr, 1, 0, target.slot, source.slot, read_at, written_at};
  }
  if (block.rank == 1 && block.has_rows() && fields.source_offset == 0 && fields.target_offset == 0)
    return {copy_bytes, nullptr, count, 0, target.slot, source.slot, static_cast<uint32_t>(count * item)};
  return {run_detail<Move>, std::move(move), count, 0};
}

} // namespace hlokit::vm
