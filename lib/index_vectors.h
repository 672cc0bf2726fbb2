// Index vectors: where scatters and gathers read and write.
//
// They are checked when a run begins by where the largest ones lead, so that no index can do harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm.h"

namespace hlokit::regions {

// Integers that say which rows of an array are meant: the sum over components of index * step.
struct IndexVectors {
  struct Component {
    int64_t extent; // indices are from 0 to below this
    int64_t step;   // rows between neighbours
  };

  const unsigned char *data;
  vm::Type type; // an integer
  size_t count;
  ptrdiff_t stride, component_stride; // in bytes
  std::vector<Component> components;

  // Throws a ProgramError unless indices within the extents lead to rows below `rows`.
  void check(size_t rows) const;
  // The rows that vectors `start` to `start + count` mean; -1 for those that are not within the extents.
  void places(size_t start, size_t count, int64_t *to) const;
  // The same with indices clamped to the extents, of which none is 0.
  void clamped_places(size_t start, size_t count, int64_t *to) const;
};

} // namespace hlokit::regions
