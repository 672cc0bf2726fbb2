#include "kernels/nans/search.h"

#include <algorithm>
#include <atomic>

#include "support/threads.h"

namespace hlokit::nans {
namespace {

// Bytes that a thread searches at a time, and bytes for which another thread pays.
constexpr size_t part_bytes = 1 << 17, least_bytes = 1 << 20;

} // namespace

bool has_other_nan(const unsigned char *floats, size_t count, const Format &format, size_t threads) {
  static const auto search = HLOKIT_BEST_VARIANT(search);
  if (threads < 2 || count < least_bytes / format.size)
    return search(floats, count, format);
  const size_t part = part_bytes / format.size;
  std::atomic<bool> found{false};
  in_parallel((count + part - 1) / part, threads, [&](size_t index) {
    const size_t start = index * part;
    if (!found && search(floats + start * format.size, std::min(part, count - start), format))
      found = true;
  });
  return found;
}

void unify(unsigned char *floats, size_t count, const Format &format, size_t threads) {
  static const auto replace = HLOKIT_BEST_VARIANT(replace);
  if (threads < 2 || count < least_bytes / format.size)
    return replace(floats, count, format);
  const size_t part = part_bytes / format.size;
  in_parallel((count + part - 1) / part, threads, [&](size_t index) {
    const size_t start = index * part;
    replace(floats + start * format.size, std::min(part, count - start), format);
  });
}

} // namespace hlokit::nans
