// Rows of an array, gathered by index vectors.
#pragma once

#include <cstddef>

#include "kernels/regions/index_vectors.h"

namespace hlokit::regions {

// Equal consecutive parts of the index vectors. Each part selects from its own rows of the operand, `rows` for each part.
// All of it is repeated, with the same index vectors, for each of `slices` slices of the operand.
struct Groups {
  size_t vectors; // of a part, at least 1
  size_t rows;
  size_t slices, slice_rows;
};

// result[i] = operand[row of index vector i], with indices clamped to their extents; rows have `row` bytes.
void gather(const unsigned char *operand, const IndexVectors &indices, Groups groups, size_t row,
            unsigned char *result, size_t threads);

} // namespace hlokit::regions
