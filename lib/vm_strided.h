// Copies between strided blocks of elements, checked when they are made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "vm.h"
#include "vm_arrays.h"

namespace hlokit::vm {

using Strides = std::array<int64_t, most_dimensions>;
using Sizes = std::array<size_t, most_dimensions>;

// Reads numbers one by one; each must be in its range.
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

// The places, in elements, that some dimensions reach from an offset: sizes, strides and what else is added.
class Extent {
public:
  explicit Extent(int64_t offset) : least_(offset), most_(offset) {}
  void add(size_t size, int64_t stride);
  void add(const Sizes &sizes, const Strides &strides, size_t rank);
  // Throws ProgramError if a place lies outside of an array.
  void check(size_t count) const;

private:
  int64_t least_, most_;
};

// How many elements; throws ProgramError if they are too many.
size_t product(const Sizes &sizes, size_t rank);

// A block of elements of one size in two places, with strides in bytes.
struct Block {
  using Row = void (*)(unsigned char *to, const unsigned char *from, ptrdiff_t to_stride, ptrdiff_t from_stride,
                       size_t count);

  size_t rank = 0; // 0: a single element
  Sizes sizes{};
  std::array<ptrdiff_t, most_dimensions> to{}, from{};
  size_t item = 0;
  Row row = nullptr;

  // Strides in elements. What can be merged is, and dimensions of one element are left out.
  Block(size_t rank, const Sizes &sizes, const Strides &to, const Strides &from, size_t item);
  Block() = default;
  void copy(unsigned char *target, const unsigned char *source) const;
  // Calls `apply(to, from, count)` for each row of neighbours, or for each element where there are none.
  template <class Apply> void each_row(unsigned char *target, const unsigned char *source, const Apply &apply) const {
    rows(0, target, source, apply);
  }
  bool has_rows() const {
    return rank == 0 || (to[rank - 1] == static_cast<ptrdiff_t>(item) && from[rank - 1] == static_cast<ptrdiff_t>(item));
  }

private:
  template <class Apply>
  void rows(size_t dimension, unsigned char *target, const unsigned char *source, const Apply &apply) const {
    if (dimension == rank)
      return apply(target, source, 1);
    if (dimension + 1 == rank && has_rows())
      return apply(target, source, sizes[dimension]);
    for (size_t i = 0; i < sizes[dimension]; ++i, target += to[dimension], source += from[dimension])
      rows(dimension + 1, target, source, apply);
  }
};

// Where the memory of a register stands: in its slot, or at what the slot points to.
struct Side {
  uint32_t slot = 0;
  bool is_scalar = false;
  ptrdiff_t offset = 0; // in bytes

  Side() = default;
  Side(const Frame &frame, uint32_t index, int64_t elements);
  unsigned char *find(unsigned char *registers) const {
    if (is_scalar)
      return registers + slot + offset;
    unsigned char *result;
    std::memcpy(&result, registers + slot, sizeof result);
    return result + offset;
  }
};

// Throws ProgramError if an instruction may not take a register as a whole array (or a scalar), or write where it reads.
void check_whole(const Frame &frame, uint32_t index);
void check_apart(uint32_t written, uint32_t read);
void check_same_type(const Frame &frame, uint32_t one, uint32_t two);

} // namespace hlokit::vm
