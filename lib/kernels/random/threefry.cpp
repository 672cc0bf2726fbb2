// The kernels of threefry.h: see the rules in support/variants.h.
#include "kernels/random/threefry.h"

#include "support/compiler.h"

namespace hlokit::random {
namespace {

// `lanes` counters, side by side.
template <size_t lanes> struct Block {
  uint32_t low[lanes], high[lanes], key[3][lanes];

  static HLOKIT_INLINE void load(uint32_t *to, Words from, size_t start, size_t count) {
    for (size_t i = 0; i < lanes; ++i)
      to[i] = i < count ? from.words[(start + i) * from.step] : 0;
  }

  HLOKIT_INLINE void round(unsigned rotation) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < lanes; ++i) {
      low[i] += high[i];
      high[i] = (high[i] << rotation | high[i] >> (32 - rotation)) ^ low[i];
    }
  }

  HLOKIT_INLINE void add_key(uint32_t group) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < lanes; ++i) {
      low[i] += key[group % 3][i];
      high[i] += key[(group + 1) % 3][i] + group;
    }
  }

  HLOKIT_INLINE void even_group(uint32_t number) {
    round(13), round(15), round(26), round(6);
    add_key(number);
  }
  HLOKIT_INLINE void odd_group(uint32_t number) {
    round(17), round(29), round(16), round(24);
    add_key(number);
  }

  // Of which the first `count` are wanted.
  void run(const ThreefryInput &input, uint32_t *low_words, uint32_t *high_words, size_t start, size_t count) {
    load(low, input.low, start, count);
    load(high, input.high, start, count);
    for (size_t i = 0; i < 3; ++i)
      load(key[i], input.key[i], start, count);
    even_group(1), odd_group(2), even_group(3), odd_group(4), even_group(5);
    for (size_t i = 0; i < count; ++i) {
      low_words[start + i] = low[i];
      high_words[start + i] = high[i];
    }
  }
};

constexpr size_t lanes = 16, few = 2;

} // namespace

namespace HLOKIT_VARIANT {

void threefry_2x32(const ThreefryInput &input, uint32_t *low, uint32_t *high, size_t count) {
  size_t i = 0;
  if (count > few)
    for (Block<lanes> block; i < count; i += lanes)
      block.run(input, low, high, i, count - i < lanes ? count - i : lanes);
  for (Block<1> one; i < count; ++i)
    one.run(input, low, high, i, 1);
}

} // namespace HLOKIT_VARIANT
} // namespace hlokit::random
