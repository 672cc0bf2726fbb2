#include "kernels/regions/row_order.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "kernels/regions/top_k.h"

namespace hlokit::regions {
namespace {

// Up to this many elements are inserted one by one, also those among more that are wanted; up to this many are all compared,
// and more are sorted by their digits.
constexpr size_t few_keys = 12, some_keys = 128;
constexpr int digit_bits = 8;
constexpr size_t digit_values = size_t(1) << digit_bits;

template <class T> struct Keyed {
  T key;
  uint32_t element;
};

// Sorts the first `kept` elements, at most `few_keys`.
template <class T> void insert_first(const T *keys, size_t size, size_t kept, uint32_t *order) {
  Keyed<T> sorted[few_keys];
  size_t count = 0;
  for (size_t i = 0; i < size; ++i) {
    const Keyed<T> next{keys[i], order[i]};
    if (count == kept && !(next.key < sorted[kept - 1].key))
      continue;
    size_t at = count < kept ? count++ : kept - 1;
    for (; at > 0 && sorted[at - 1].key > next.key; --at)
      sorted[at] = sorted[at - 1];
    sorted[at] = next;
  }
  for (size_t i = 0; i < count; ++i)
    order[i] = sorted[i].element;
}

template <class T> void compare_all(const T *keys, size_t size, uint32_t *order) {
  uint32_t before[some_keys];
  T ranks[some_keys + rank_block];
  uint8_t equal[some_keys] = {}; // the number of elements so far that have each rank
  std::copy(order, order + size, before);
  key_kernels<T>().ranks(keys, size, ranks);
  for (size_t i = 0; i < size; ++i) {
    const auto rank = static_cast<size_t>(ranks[i]);
    order[rank + equal[rank]++] = before[i];
  }
}

// Sorts by each digit, from the last one to the first one, and skips digits that all elements share.
template <class T> void sort_by_digits(const T *keys, size_t size, uint32_t *order, Keyed<T> *from, Keyed<T> *to) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr size_t digits = sizeof(T);
  constexpr Unsigned sign = Unsigned(1) << (8 * sizeof(T) - 1);
  auto digit_of = [](T key, size_t digit) {
    return static_cast<size_t>((static_cast<Unsigned>(key) ^ sign) >> (digit * digit_bits) & (digit_values - 1));
  };
  uint32_t counts[digits][digit_values] = {};
  for (size_t i = 0; i < size; ++i) {
    from[i] = {keys[i], order[i]};
    for (size_t digit = 0; digit < digits; ++digit)
      ++counts[digit][digit_of(keys[i], digit)];
  }
  for (size_t digit = 0; digit < digits; ++digit) {
    uint32_t *places = counts[digit];
    if (places[digit_of(from[0].key, digit)] == size)
      continue;
    uint32_t place = 0;
    for (size_t value = 0; value < digit_values; ++value) {
      const uint32_t count = places[value];
      places[value] = place;
      place += count;
    }
    for (size_t i = 0; i < size; ++i)
      to[places[digit_of(from[i].key, digit)]++] = from[i];
    std::swap(from, to);
  }
  for (size_t i = 0; i < size; ++i)
    order[i] = from[i].element;
}

// Sorts the elements of an order by one key, at least the first `kept`; elements with equal keys keep their order. Memory
// for `size` numbers of 8 bytes, twice the keys, and twice the candidates, are in a row.
template <class T>
void sort_by(const KeyRow &row, size_t size, size_t kept, bool is_first, uint32_t *order, unsigned char *memory) {
  T *keys = reinterpret_cast<T *>(memory);
  if (is_first) {
    key_kernels<T>().read(row, size, keys);
  } else { // in the order so far
    T *ordinals = reinterpret_cast<T *>(memory + 8 * size);
    key_kernels<T>().read(row, size, ordinals);
    for (size_t i = 0; i < size; ++i)
      keys[i] = ordinals[order[i]];
  }
  unsigned char *rest = memory + 8 * size;
  if (kept <= few_keys)
    return insert_first(keys, size, kept, order);
  if (size <= some_keys)
    return compare_all(keys, size, order);
  auto *candidates = reinterpret_cast<Keyed<T> *>(rest);
  sort_by_digits(keys, size, order, candidates, candidates + size);
}

static_assert(sizeof(Keyed<int64_t>) == 16);

} // namespace

template <> const KeyKernels<int32_t> &key_kernels() {
  static const KeyKernels<int32_t> best = HLOKIT_BEST_VARIANT(narrow_keys)();
  return best;
}
template <> const KeyKernels<int64_t> &key_kernels() {
  static const KeyKernels<int64_t> best = HLOKIT_BEST_VARIANT(wide_keys)();
  return best;
}

void find_row_order(const KeyRow *keys, size_t key_count, size_t size, size_t kept, uint32_t *order, unsigned char *memory) {
  if (key_count == 1 && is_selection(size, kept))
    return first_of_row(keys[0], size, kept, order, memory);
  std::iota(order, order + size, 0u);
  if (size < 2 || kept == 0)
    return;
  for (size_t i = key_count; i-- > 0;) {
    const bool is_first = i + 1 == key_count;
    const size_t sorted = i == 0 ? kept : size;
    if (size_of(keys[i].order.type) == 8)
      sort_by<int64_t>(keys[i], size, sorted, is_first, order, memory);
    else
      sort_by<int32_t>(keys[i], size, sorted, is_first, order, memory);
  }
}

} // namespace hlokit::regions
