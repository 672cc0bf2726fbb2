// The first elements of rows by one key, without the order of the others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/regions/row_order.h"

namespace hlokit::regions {

// Whether rows are searched for their first elements rather than sorted.
constexpr bool is_selection(size_t size, size_t kept) { return kept > 0 && size >= 64 && 4 * kept <= size; }

// The bytes of memory that a search for `kept` elements takes.
constexpr size_t first_of_row_bytes(size_t kept) { return 16 * (2 * kept + key_block); }

// Writes the positions of the first `kept` elements of a row, at least one and at most `size`, in stable order. `memory` has
// room for `first_of_row_bytes`, and is aligned to 8 bytes.
template <class Position>
void first_of_row(const KeyRow &row, size_t size, size_t kept, Position *positions, unsigned char *memory);
extern template void first_of_row(const KeyRow &, size_t, size_t, uint32_t *, unsigned char *);
extern template void first_of_row(const KeyRow &, size_t, size_t, int64_t *, unsigned char *);

// positions[row] = the positions of the first `k` of `size` elements. `k` is at most `size`.
void top_k(const KeyOrder &order, const unsigned char *operand, size_t rows, size_t size, size_t k, int64_t *positions,
           size_t threads);

} // namespace hlokit::regions
