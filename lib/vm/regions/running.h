// Running combinations of rows by a pointwise operation.
#pragma once

#include <cstddef>

#include "vm/pointwise/kernels.h"

namespace hlokit::regions {

// Rows of `width` elements of `size` bytes.
struct Rows {
  size_t count, width, size;
};

// The first row of `result` is that of the operand, and each other one the row before it combined with that of the operand.
// The arrays do not overlap.
void combine_running(vm::Sweep sweep, const Rows &rows, const unsigned char *operand, unsigned char *result, size_t threads);

} // namespace hlokit::regions
