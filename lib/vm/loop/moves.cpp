// Moves of elements between registers.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "support/by_size.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

void check_extents(const Frame &frame, const fields::Move &fields) {
  Extent read(fields.source_offset), written(fields.target_offset);
  read.add(fields.axes, &fields::MoveAxis::source);
  written.add(fields.axes, &fields::MoveAxis::target);
  read.check(frame.count(fields.operand));
  written.check(frame.count(fields.to));
}

StridedCopy strided(const fields::Move &fields, size_t item) {
  return {fields.axes.size(), sizes_of(fields.axes), strides_of(fields.axes, &fields::MoveAxis::target),
          strides_of(fields.axes, &fields::MoveAxis::source), item};
}

// Whether a copy reads memory in the order of its dimensions. Each block of a transposition would read all lines of the source.
bool reads_in_order(const StridedCopy &copy) {
  ptrdiff_t outer = std::numeric_limits<ptrdiff_t>::max();
  for (size_t i = 0; i < copy.rank; ++i) {
    const ptrdiff_t stride = std::abs(copy.from[i]);
    if (stride > outer)
      return false;
    outer = stride ? stride : outer;
  }
  return true;
}

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
  const size_t item = size_of(frame.types[fields.to]), count = product(sizes_of(fields.axes), fields.axes.size());
  if (count == 0)
    return {return_to_loop, nullptr, 0, 0};
  check_extents(frame, fields);
  auto move = std::make_unique<Move>();
  const RegisterRef &target = move->to = RegisterRef(frame, fields.to, fields.target_offset);
  const RegisterRef &source = move->from = RegisterRef(frame, fields.operand, fields.source_offset);
  const StridedCopy &block = move->block = strided(fields, item);
  if (count == 1) {
    const Handler handler = by_size(item, [](auto size) { return run_element<size>; });
    const auto read_at = static_cast<uint32_t>(source.offset), written_at = static_cast<uint32_t>(target.offset);
    return {handler, nullptr, 1, 0, target.slot, source.slot, read_at, written_at};
  }
  if (block.rank == 1 && block.has_rows() && fields.source_offset == 0 && fields.target_offset == 0)
    return {copy_bytes, nullptr, count, 0, target.slot, source.slot, static_cast<uint32_t>(count * item)};
  return {run_detail<Move>, std::move(move), count, 0};
}

std::unique_ptr<const BlockMove> block_move(const Frame &frame, const Instruction &instruction) {
  const auto fields = read_fields<fields::Move>(instruction);
  const size_t item = size_of(frame.types[fields.to]), count = product(sizes_of(fields.axes), fields.axes.size());
  if (count == 0 || fields.to == fields.operand || frame.is_scalar(fields.to))
    return nullptr;
  check_kinds(frame.types, frame.counts, instruction, fields);
  check_extents(frame, fields);
  auto result = std::make_unique<BlockMove>();
  const StridedCopy &copy = result->copy = strided(fields, item);
  if (!reads_in_order(copy))
    return nullptr;
  result->to = fields.to;
  result->from = fields.operand;
  const RegisterRef source(frame, fields.operand, fields.source_offset);
  result->source_slot = source.slot;
  result->source_offset = source.offset;
  result->first = static_cast<size_t>(fields.target_offset.value);
  result->is_side_by_side = copy.writes_row();
  if (result->is_side_by_side) {
    result->parts = count;
    return result;
  }
  const auto bytes = static_cast<ptrdiff_t>(item);
  ptrdiff_t reach = bytes; // of a part
  for (size_t i = 1; i < copy.rank; ++i) {
    if (copy.to[i] <= 0)
      return nullptr;
    reach += static_cast<ptrdiff_t>(copy.sizes[i] - 1) * copy.to[i];
  }
  const ptrdiff_t row = copy.to[0];
  if (row <= 0 || static_cast<ptrdiff_t>(result->first) * bytes % row + reach > row)
    return nullptr;
  result->row = static_cast<size_t>(row / bytes);
  result->parts = copy.sizes[0];
  return result;
}

void BlockMove::run(unsigned char *registers, unsigned char *block, size_t start, size_t end) const {
  const auto before = [this](size_t element) { // the parts that begin before an element
    return element > first ? std::min(parts, (element - first + row - 1) / row) : 0;
  };
  const size_t low = before(start), count = before(end) - low;
  if (count == 0)
    return;
  unsigned char *target = block + (first + low * row - start) * copy.item;
  const unsigned char *source = address_in(registers, source_slot) + source_offset;
  if (is_side_by_side)
    copy.copy_part(target, source, low, count);
  else
    copy.copy_first(target, source + static_cast<ptrdiff_t>(low) * copy.from[0], count);
}

} // namespace hlokit::vm
