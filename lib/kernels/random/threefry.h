// Threefry-2x32 with 20 rounds, the generator of random bits that JAX uses, compiled once for each level of processor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/variants.h"

namespace hlokit::random {

// Words in a row; a step of 0 repeats the first one.
struct Words {
  const uint32_t *words;
  size_t step;
};

// The counters, to which the first two words of the key were added, and the three words of the key schedule.
struct ThreefryInput {
  Words low, high, key[3];
};

using Threefry = void (*)(const ThreefryInput &input, uint32_t *low, uint32_t *high, size_t count);

// The random words of `count` counters. The results lie apart from the input.
HLOKIT_DECLARE_VARIANTS(void threefry_2x32(const ThreefryInput &input, uint32_t *low, uint32_t *high, size_t count))

} // namespace hlokit::random
