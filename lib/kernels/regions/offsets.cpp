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

} // namespace HLOKIT_VARIANT
} // namespace hlokit::regions
