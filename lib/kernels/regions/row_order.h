// The order of the elements of a row by their keys.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/elements/type.h"
#include "support/variants.h"

namespace hlokit::regions {

// How the elements of a key, which are real numbers, are ordered.
struct KeyOrder {
  ElementType type;
  bool is_descending;
  bool is_total; // of floats: otherwise -0 equals +0, and NaNs are equal and come last, also of a descending key
};

// A key of a row: its first element, and the bytes from one element to the next.
struct KeyRow {
  KeyOrder order;
  const unsigned char *first;
  ptrdiff_t stride;
};

// The bytes of memory that finding the order of a row of `size` elements takes.
constexpr size_t row_order_bytes(size_t size) { return 40 * size + 256; }

// Writes the positions of the first `kept` elements of a row in stable order: by the first key, of equal ones by the next
// key, and so on. There is at least one key. `order` has room for `size` numbers, `memory` for `row_order_bytes`, and is
// aligned to 8 bytes; `size` is below 2^31.
void find_row_order(const KeyRow *keys, size_t key_count, size_t size, size_t kept, uint32_t *order, unsigned char *memory);

// Counts, for each of `count` keys, the lesser keys, by comparing all with all. Both arrays have room for a multiple of
// `rank_block` numbers.
constexpr size_t rank_block = 16;
HLOKIT_DECLARE_VARIANTS(void ranks_of(const int32_t *keys, size_t count, int32_t *ranks))
HLOKIT_DECLARE_VARIANTS(void wide_ranks_of(const int64_t *keys, size_t count, int64_t *ranks))

} // namespace hlokit::regions
