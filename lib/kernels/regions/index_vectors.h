// Index vectors: the rows that scatters and gathers write and read.
//
// `check` checks the row at the largest indices. After this check, no index leads out of the array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/elements/type.h"

namespace hlokit::regions {

// Vectors of integers. A vector selects the row that is the sum, over its components, of index * step.
struct IndexVectors {
  struct Component {
    int64_t extent; // indices are from 0 to extent - 1
    int64_t step;   // in rows
    const unsigned char *data = nullptr; // the index of the first vector
    ptrdiff_t stride = 0;                // in bytes, to the index of the next one
  };

  ElementType type; // an integer
  size_t count;
  std::vector<Component> components;

  // Throws std::invalid_argument unless all indices within the extents lead to rows below `rows`.
  void check(size_t rows) const;
  // The rows of vectors `start` to `start + count`; -1 for a vector with an index outside of its extent.
  void places(size_t start, size_t count, int64_t *to) const;
  // The same with indices clamped to the extents. No extent may be 0.
  void clamped_places(size_t start, size_t count, int64_t *to) const;
  // Copies these rows of an array, with clamped indices. A row has 1, 2, 4, 8 or 16 bytes.
  void read_rows(const unsigned char *array, size_t row, size_t start, size_t count, unsigned char *to) const;
};

} // namespace hlokit::regions
