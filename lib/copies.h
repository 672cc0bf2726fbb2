// Elements of arrays of any strides, copied into row-major order.
#pragma once

#include <cstddef>
#include <vector>

namespace hlokit::copies {

// Whether elements of so many bytes, at such an alignment, are known.
bool is_known(size_t size, size_t alignment);

// Copies the elements of an array, of `size` bytes each (`is_known`), to `to`, which overlaps none of them. Strides are
// in bytes. Takes up to `threads` threads where that is worth it.
void copy(unsigned char *to, const unsigned char *from, const std::vector<size_t> &shape,
          const std::vector<ptrdiff_t> &strides, size_t size, size_t threads);

} // namespace hlokit::copies
