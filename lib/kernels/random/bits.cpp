#include "kernels/random/bits.h"

#include <algorithm>

#include "kernels/random/threefry.h"
#include "support/threads.h"

namespace hlokit::random {
namespace {

// Counters that are processed together, and those for which another thread pays.
constexpr size_t block = 256, least_part = size_t(1) << 14;

// Philox-4x32 with 10 rounds (Salmon et al. 2011).
struct PhiloxBlock {
  uint32_t a[block], b[block], c[block], d[block];

  void run(uint64_t key) {
    auto k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9, k1 += 0xBB67AE85)
      for (size_t i = 0; i < block; ++i) {
        const uint64_t p = uint64_t(0xD2511F53) * a[i], q = uint64_t(0xCD9E8D57) * c[i];
        a[i] = static_cast<uint32_t>(q >> 32) ^ b[i] ^ k0;
        b[i] = static_cast<uint32_t>(q);
        c[i] = static_cast<uint32_t>(p >> 32) ^ d[i] ^ k1;
        d[i] = static_cast<uint32_t>(p);
      }
  }
};

template <class T> T joined(uint32_t low, uint32_t high) { return static_cast<T>(low | static_cast<uint64_t>(high) << 32); }

// Fills a part of an array of T. `start`: the number of its first counter.
template <class T> class Filler {
public:
  Filler(const uint64_t *state, size_t words, const BitArray &array, void *to)
      : key_(state[0]), first_(state[1]), upper_(words == 3 ? state[2] : state[0]), array_(array), to_(static_cast<T *>(to)) {}

  void threefry(size_t start, size_t count) const {
    static const Threefry kernel = HLOKIT_BEST_VARIANT(threefry_2x32);
    const auto low_key = static_cast<uint32_t>(key_), high_key = static_cast<uint32_t>(key_ >> 32);
    const uint32_t schedule[] = {low_key, high_key, low_key ^ high_key ^ 0x1BD11BDA};
    uint32_t low[block], high[block], words[2][block];
    for (size_t i = 0; i < count; ++i) {
      const uint64_t counter = first_ + start + i;
      low[i] = static_cast<uint32_t>(counter) + low_key;
      high[i] = static_cast<uint32_t>(counter >> 32) + high_key;
    }
    kernel({{low, 1}, {high, 1}, {{schedule, 0}, {schedule + 1, 0}, {schedule + 2, 0}}}, words[0], words[1], count);
    if constexpr (sizeof(T) == 8)
      for (size_t i = 0; i < count; ++i)
        to_[start + i] = joined<T>(words[0][i], words[1][i]);
    else
      store_pairs(words[0], words[1], start, count);
  }

  void philox(size_t start, size_t count) const {
    constexpr size_t each = sizeof(T) == 8 ? 2 : 4;
    PhiloxBlock words;
    for (size_t i = 0; i < block; ++i) {
      const uint64_t counter = first_ + start + i, upper = upper_ + (counter < first_ ? 1 : 0);
      words.a[i] = static_cast<uint32_t>(counter), words.b[i] = static_cast<uint32_t>(counter >> 32);
      words.c[i] = static_cast<uint32_t>(upper), words.d[i] = static_cast<uint32_t>(upper >> 32);
    }
    words.run(key_);
    const size_t size = array_.count();
    for (size_t i = 0; i < count; ++i) {
      const uint32_t a = words.a[i], b = words.b[i], c = words.c[i], d = words.d[i];
      const T numbers[] = {sizeof(T) == 8 ? joined<T>(a, b) : static_cast<T>(a),
                           sizeof(T) == 8 ? joined<T>(c, d) : static_cast<T>(b), static_cast<T>(c), static_cast<T>(d)};
      const size_t at = (start + i) * each;
      std::copy(numbers, numbers + std::min(each, size - at), to_ + at);
    }
  }

private:
  void store_pairs(const uint32_t *low, const uint32_t *high, size_t start, size_t count) const {
    const size_t pairs = (array_.size + 1) / 2;
    size_t after = start % array_.after, pair = start / array_.after % pairs, before = start / array_.after / pairs;
    for (size_t i = 0; i < count; ++i) {
      const size_t at = (before * array_.size + 2 * pair) * array_.after + after;
      to_[at] = static_cast<T>(low[i]);
      if (2 * pair + 1 < array_.size)
        to_[at + array_.after] = static_cast<T>(high[i]);
      if (++after == array_.after) {
        after = 0;
        if (++pair == pairs) {
          pair = 0;
          ++before;
        }
      }
    }
  }

  const uint64_t key_, first_, upper_;
  const BitArray &array_;
  T *const to_;
};

template <class T>
void fill(Generator generator, const Filler<T> &filler, size_t counters, size_t threads) {
  const size_t parts = (counters + least_part - 1) / least_part;
  in_parallel(parts, threads, [&](size_t part) {
    const size_t end = std::min(counters, (part + 1) * least_part);
    for (size_t start = part * least_part; start < end; start += block)
      if (generator == Generator::threefry)
        filler.threefry(start, std::min(block, end - start));
      else
        filler.philox(start, std::min(block, end - start));
  });
}

size_t counters_of(Generator generator, const BitArray &array) {
  const size_t items = 16 / std::max<size_t>(array.item, 4); // of four words
  if (generator == Generator::philox)
    return (array.count() + items - 1) / items;
  return array.item == 8 ? array.count() : array.before * ((array.size + 1) / 2) * array.after;
}

} // namespace

bool has_state(Generator generator, size_t words) { return words == 2 || (generator == Generator::philox && words == 3); }

void random_bits(Generator generator, const uint64_t *state, size_t words, const BitArray &array, uint64_t *next, void *to,
                 size_t threads) {
  const size_t counters = counters_of(generator, array);
  const auto fill_as = [&](auto item) {
    fill(generator, Filler<decltype(item)>(state, words, array, to), counters, threads);
  };
  switch (array.item) {
  case 1:
    fill_as(uint8_t());
    break;
  case 2:
    fill_as(uint16_t());
    break;
  case 4:
    fill_as(uint32_t());
    break;
  default:
    fill_as(uint64_t());
  }
  next[0] = state[0];
  next[1] = state[1] + counters;
  if (words == 3)
    next[2] = state[2] + (next[1] < counters ? 1 : 0);
}

} // namespace hlokit::random
