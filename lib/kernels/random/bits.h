// Random bits of counters: the generators of stablehlo.rng_bit_generator, with the words, their order and the next state of
// XLA:CPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hlokit::random {

enum class Generator : uint8_t { threefry, philox };

// An array [before, size, after] of integers of 1, 2, 4 or 8 bytes. Threefry makes two words of a counter: they are neighbours
// along `size`, or the halves of an integer of 8 bytes. Philox makes four words, which are neighbours in row-major order.
struct BitArray {
  size_t before, size, after, item;
  size_t count() const { return before * size * after; }
};

// Whether a generator has states of this many words: the key, and a counter of 64 bits (of Philox also of 128 bits).
bool has_state(Generator generator, size_t words);

// Fills `to` with random integers, and `next` with the state that follows the last counter.
void random_bits(Generator generator, const uint64_t *state, size_t words, const BitArray &array, uint64_t *next, void *to,
                 size_t threads);

} // namespace hlokit::random
