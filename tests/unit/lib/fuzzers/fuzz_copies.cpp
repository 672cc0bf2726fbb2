// Random copies of lib/kernels/copies.h, in memory of exactly the required size. Fails if the sanitizers find an error,
// or if a copy differs from that of a loop over all elements.
//
//   fuzz_copies ROUNDS SEED
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "kernels/copies.h"

namespace {

std::mt19937_64 engine;

size_t below(size_t limit) { return static_cast<size_t>(engine() % limit); }

bool run() {
  const size_t size = size_t(1) << below(4), rank = below(5);
  std::vector<size_t> shape(rank), order(rank);
  size_t count = 1;
  for (size_t i = 0; i < rank; ++i) {
    order[i] = i;
    shape[i] = below(20) ? 1 + below(below(3) ? 6 : 90) : 0;
    shape[i] = count * shape[i] > 100000 ? 1 : shape[i];
    count *= shape[i];
  }
  std::shuffle(order.begin(), order.end(), engine);
  // Dimensions in some order, some of which repeat, go backwards, or leave elements out.
  std::vector<ptrdiff_t> strides(rank);
  ptrdiff_t next = static_cast<ptrdiff_t>(size), first = 0, last = 0;
  for (size_t i : order) {
    if (shape[i] == 0 || below(10) == 0)
      continue;
    const ptrdiff_t step = next * static_cast<ptrdiff_t>(below(5) ? 1 : 1 + below(3));
    const ptrdiff_t reach = step * static_cast<ptrdiff_t>(shape[i] - 1);
    const bool is_backwards = below(4) == 0;
    strides[i] = is_backwards ? -step : step;
    (is_backwards ? first : last) += is_backwards ? -reach : reach;
    next = step * static_cast<ptrdiff_t>(shape[i]);
  }
  const auto bytes = static_cast<size_t>(last - first) + size;
  // The result is a part of a larger array, whose neighbours in memory are neighbours in the part.
  std::vector<ptrdiff_t> written(rank);
  size_t room = size, neighbours = 1;
  for (size_t i = rank; i-- > 0;) {
    written[i] = static_cast<ptrdiff_t>(room);
    neighbours *= shape[i];
    room *= shape[i] + (neighbours == 1 ? 0 : below(3));
  }
  size_t reached = size;
  for (size_t i = 0; i < rank; ++i)
    reached += count == 0 ? 0 : (shape[i] - 1) * static_cast<size_t>(written[i]);
  std::unique_ptr<unsigned char[]> from(new unsigned char[bytes]), to(new unsigned char[reached]());
  for (size_t i = 0; i < bytes; ++i)
    from[i] = static_cast<unsigned char>(below(256));
  if (!hlokit::copies::copy({to.get(), written}, {from.get() - first, strides}, shape, size, 1 + below(3)))
    return false;
  for (size_t n = 0; n < count; ++n) {
    ptrdiff_t offset = -first, place = 0;
    for (size_t i = rank, rest = n; i-- > 0; rest /= shape[i]) {
      offset += static_cast<ptrdiff_t>(rest % shape[i]) * strides[i];
      place += static_cast<ptrdiff_t>(rest % shape[i]) * written[i];
    }
    if (std::memcmp(to.get() + place, from.get() + offset, size) != 0)
      return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  engine.seed(static_cast<uint64_t>(std::atol(argv[2])));
  for (long i = 0; i < std::atol(argv[1]); ++i)
    if (!run()) {
      std::fprintf(stderr, "an element is not where it belongs\n");
      return 1;
    }
  return 0;
}
