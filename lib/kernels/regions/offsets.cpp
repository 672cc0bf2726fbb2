// The kernels of offsets.h: see the rules in support/variants.h.
#include "kernels/regions/offsets.h"

#include "support/compiler.h"

namespace hlokit::regions {
namespace {

HLOKIT_INLINE int32_t clamped(int32_t index, int32_t limit) {
  const int32_t least = index < limit ? index : limit;
  return least < 0 ? 0 : least;
}

// Wraps, since what follows from `outside` is of no use.
HLOKIT_INLINE int32_t further(int32_t before, int32_t place, int32_t step) {
  return static_cast<int32_t>(static_cast<uint32_t>(before) + static_cast<uint32_t>(place) * static_cast<uint32_t>(step));
}

} // namespace

namespace HLOKIT_VARIANT {

void clamped_offsets(const int32_t *indices, size_t count, IndexRange range, const int32_t *before, int32_t *offsets) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i)
    offsets[i] = further(before[i], clamped(indices[i], range.limit), range.step);
}

void checked_offsets(const int32_t *indices, size_t count, IndexRange range, const int32_t *before, int32_t *offsets) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i) {
    const int32_t index = indices[i], place = clamped(index, range.limit);
    const int32_t offset = further(before[i], place, range.step);
    offsets[i] = place == index && before[i] != outside ? offset : outside;
  }
}

void checked_places(const int32_t *HLOKIT_RESTRICT indices, size_t count, int64_t extent, int64_t *HLOKIT_RESTRICT places) {
  const uint32_t most = extent > std::numeric_limits<int32_t>::max() ? uint32_t(1) << 31 : static_cast<uint32_t>(extent);
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i)
    places[i] = static_cast<uint32_t>(indices[i]) < most ? indices[i] : -1;
}

void clamped_places(const int32_t *HLOKIT_RESTRICT indices, size_t count, int64_t extent, int64_t *HLOKIT_RESTRICT places) {
  constexpr int32_t largest = std::numeric_limits<int32_t>::max();
  const int32_t limit = extent > largest ? largest : static_cast<int32_t>(extent - 1);
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i)
    places[i] = clamped(indices[i], limit);
}

} // namespace HLOKIT_VARIANT
} // namespace hlokit::regions
