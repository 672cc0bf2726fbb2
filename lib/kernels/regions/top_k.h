// The positions of the greatest elements of rows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hlokit::regions {

// How bits are ordered: as integers, or as floats in total order.
enum class Order : uint8_t { is_unsigned, is_signed, is_float };

// positions[row] = the positions of the `k` greatest of `size` elements, the greatest first, and of equal elements the
// first element first. `k` is at most `size`; elements have 1, 2, 4 or 8 bytes.
void top_k(Order order, size_t item_size, const unsigned char *operand, size_t rows, size_t size, size_t k,
           int64_t *positions, size_t threads);

} // namespace hlokit::regions
