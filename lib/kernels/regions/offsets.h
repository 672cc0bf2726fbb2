// Offsets of windows and rows from indices, compiled once for each level of processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "support/variants.h"

namespace hlokit::regions {

// The offset of an index that is outside. No other offset is that small.
constexpr int32_t outside = std::numeric_limits<int32_t>::min();

// An index from 0 to `limit` leads `step` bytes further for each one.
struct IndexRange {
  int32_t limit, step;
};

// offsets[i] = before[i] plus what index i contributes. `offsets` may be `before`.
using FindOffsets = void (*)(const int32_t *indices, size_t count, IndexRange range, const int32_t *before, int32_t *offsets);

// The best variant of one of the following functions.
FindOffsets offset_finder(bool clamps);

// Indices are clamped to the range.
HLOKIT_DECLARE_VARIANTS(void clamped_offsets(const int32_t *indices, size_t count, IndexRange range,
                                             const int32_t *before, int32_t *offsets))
// The offset of an index that is not in the range, and all that follow from it, are `outside`.
HLOKIT_DECLARE_VARIANTS(void checked_offsets(const int32_t *indices, size_t count, IndexRange range,
                                             const int32_t *before, int32_t *offsets))

} // namespace hlokit::regions
