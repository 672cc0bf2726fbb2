#include "kernels/regions/top_k.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "support/should_stop.h"
#include "support/threads.h"

namespace hlokit::regions {
namespace {

// Elements for which another thread pays: some tens of microseconds.
constexpr size_t least_rows_part = 1 << 16;
// Up to this number, the first elements are kept in order. Each may be the minimum of a column.
constexpr size_t few = key_block;
// The size from which a bound is worth a pass over the row.
constexpr size_t long_row = 4 * key_block;

template <class T> struct Candidate {
  T key;
  int64_t position;
  bool operator<(const Candidate &other) const {
    return key < other.key || (key == other.key && position < other.position);
  }
};

// A bound that at least `kept` elements do not exceed: of the minima of columns, the one in this place.
template <class T> T bound_of_first(const KeyRow &row, size_t size, size_t kept) {
  T minima[key_block];
  key_kernels<T>().minima(row, size, minima);
  std::nth_element(minima, minima + (kept - 1), minima + key_block);
  return minima[kept - 1];
}

// Calls take(key, position, most) for the elements that are up to `most`, in order. `take` may lower `most`, and returns
// whether to go on.
template <class T, class Take> void for_each_up_to(const KeyRow &row, size_t size, T most, const Take &take) {
  T ordinals[key_block];
  const auto find_block = key_kernels<T>().block;
  for (size_t start = 0; (start = find_block(row, start, size, most, ordinals)) < size; start += key_block) {
    const size_t count = std::min(key_block, size - start);
    for (size_t i = 0; i < count; ++i)
      if (ordinals[i] <= most && !take(ordinals[i], start + i, most))
        return;
  }
}

// Keeps a few elements in order. They come in the order of the row, so a later element that equals the last of `kept` is not
// among the first.
template <class T, class Position> void few_of_row(const KeyRow &row, size_t size, size_t kept, Position *positions) {
  T keys[few];
  size_t count = 0;
  const T most = size >= long_row ? bound_of_first<T>(row, size, kept) : std::numeric_limits<T>::max();
  for_each_up_to<T>(row, size, most, [&](T key, size_t position, T &most_now) {
    size_t at = count < kept ? count++ : kept - 1;
    for (; at > 0 && keys[at - 1] > key; --at) {
      keys[at] = keys[at - 1];
      positions[at] = positions[at - 1];
    }
    keys[at] = key;
    positions[at] = static_cast<Position>(position);
    if (count < kept)
      return true;
    if (keys[kept - 1] == std::numeric_limits<T>::min())
      return false;
    most_now = static_cast<T>(keys[kept - 1] - 1);
    return true;
  });
}

// Collects many candidates, and keeps the first ones whenever there is no room for more.
template <class T, class Position>
void many_of_row(const KeyRow &row, size_t size, size_t kept, Position *positions, Candidate<T> *candidates) {
  const size_t room = 2 * kept + key_block;
  size_t count = 0;
  for_each_up_to<T>(row, size, std::numeric_limits<T>::max(), [&](T key, size_t position, T &most_now) {
    candidates[count++] = {key, static_cast<int64_t>(position)};
    if (count != kept && count != room)
      return true;
    std::nth_element(candidates, candidates + (kept - 1), candidates + count);
    count = kept;
    const T last = candidates[kept - 1].key;
    if (last == std::numeric_limits<T>::min())
      return false;
    most_now = static_cast<T>(last - 1);
    return true;
  });
  std::sort(candidates, candidates + count);
  for (size_t i = 0; i < kept; ++i)
    positions[i] = static_cast<Position>(candidates[i].position);
}

template <class T, class Position>
void first_of(const KeyRow &row, size_t size, size_t kept, Position *positions, unsigned char *memory) {
  static_assert(sizeof(Candidate<T>) == 16);
  if (kept <= few)
    few_of_row<T>(row, size, kept, positions);
  else
    many_of_row<T>(row, size, kept, positions, reinterpret_cast<Candidate<T> *>(memory));
}

} // namespace

template <class Position>
void first_of_row(const KeyRow &row, size_t size, size_t kept, Position *positions, unsigned char *memory) {
  if (size_of(row.order.type) == 8)
    first_of<int64_t>(row, size, kept, positions, memory);
  else
    first_of<int32_t>(row, size, kept, positions, memory);
}
template void first_of_row(const KeyRow &, size_t, size_t, uint32_t *, unsigned char *);
template void first_of_row(const KeyRow &, size_t, size_t, int64_t *, unsigned char *);

void top_k(const KeyOrder &order, const unsigned char *operand, size_t rows, size_t size, size_t k, int64_t *positions,
           size_t threads) {
  if (k > size)
    throw std::invalid_argument("there must be at least as many elements as positions, " + std::to_string(k) +
                                ", got " + std::to_string(size));
  if (k == 0 || rows == 0)
    return;
  const size_t item = size_of(order.type);
  const size_t workers = std::clamp<size_t>(rows * size / least_rows_part, 1, std::min(rows, std::max<size_t>(threads, 1)));
  // All memory is allocated before threads run, since their work must not throw.
  const size_t room = k > few ? first_of_row_bytes(k) / 8 : 0;
  std::unique_ptr<uint64_t[]> memory(new uint64_t[workers * room]);
  in_parallel(workers, workers, [&](size_t worker) {
    auto *own = reinterpret_cast<unsigned char *>(memory.get() + worker * room);
    for (size_t i = worker; i < rows && !should_stop(); i += workers)
      first_of_row(KeyRow{order, operand + i * size * item, static_cast<ptrdiff_t>(item)}, size, k, positions + i * k, own);
  });
}

} // namespace hlokit::regions
