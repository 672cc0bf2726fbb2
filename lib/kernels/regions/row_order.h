// The order of the elements of a row by their keys.
//
// Keys are read as ordinals: signed integers that are ordered like the elements, of 64 bits for elements of 64 bits, else of
// 32 bits.
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

// Elements that are searched together, and keys that are ranked together.
constexpr size_t key_block = 64, rank_block = 16;

template <class T> struct KeyKernels {
  // Writes the ordinals of the first `size` elements.
  void (*read)(const KeyRow &row, size_t size, T *ordinals);
  // Writes the least ordinal of each column of whole blocks: that of elements i, i + key_block, and so on.
  void (*minima)(const KeyRow &row, size_t size, T *minima);
  // The start of the first block from `start` on that has an ordinal up to `most`, of which it writes the ordinals; `size`
  // if there is none.
  size_t (*block)(const KeyRow &row, size_t start, size_t size, T most, T *ordinals);
  // Counts, for each of `count` keys, the lesser keys, by comparing all with all. Both arrays have room for a multiple of
  // `rank_block` numbers.
  void (*ranks)(const T *keys, size_t count, T *ranks);
};
HLOKIT_DECLARE_VARIANTS(KeyKernels<int32_t> narrow_keys(); KeyKernels<int64_t> wide_keys())

// The kernels of ordinals of 32 or 64 bits for this processor.
template <class T> const KeyKernels<T> &key_kernels();
template <> const KeyKernels<int32_t> &key_kernels();
template <> const KeyKernels<int64_t> &key_kernels();

} // namespace hlokit::regions
