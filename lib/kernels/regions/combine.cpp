#include "kernels/regions/combine.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "kernels/regions/combinations.h"
#include "support/threads.h"

namespace hlokit::regions {
namespace {

// Elements for which another thread pays: some tens of microseconds.
constexpr size_t least_part = 1 << 16;

// The combinations, with the kernels for this processor.
const std::vector<Combination> &combinations() {
  static const std::vector<Combination> chosen = [] {
    const UpdateTable all = updates();
    const Reducing *best = HLOKIT_BEST_VARIANT_TO_AVX2(reductions());
    std::vector<Combination> result;
    for (size_t i = 0; i < all.count; ++i)
      result.push_back({all.begin[i], best[i]});
    return result;
  }();
  return chosen;
}

} // namespace

const Combination *find_combination(std::string_view name, ElementType type) {
  for (const Combination &each : combinations())
    if (each.type == type && name == each.name)
      return &each;
  return nullptr;
}

void scatter(const Combination &combination, unsigned char *result, const unsigned char *updates,
             const IndexVectors &indices, size_t width) {
  if (width == 0)
    return;
  constexpr size_t most = 512;
  int64_t places[most];
  for (size_t start = 0; start < indices.count; start += most) {
    const size_t count = std::min(most, indices.count - start);
    indices.places(start, count, places);
    combination.scatter(result, places, updates + start * width * combination.size, count, width);
  }
}

// Reduce ------------------------------------------------------------------------------------------------

namespace {

// Columns and values that one call of a kernel reduces.
constexpr size_t most_columns = 1024, few_columns = 64, most_values = 1 << 16;
// Blocks of sums are added up in pairs.
constexpr size_t run_of_sums = 2;

size_t parts_of(size_t size, size_t part) { return (size + part - 1) / part; }

} // namespace

void reduce(const Combination &combination, const Shape &shape, const unsigned char *operand,
            const unsigned char *init, unsigned char *result, size_t threads) {
  if (shape.size == 0)
    throw std::invalid_argument("there must be values to reduce, got a dimension of size 0");
  if (shape.outer == 0 || shape.inner == 0)
    return;
  // Each run of rows has partial results of its own: [outer, runs, inner].
  size_t columns = std::min(shape.inner, most_columns);
  const size_t plain_run = std::max<size_t>(most_values / columns, 32);
  const size_t first_run = combination.is_sum ? sum_block : plain_run;
  size_t run = std::min(shape.size, first_run), runs = parts_of(shape.size, run);
  const size_t partial = combination.partial_size;
  using Bytes = std::unique_ptr<unsigned char[]>;
  Bytes partials(new unsigned char[shape.outer * runs * shape.inner * partial]);
  const size_t size = shape.outer * shape.size * shape.inner;
  if (size / least_part < 2)
    threads = 1;
  if (shape.outer * runs * parts_of(shape.inner, columns) < threads) // some columns for each thread
    columns = std::min(columns, parts_of(shape.inner, threads * few_columns) * few_columns);
  const size_t column_parts = parts_of(shape.inner, columns);
  const size_t tasks = shape.outer * runs * column_parts, task = run * columns;
  const size_t grain = std::max<size_t>(least_part / 2 / task, 1);

  in_parallel(parts_of(tasks, grain), threads, [&](size_t part) {
    for (size_t i = part * grain; i < std::min(tasks, (part + 1) * grain);) {
      const size_t column = i % column_parts * columns, number = i / column_parts;
      const size_t outer = number / runs, first = number % runs * run;
      Slab slab{1, 0, std::min(run, shape.size - first), shape.inner, std::min(columns, shape.inner - column)};
      // Several whole slices in one call.
      if (runs == 1 && column_parts == 1) {
        slab.outer = std::min(tasks, (part + 1) * grain) - i;
        slab.outer_stride = shape.size * shape.inner;
      }
      const size_t from = (outer * shape.size + first) * shape.inner + column;
      combination.reduce(partials.get() + (number * shape.inner + column) * partial,
                         operand + from * combination.size, slab);
      i += slab.outer;
    }
  });

  // The partial results of a slice are neighbours: reduce them in turn.
  while (runs > 1) {
    run = std::min(runs, combination.is_sum ? run_of_sums : plain_run);
    const size_t next = parts_of(runs, run);
    Bytes fewer(new unsigned char[shape.outer * next * shape.inner * partial]);
    for (size_t outer = 0; outer < shape.outer; ++outer)
      for (size_t i = 0; i < next; ++i) {
        const Slab slab{1, 0, std::min(run, runs - i * run), shape.inner, shape.inner};
        combination.reduce_partials(fewer.get() + (outer * next + i) * shape.inner * partial,
                                    partials.get() + (outer * runs + i * run) * shape.inner * partial, slab);
      }
    partials = std::move(fewer);
    runs = next;
  }
  combination.finish(result, partials.get(), init, shape.outer * shape.inner);
}

} // namespace hlokit::regions
