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

Strides dense_strides(const Sizes &sizes, size_t rank) {
  Strides result{};
  int64_t step = 1;
  for (size_t i = rank; i-- > 0; step *= static_cast<int64_t>(std::max<size_t>(sizes[i], 1)))
    result[i] = step;
  return result;
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

namespace {

// The strides of the rows of a copy: any, or known ones.
enum class RowKind { any, gather, fill, plain };

template <size_t size, RowKind kind>
void copy_row(unsigned char *to, const unsigned char *from, ptrdiff_t to_stride, ptrdiff_t from_stride, size_t count) {
  if (kind == RowKind::plain)
    return copy_row_bytes(to, from, count * size);
  if (kind == RowKind::fill)
    return fill_row<size>(to, from, count);
  constexpr auto item = static_cast<ptrdiff_t>(size);
  const ptrdiff_t to_step = kind == RowKind::any ? to_stride : item;
  for (size_t i = 0; i < count; ++i, to += to_step, from += from_stride)
    std::memcpy(to, from, size);
}

// One row again and again, side by side: each copy doubles what there is.
void repeat_row(unsigned char *to, const unsigned char *from, size_t bytes, size_t rows) {
  std::memcpy(to, from, bytes);
  for (size_t done = bytes, all = bytes * rows; done < all; done *= 2)
    std::memcpy(to + done, to, std::min(done, all - done));
}

// An element for each row, `count` times, rows side by side.
template <size_t size, size_t count>
void fill_rows(unsigned char *to, const unsigned char *from, ptrdiff_t from_stride, size_t rows) {
  for (; rows > 0; --rows, from += from_stride)
    for (size_t i = 0; i < count; ++i, to += size)
      std::memcpy(to, from, size);
}

template <size_t size, RowKind kind> void copy_plane(const StridedCopy &copy, unsigned char *to, const unsigned char *from) {
  const size_t outer = copy.rank - 2, inner = copy.rank - 1, rows = copy.sizes[outer], count = copy.sizes[inner];
  const bool is_dense = copy.to[outer] == static_cast<ptrdiff_t>(count * size);
  if (kind == RowKind::plain && is_dense && copy.from[outer] == 0 && rows > 0)
    return repeat_row(to, from, count * size, rows);
  if (kind == RowKind::fill && is_dense && count == 2)
    return fill_rows<size, 2>(to, from, copy.from[outer], rows);
  if (kind == RowKind::fill && is_dense && count == 3)
    return fill_rows<size, 3>(to, from, copy.from[outer], rows);
  for (size_t i = 0; i < rows; ++i, to += copy.to[outer], from += copy.from[outer])
    copy_row<size, kind>(to, from, copy.to[inner], copy.from[inner], count);
}

struct Copiers {
  StridedCopy::Row row;
  StridedCopy::Plane plane;
};

template <size_t size, RowKind kind> constexpr Copiers copiers = {copy_row<size, kind>, copy_plane<size, kind>};

template <size_t size> Copiers copiers_for(ptrdiff_t to_stride, ptrdiff_t from_stride) {
  constexpr auto item = static_cast<ptrdiff_t>(size);
  if (to_stride != item)
    return copiers<size, RowKind::any>;
  if (from_stride == item)
    return copiers<size, RowKind::plain>;
  return from_stride == 0 ? copiers<size, RowKind::fill> : copiers<size, RowKind::gather>;
}

Copiers copiers_for(size_t item, ptrdiff_t to_stride, ptrdiff_t from_stride) {
  switch (item) {
  case 1:
    return copiers_for<1>(to_stride, from_stride);
  case 2:
    return copiers_for<2>(to_stride, from_stride);
  case 4:
    return copiers_for<4>(to_stride, from_stride);
  case 8:
    return copiers_for<8>(to_stride, from_stride);
  default:
    return copiers_for<16>(to_stride, from_stride);
  }
}

} // namespace

StridedCopy::StridedCopy(size_t given, const Sizes &given_sizes, const Strides &to_strides, const Strides &from_strides,
             size_t item_size)
    : item(item_size) {
  const auto bytes = static_cast<int64_t>(item);
  for (size_t i = 0; i < given; ++i) {
    if (given_sizes[i] == 1)
      continue;
    auto next_to = static_cast<ptrdiff_t>(to_strides[i] * bytes), next_from = static_cast<ptrdiff_t>(from_strides[i] * bytes);
    auto size = static_cast<ptrdiff_t>(given_sizes[i]);
    if (rank && to[rank - 1] == next_to * size && from[rank - 1] == next_from * size) {
      sizes[rank - 1] *= given_sizes[i];
      to[rank - 1] = next_to;
      from[rank - 1] = next_from;
      continue;
    }
    sizes[rank] = given_sizes[i];
    to[rank] = next_to;
    from[rank] = next_from;
    ++rank;
  }
  const auto dense = static_cast<ptrdiff_t>(item);
  const Copiers found = rank ? copiers_for(item, to[rank - 1], from[rank - 1]) : copiers_for(item, dense, dense);
  row = found.row;
  plane = found.plane;
}

namespace {

void copy_block(const StridedCopy &block, size_t dimension, unsigned char *target, const unsigned char *source) {
  if (dimension + 2 == block.rank)
    return block.plane(block, target, source);
  for (size_t i = 0; i < block.sizes[dimension]; ++i, target += block.to[dimension], source += block.from[dimension])
    copy_block(block, dimension + 1, target, source);
}

} // namespace

void StridedCopy::copy(unsigned char *target, const unsigned char *source) const {
  if (rank < 2)
    row(target, source, to[0], from[0], rank ? sizes[0] : 1);
  else
    copy_block(*this, 0, target, source);
}

RegisterRef::RegisterRef(const Frame &frame, uint32_t index, int64_t elements)
    : slot(Frame::slot(index)), is_scalar(frame.is_scalar(index)),
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

DecodedCall registers_among(const Frame &frame, const Numbers &numbers) {
  NumberReader reader(numbers);
  return read_registers(frame, reader);
}

void check_whole(const Frame &frame, uint32_t index) {
  check_register(frame.types, index);
  if (frame.is_local[index])
    throw ProgramError("register " + std::to_string(index) + " must hold its whole array, not one block of it");
}

void check_same_type(const Frame &frame, uint32_t one, uint32_t two) {
  check_type(frame.types, two, frame.types[one]);
}

void check_apart(uint32_t written, uint32_t read) {
  if (written == read)
    throw ProgramError("an instruction must not read register " + std::to_string(read) + ", which it writes");
}

} // namespace hlokit::vm
