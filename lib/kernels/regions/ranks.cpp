// The ranks of keys, compiled once for each level of processor.
#include "kernels/regions/row_order.h"

namespace hlokit::regions {
namespace {

// Ranks of a block of keys are in registers while all keys pass.
template <class T> void find_ranks(const T *keys, size_t count, T *ranks) {
  constexpr size_t block = rank_block;
  for (size_t start = 0; start < count; start += block) {
    T own[block], before[block] = {};
    for (size_t i = 0; i < block; ++i)
      own[i] = keys[start + i];
    for (size_t j = 0; j < count; ++j) {
      const T key = keys[j];
      for (size_t i = 0; i < block; ++i)
        before[i] += key < own[i];
    }
    for (size_t i = 0; i < block; ++i)
      ranks[start + i] = before[i];
  }
}

} // namespace

namespace HLOKIT_VARIANT {

void ranks_of(const int32_t *keys, size_t count, int32_t *ranks) { find_ranks(keys, count, ranks); }
void wide_ranks_of(const int64_t *keys, size_t count, int64_t *ranks) { find_ranks(keys, count, ranks); }

} // namespace HLOKIT_VARIANT
} // namespace hlokit::regions
