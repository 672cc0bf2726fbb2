#include "kernels/regions/combine.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/regions/combinations.h"
#include "support/should_stop.h"
#include "support/threads.h"

namespace hlokit::regions {
namespace {

// Elements for which another thread pays: some tens of microseconds.
constexpr size_t least_part = 1 << 16;

// The combinations, with the kernels for this processor.
const std::vector<Combination> &combinations() {
  static const std::vector<Combination> chosen = [] {
    const UpdateTable all = HLOKIT_BEST_VARIANT_TO_AVX2(updates());
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
  for (size_t start = 0; start < indices.count && !should_stop(); start += most) {
    const size_t count = std::min(most, indices.count - start);
    indices.places(start, count, places);
    combination.scatter(result, places, updates + start * width * combination.size, count, width);
  }
}

// Reduce ------------------------------------------------------------------------------------------------

namespace {

// Columns and values that one call of a kernel reduces.
constexpr size_t most_columns = 1024, few_columns = 64, most_values = 1 << 16;

size_t parts_of(size_t size, size_t part) { return (size + part - 1) / part; }

} // namespace

unsigned char *combine_blocks(const Combination &combination, size_t outer, size_t blocks, size_t inner,
                              unsigned char *partials, unsigned char *spare) {
  const size_t width = inner * combination.partial_size;
  while (blocks > 1) {
    const size_t run = combination.is_sum ? 2 : blocks, whole = blocks / run, rest = blocks % run;
    for (size_t i = 0; i < outer; ++i) {
      const unsigned char *from = partials + i * blocks * width;
      unsigned char *to = spare + i * parts_of(blocks, run) * width;
      combination.reduce_partials(to, from, {whole, run * inner, run, inner, inner});
      if (rest)
        combination.reduce_partials(to + whole * width, from + whole * run * width, {1, 0, rest, inner, inner});
    }
    std::swap(partials, spare);
    blocks = parts_of(blocks, run);
  }
  return partials;
}

void reduce(const Combination &combination, const Shape &shape, const unsigned char *operand,
            const unsigned char *init, unsigned char *result, size_t threads) {
  if (shape.size == 0)
    throw std::invalid_argument("there must be values to reduce, got a dimension of size 0");
  if (shape.outer == 0 || shape.inner == 0)
    return;
  // Each run of rows has partial results of its own: [outer, runs, inner].
  size_t columns = std::min(shape.inner, most_columns);
  const size_t plain_run = std::max<size_t>(most_values / columns, 32);
  const size_t run = std::min(shape.size, combination.is_sum ? sum_block : plain_run), runs = parts_of(shape.size, run);
  const size_t partial = combination.partial_size;
  using Bytes = std::unique_ptr<unsigned char[]>;
  const Bytes partials(new unsigned char[shape.outer * runs * shape.inner * partial]);
  const Bytes spare(new unsigned char[runs > 1 ? shape.outer * parts_of(runs, 2) * shape.inner * partial : 0]);
  const size_t size = shape.outer * shape.size * shape.inner;
  if (size / least_part < 2)
    threads = 1;
  if (shape.outer * runs * parts_of(shape.inner, columns) < threads) // some columns for each thread
    columns = std::min(columns, parts_of(shape.inner, threads * few_columns) * few_columns);
  const size_t column_parts = parts_of(shape.inner, columns);
  const size_t tasks = shape.outer * runs * column_parts, task = run * columns;
  const size_t grain = std::max<size_t>(least_part / 2 / task, 1);

  in_parallel(parts_of(tasks, grain), threads, [&](size_t part) {
    for (size_t i = part * grain; i < std::min(tasks, (part + 1) * grain) && !should_stop();) {
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

  combination.finish(result, combine_blocks(combination, shape.outer, runs, shape.inner, partials.get(), spare.get()), init,
                     shape.outer * shape.inner);
}

void reduce_running(const Combination &combination, const Shape &shape, bool is_reverse, const unsigned char *operand,
                    const unsigned char *init, unsigned char *result, size_t threads) {
  const size_t size = shape.size, inner = shape.inner, slice = size * inner;
  if (shape.outer * slice == 0)
    return;
  if (shape.outer * slice / least_part < 2)
    threads = 1;
  const ptrdiff_t step = static_cast<ptrdiff_t>(inner) * (is_reverse ? -1 : 1);
  const size_t first = is_reverse ? slice - inner : 0;
  // Rows are the lines of one array; else each slice has lines of its own.
  const bool is_of_rows = inner == 1;
  const size_t lines = is_of_rows ? shape.outer : inner, between = is_of_rows ? size : 1;
  const size_t slices = is_of_rows ? 1 : shape.outer, unit = is_of_rows ? 8 : few_columns;
  const size_t wanted = std::max(parts_of(lines, threads), parts_of(least_part / 2, size));
  const size_t part = parts_of(wanted, unit) * unit, parts = parts_of(lines, part), tasks = slices * parts;
  const size_t grain = std::max<size_t>(least_part / 2 / (std::min(part, lines) * size), 1);
  in_parallel(parts_of(tasks, grain), threads, [&](size_t number) {
    for (size_t task = number * grain; task < std::min(tasks, (number + 1) * grain) && !should_stop(); ++task) {
      const size_t line = task % parts * part;
      const size_t at = (task / parts * slice + first + line * between) * combination.size;
      combination.run(result + at, operand + at, init, {std::min(part, lines - line), between, size, step});
    }
  });
}

} // namespace hlokit::regions
