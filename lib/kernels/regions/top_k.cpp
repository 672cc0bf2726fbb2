#include "kernels/regions/top_k.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/should_stop.h"
#include "support/threads.h"

namespace hlokit::regions {
namespace {

// Elements for which another thread pays: some tens of microseconds.
constexpr size_t least_rows_part = 1 << 16;

// Signed integers in the order of the elements.
template <class T, Order order> inline T key_of(const unsigned char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  constexpr int shift = 8 * sizeof(T) - 1;
  if constexpr (order == Order::is_float)
    value = static_cast<T>(value ^ ((value >> shift) & std::numeric_limits<T>::max()));
  else if constexpr (order == Order::is_unsigned)
    value = static_cast<T>(value ^ std::numeric_limits<T>::min());
  return value;
}

template <class T> struct Candidate {
  T key;
  int64_t position;
  bool operator<(const Candidate &other) const {
    return key > other.key || (key == other.key && position < other.position);
  }
};

// Up to this number, the greatest elements are kept in order.
constexpr size_t few = 64;
// Elements that are compared together.
constexpr size_t block = 64;

template <class T> T kth_greatest(T (&values)[block], size_t k) {
  std::nth_element(values, values + (k - 1), values + block, [](T one, T other) { return one > other; });
  return values[k - 1];
}

// A bound that at least `k` elements of a row reach. As a matrix of rows of one block, the row has a maximum in each
// column; the bound is the k-th greatest of these.
template <class T, Order order> T least_of_top(const unsigned char *from, size_t size, size_t k) {
  T maxima[block];
  for (size_t i = 0; i < block; ++i)
    maxima[i] = key_of<T, order>(from + i * sizeof(T));
  for (size_t start = block; start + block <= size; start += block)
    for (size_t i = 0; i < block; ++i) {
      const T key = key_of<T, order>(from + (start + i) * sizeof(T));
      maxima[i] = maxima[i] < key ? key : maxima[i];
    }
  return kth_greatest(maxima, k);
}

// Calls take(key, position, least) for the elements that are `least` or greater, in order. `take` may raise `least`, and
// returns whether to go on.
template <class T, Order order, class Take>
void for_each_from(const unsigned char *from, size_t size, T least, const Take &take) {
  for (size_t start = 0; start < size; start += block) {
    const size_t count = std::min(block, size - start);
    const unsigned char *elements = from + start * sizeof(T);
    unsigned char reaches[block] = {};
    if (count == block)
      for (size_t i = 0; i < block; ++i)
        reaches[i] = key_of<T, order>(elements + i * sizeof(T)) >= least;
    else
      for (size_t i = 0; i < count; ++i)
        reaches[i] = key_of<T, order>(elements + i * sizeof(T)) >= least;
    for (size_t word = 0; word < count; word += 8) {
      uint64_t some;
      std::memcpy(&some, reaches + word, 8);
      if (some == 0)
        continue;
      for (size_t i = word; i < word + 8; ++i) {
        if (!reaches[i])
          continue;
        const T key = key_of<T, order>(elements + i * sizeof(T));
        if (key >= least && !take(key, start + i, least))
          return;
      }
    }
  }
}

// Keeps a few candidates in order. They come in the order of the row, so a later candidate that equals the least of k is
// not among the greatest.
static_assert(few <= block, "each of the greatest may be the maximum of a column");
template <class T, Order order>
void few_of_row(const unsigned char *from, size_t size, size_t k, int64_t *positions) {
  T keys[few];
  size_t found = 0;
  const T least = size >= 4 * block ? least_of_top<T, order>(from, size, k) : std::numeric_limits<T>::min();
  for_each_from<T, order>(from, size, least, [&](T key, size_t position, T &least_now) {
    size_t at = found < k ? found++ : k - 1;
    for (; at > 0 && keys[at - 1] < key; --at) {
      keys[at] = keys[at - 1];
      positions[at] = positions[at - 1];
    }
    keys[at] = key;
    positions[at] = static_cast<int64_t>(position);
    if (found < k)
      return true;
    if (keys[k - 1] == std::numeric_limits<T>::max())
      return false;
    least_now = static_cast<T>(keys[k - 1] + 1);
    return true;
  });
}

// Returns the smallest remaining key.
template <class T> T keep_greatest(std::vector<Candidate<T>> &candidates, size_t k) {
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<ptrdiff_t>(k - 1), candidates.end());
  candidates.resize(k);
  return candidates[k - 1].key;
}

template <class T> void write_in_order(std::vector<Candidate<T>> &candidates, size_t k, int64_t *positions) {
  std::sort(candidates.begin(), candidates.end());
  for (size_t i = 0; i < k; ++i)
    positions[i] = candidates[i].position;
}

// Collects many candidates, and keeps the greatest `k` whenever there is no room for more.
template <class T, Order order>
void top_of_row(const unsigned char *from, size_t size, size_t k, int64_t *positions,
                std::vector<Candidate<T>> &candidates) {
  const size_t most = candidates.capacity();
  candidates.clear();
  for_each_from<T, order>(
      from, size, std::numeric_limits<T>::min(), [&](T key, size_t position, T &least_now) {
        candidates.push_back({key, static_cast<int64_t>(position)});
        if (candidates.size() != k && candidates.size() != most)
          return true;
        const T least = keep_greatest(candidates, k);
        if (least == std::numeric_limits<T>::max())
          return false;
        least_now = static_cast<T>(least + 1);
        return true;
      });
  write_in_order(candidates, k, positions);
}

template <class T, Order order>
void top_of_rows(const unsigned char *operand, size_t rows, size_t size, size_t k, int64_t *positions,
                 size_t threads) {
  const size_t workers = std::clamp<size_t>(rows * size / least_rows_part, 1, std::min(rows, threads));
  // All memory is allocated before threads run, since their work must not throw.
  std::vector<std::vector<Candidate<T>>> candidates(workers);
  if (k > few)
    for (auto &each : candidates)
      each.reserve(2 * k + block);
  in_parallel(workers, workers, [&](size_t worker) {
    for (size_t row = worker; row < rows && !should_stop(); row += workers) {
      const unsigned char *from = operand + row * size * sizeof(T);
      if (k <= few)
        few_of_row<T, order>(from, size, k, positions + row * k);
      else
        top_of_row<T, order>(from, size, k, positions + row * k, candidates[worker]);
    }
  });
}

template <class T>
void top_of(Order order, const unsigned char *operand, size_t rows, size_t size, size_t k, int64_t *positions,
            size_t threads) {
  switch (order) {
  case Order::is_unsigned:
    return top_of_rows<T, Order::is_unsigned>(operand, rows, size, k, positions, threads);
  case Order::is_signed:
    return top_of_rows<T, Order::is_signed>(operand, rows, size, k, positions, threads);
  case Order::is_float:
    return top_of_rows<T, Order::is_float>(operand, rows, size, k, positions, threads);
  }
}

} // namespace

void top_k(Order order, size_t item_size, const unsigned char *operand, size_t rows, size_t size, size_t k,
           int64_t *positions, size_t threads) {
  if (k > size)
    throw std::invalid_argument("there must be at least as many elements as positions, " + std::to_string(k) +
                                ", got " + std::to_string(size));
  if (k == 0 || rows == 0)
    return;
  threads = std::max<size_t>(threads, 1);
  switch (item_size) {
  case 1:
    return top_of<int8_t>(order, operand, rows, size, k, positions, threads);
  case 2:
    return top_of<int16_t>(order, operand, rows, size, k, positions, threads);
  case 4:
    return top_of<int32_t>(order, operand, rows, size, k, positions, threads);
  case 8:
    return top_of<int64_t>(order, operand, rows, size, k, positions, threads);
  default:
    throw std::invalid_argument("elements must have 1, 2, 4 or 8 bytes, got " + std::to_string(item_size));
  }
}

} // namespace hlokit::regions
