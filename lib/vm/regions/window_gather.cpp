#include "vm/regions/window_gather.h"

#include <algorithm>
#include <cstring>

#include "support/by_size.h"
#include "support/threads.h"

namespace hlokit::regions {
namespace {

// The number of bytes that a thread copies at a time, and the number for which another thread pays.
constexpr size_t part_bytes = 1 << 16, least_bytes = 1 << 19;
constexpr size_t most_vectors = 512; // of a part

} // namespace

void WindowPlaces::offsets(size_t start, size_t number, int64_t *to) const {
  int64_t places[most_vectors];
  std::fill(to, to + number, 0);
  for (const Component &component : components) {
    component.indices.clamped_places(start, number, places);
    for (size_t i = 0; i < number; ++i)
      to[i] += places[i] * component.stride;
  }
  for (const Batch &batch : batches) {
    size_t index = start / batch.period % batch.extent, end = batch.period - start % batch.period;
    for (size_t i = 0; i < number; end += batch.period, index = index + 1 < batch.extent ? index + 1 : 0)
      for (; i < std::min(end, number); ++i)
        to[i] += static_cast<ptrdiff_t>(index) * batch.stride;
  }
}

void gather_windows(const WindowPlaces &places, const Windowed &windows, unsigned char *result, size_t threads) {
  const unsigned char *const first = windows.first;
  const vm::StridedCopy &copy = windows.copy;
  const size_t bytes = windows.bytes;
  if (bytes == 0 || places.count == 0)
    return;
  // Large windows are divided along their first dimension.
  const size_t lines = copy.rank ? copy.sizes[0] : 1, line = bytes / lines;
  const size_t together = std::clamp<size_t>(part_bytes / line, 1, lines), pieces = (lines + together - 1) / together;
  const size_t vectors = std::clamp<size_t>(part_bytes / bytes, 1, most_vectors);
  const size_t chunks = (places.count + vectors - 1) / vectors;
  in_parallel(chunks * pieces, places.count * bytes < least_bytes ? 1 : threads, [&](size_t part) {
    int64_t offsets[most_vectors];
    const size_t start = part / pieces * vectors, number = std::min(vectors, places.count - start);
    places.offsets(start, number, offsets);
    unsigned char *to = result + start * bytes;
    if (bytes == copy.item) { // one element
      by_size(bytes, [&](auto size) {
        for (size_t i = 0; i < number; ++i)
          std::memcpy(to + i * size, first + offsets[i], size);
      });
      return;
    }
    if (pieces == 1) {
      for (size_t i = 0; i < number; ++i, to += bytes)
        copy.copy(to, first + offsets[i]);
      return;
    }
    const size_t from = part % pieces * together;
    copy.copy_first(to + from * line, first + offsets[0] + static_cast<ptrdiff_t>(from) * copy.from[0],
                    std::min(together, lines - from));
  });
}

} // namespace hlokit::regions
