// Copies of arrays of any strides, into arrays or parts of arrays.
#pragma once

#include <cstddef>
#include <vector>

namespace hlokit::copies {

// Whether `copy` supports elements of this size at addresses and strides of this alignment, in bytes.
bool is_supported(size_t size, size_t alignment);

// Where the elements of an array are, with strides in bytes.
struct Strided {
  unsigned char *data;
  const std::vector<ptrdiff_t> &strides;
};

// Copies the elements of `from`, of `size` bytes, to the same places of `to`, which does not overlap it. Requires
// `is_supported`. Returns false, with nothing copied, if neighbours of the last dimension of `to` are no neighbours in memory.
// Uses up to `threads` threads if the array is large enough.
bool copy(const Strided &to, const Strided &from, const std::vector<size_t> &shape, size_t size, size_t threads);

} // namespace hlokit::copies
