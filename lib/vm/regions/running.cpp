#include "vm/regions/running.h"

#include <algorithm>
#include <cstring>

#include "support/should_stop.h"
#include "support/threads.h"

namespace hlokit::regions {
namespace {

// The number of columns that a thread takes at least, and the number of elements for which another thread pays.
constexpr size_t few_columns = 64, least_elements = 1 << 14;

} // namespace

void combine_running(vm::Sweep sweep, const Rows &rows, const unsigned char *operand, unsigned char *result, size_t threads) {
  if (rows.count == 0 || rows.width == 0)
    return;
  if (rows.count * rows.width < 2 * least_elements)
    threads = 1;
  const size_t wanted = (rows.width + threads - 1) / threads, columns = std::max(wanted, std::min(few_columns, rows.width));
  const size_t row = rows.width * rows.size;
  in_parallel((rows.width + columns - 1) / columns, threads, [&](size_t part) {
    const size_t first = part * columns, count = std::min(columns, rows.width - first);
    const unsigned char *from = operand + first * rows.size;
    unsigned char *to = result + first * rows.size;
    std::memcpy(to, from, count * rows.size);
    for (size_t i = 1; i < rows.count && !should_stop(); ++i, to += row)
      sweep(to + row, to, from + i * row, nullptr, count);
  });
}

} // namespace hlokit::regions
