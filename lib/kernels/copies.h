// Copies of arrays of any strides, in row-major order.
#pragma once

#include <cstddef>
#include <vector>

namespace hlokit::copies {

// Whether `copy` supports elements of this size at addresses and strides of this alignment, in bytes.
bool is_supported(size_t size, size_t alignment);

// Copies an array, with elements of `size` bytes and strides in bytes, to `to`, which does not overlap it. Requires
// `is_supported`. Uses up to `threads` threads if the array is large enough.
void copy(unsigned char *to, const unsigned char *from, const std::vector<size_t> &shape,
          const std::vector<ptrdiff_t> &strides, size_t size, size_t threads);

} // namespace hlokit::copies
