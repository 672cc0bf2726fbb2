// Rows of an array, gathered by index vectors.
#pragma once

#include <cstddef>

#include "kernels/regions/index_vectors.h"

namespace hlokit::regions {

// result[i] = operand[row of index vector i], with indices clamped to their extents; rows have `row` bytes.
void gather(const unsigned char *operand, const IndexVectors &indices, size_t row, unsigned char *result,
            size_t threads);

} // namespace hlokit::regions
