// Known bodies, rows and extrema of regions.h.
#include <algorithm>
#include <cstring>
#include <limits>

#include "regions.h"
#include "threads.h"

namespace hlokit::regions {

using vm::ProgramError;

namespace {

// Elements that a thread is worth, some tens of microseconds.
constexpr size_t least_part = 1 << 16;

const Combinations &combinations() {
  static const Combinations chosen = [] {
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
    if (__builtin_cpu_supports("avx2") && avx2_combinations().count)
      return avx2_combinations();
#endif
    return baseline_combinations();
  }();
  return chosen;
}

} // namespace

const Combination *find_combination(std::string_view name, vm::Type type) {
  const Combinations &all = combinations();
  for (const Combination *each = all.begin; each != all.begin + all.count; ++each)
    if (each->type == type && name == each->name)
      return each;
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

// What is reduced at a time.
constexpr size_t most_columns = 1024, most_values = 1 << 16;
// What is added up at a time where that rounds: 16 values one after the other (neighbours in 64 lanes), then
// pairs of sums.
constexpr size_t run_of_neighbours = 1024, run_of_rows = 16, run_of_sums = 2;

size_t parts_of(size_t size, size_t part) { return (size + part - 1) / part; }

} // namespace

void reduce(const Combination &combination, const Shape &shape, const unsigned char *operand,
            const unsigned char *init, unsigned char *result, size_t threads) {
  if (shape.size == 0)
    throw ProgramError("there must be values to reduce");
  if (shape.outer == 0 || shape.inner == 0)
    return;
  // Runs of rows, each of which gives partial results [outer, runs, inner].
  const size_t columns = std::min(shape.inner, most_columns);
  const size_t plain_run = std::max<size_t>(most_values / columns, 32);
  const size_t first_run = combination.rounds ? shape.inner == 1 ? run_of_neighbours : run_of_rows : plain_run;
  size_t run = std::min(shape.size, first_run), runs = parts_of(shape.size, run);
  const size_t partial = combination.partial_size;
  Bytes partials(new unsigned char[shape.outer * runs * shape.inner * partial]);
  const size_t column_parts = parts_of(shape.inner, columns);
  const size_t tasks = shape.outer * runs * column_parts, task = run * columns;
  const size_t size = shape.outer * shape.size * shape.inner;
  const size_t grain = std::max<size_t>(least_part / 2 / task, 1);

  in_parallel(parts_of(tasks, grain), size / least_part < 2 ? 1 : threads, [&](size_t part) {
    for (size_t i = part * grain; i < std::min(tasks, (part + 1) * grain);) {
      const size_t column = i % column_parts * columns, number = i / column_parts;
      const size_t outer = number / runs, first = number % runs * run;
      Slab slab{1, 0, std::min(run, shape.size - first), shape.inner, std::min(columns, shape.inner - column)};
      // Whole slices follow each other.
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

  // Partial results of one slice follow each other: they are reduced in their place.
  while (runs > 1) {
    run = std::min(runs, combination.rounds ? run_of_sums : plain_run);
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

// Gather ------------------------------------------------------------------------------------------------

namespace {

template <size_t row>
void copy_rows(unsigned char *to, const unsigned char *from, const int64_t *places, size_t count, size_t) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * row, from + static_cast<size_t>(places[i]) * row, row);
}

// Rows of 16 bytes and more: sixteen at a time, the last ones perhaps twice.
void copy_long_rows(unsigned char *to, const unsigned char *from, const int64_t *places, size_t count,
                    size_t row) {
  for (size_t i = 0; i < count; ++i, to += row) {
    const unsigned char *source = from + static_cast<size_t>(places[i]) * row;
    if (row > 256) {
      std::memcpy(to, source, row);
      continue;
    }
    for (size_t j = 0; j + 16 < row; j += 16)
      std::memcpy(to + j, source + j, 16);
    std::memcpy(to + row - 16, source + row - 16, 16);
  }
}

void copy_any_rows(unsigned char *to, const unsigned char *from, const int64_t *places, size_t count,
                   size_t row) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * row, from + static_cast<size_t>(places[i]) * row, row);
}

} // namespace

void gather(const unsigned char *operand, const IndexVectors &indices, size_t row, unsigned char *result,
            size_t threads) {
  if (row == 0 || indices.count == 0)
    return;
  for (const IndexVectors::Component &component : indices.components)
    if (component.extent == 0)
      throw ProgramError("there must be rows to gather");
  const auto copy = row == 1    ? copy_rows<1>
                    : row == 2  ? copy_rows<2>
                    : row == 4  ? copy_rows<4>
                    : row == 8  ? copy_rows<8>
                    : row >= 16 ? copy_long_rows
                                : copy_any_rows;
  constexpr size_t most = 512;
  const size_t bytes = indices.count * row;
  in_parallel(parts_of(indices.count, most), bytes < 8 * least_part ? 1 : threads, [&](size_t part) {
    int64_t places[most];
    const size_t start = part * most, count = std::min(most, indices.count - start);
    indices.clamped_places(start, count, places);
    copy(result + start * row, operand, places, count, row);
  });
}

// The greatest ------------------------------------------------------------------------------------------

namespace {

// Integers in the order of the elements.
template <class T, bool is_float> inline T key_of(const unsigned char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  if constexpr (is_float) {
    constexpr int shift = 8 * sizeof(T) - 1;
    constexpr T magnitude = static_cast<T>(~(T(1) << shift));
    value = static_cast<T>(value ^ ((value >> shift) & magnitude));
  }
  return value;
}

template <class T> struct Candidate {
  T key;
  int64_t position;
  bool operator<(const Candidate &other) const {
    return key > other.key || (key == other.key && position < other.position);
  }
};

constexpr size_t few = 64;

constexpr size_t block = 64; // elements that are looked at together

// Of a row of whole blocks: what at least `k` elements reach, the k-th greatest of the maxima of its columns in
// rows of one block.
template <class T, bool is_float> T least_of_top(const unsigned char *from, size_t size, size_t k) {
  T maxima[block];
  for (size_t i = 0; i < block; ++i)
    maxima[i] = key_of<T, is_float>(from + i * sizeof(T));
  for (size_t start = block; start + block <= size; start += block)
    for (size_t i = 0; i < block; ++i) {
      const T key = key_of<T, is_float>(from + (start + i) * sizeof(T));
      maxima[i] = maxima[i] < key ? key : maxima[i];
    }
  std::nth_element(maxima, maxima + (k - 1), maxima + block, [](T one, T other) { return one > other; });
  return maxima[k - 1];
}

// Calls take(key, position) for the elements that are `least` or greater, in order. It gives what is the least
// from then on, and whether there is any.
template <class T, bool is_float, class Take>
void for_each_from(const unsigned char *from, size_t size, T least, const Take &take) {
  for (size_t start = 0; start < size; start += block) {
    const size_t count = std::min(block, size - start);
    const unsigned char *elements = from + start * sizeof(T);
    unsigned char reaches[block] = {};
    if (count == block)
      for (size_t i = 0; i < block; ++i)
        reaches[i] = key_of<T, is_float>(elements + i * sizeof(T)) >= least;
    else
      for (size_t i = 0; i < count; ++i)
        reaches[i] = key_of<T, is_float>(elements + i * sizeof(T)) >= least;
    for (size_t word = 0; word < count; word += 8) {
      uint64_t some;
      std::memcpy(&some, reaches + word, 8);
      if (some == 0)
        continue;
      for (size_t i = word; i < word + 8; ++i) {
        if (!reaches[i])
          continue;
        const T key = key_of<T, is_float>(elements + i * sizeof(T));
        if (key >= least && !take(key, start + i, least))
          return;
      }
    }
  }
}

// A few, kept in order. Candidates come in order: of those that equal the least of k, the later ones are none.
static_assert(few <= block, "each of them may be the greatest of a column");
template <class T, bool is_float>
void few_of_row(const unsigned char *from, size_t size, size_t k, int64_t *positions) {
  T keys[few];
  size_t found = 0;
  const T least = size >= 4 * block ? least_of_top<T, is_float>(from, size, k) : std::numeric_limits<T>::min();
  for_each_from<T, is_float>(from, size, least, [&](T key, size_t position, T &least_now) {
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

// Many: candidates are gathered, and thinned out where there is no room for more.
template <class T, bool is_float>
void top_of_row(const unsigned char *from, size_t size, size_t k, int64_t *positions,
                std::vector<Candidate<T>> &candidates) {
  const size_t most = candidates.capacity();
  candidates.clear();
  for_each_from<T, is_float>(
      from, size, std::numeric_limits<T>::min(), [&](T key, size_t position, T &least_now) {
        candidates.push_back({key, static_cast<int64_t>(position)});
        if (candidates.size() != k && candidates.size() != most)
          return true;
        std::nth_element(candidates.begin(), candidates.begin() + static_cast<ptrdiff_t>(k - 1),
                         candidates.end());
        candidates.resize(k);
        const T least = candidates[k - 1].key;
        if (least == std::numeric_limits<T>::max())
          return false;
        least_now = static_cast<T>(least + 1);
        return true;
      });
  std::sort(candidates.begin(), candidates.end());
  for (size_t i = 0; i < k; ++i)
    positions[i] = candidates[i].position;
}

template <class T, bool is_float>
void top_of_rows(const unsigned char *operand, size_t rows, size_t size, size_t k, int64_t *positions,
                 size_t threads) {
  const size_t workers = std::clamp<size_t>(rows * size / least_part, 1, std::min(rows, threads));
  // All memory is had before threads run.
  std::vector<std::vector<Candidate<T>>> candidates(workers);
  if (k > few)
    for (auto &each : candidates)
      each.reserve(2 * k + block);
  in_parallel(workers, workers, [&](size_t worker) {
    for (size_t row = worker; row < rows; row += workers) {
      const unsigned char *from = operand + row * size * sizeof(T);
      if (k <= few)
        few_of_row<T, is_float>(from, size, k, positions + row * k);
      else
        top_of_row<T, is_float>(from, size, k, positions + row * k, candidates[worker]);
    }
  });
}

template <class Signed, class Unsigned>
void top_of(Order order, const unsigned char *operand, size_t rows, size_t size, size_t k, int64_t *positions,
            size_t threads) {
  switch (order) {
  case Order::is_unsigned:
    return top_of_rows<Unsigned, false>(operand, rows, size, k, positions, threads);
  case Order::is_signed:
    return top_of_rows<Signed, false>(operand, rows, size, k, positions, threads);
  case Order::is_float:
    return top_of_rows<Signed, true>(operand, rows, size, k, positions, threads);
  }
}

} // namespace

void top(Order order, size_t item_size, const unsigned char *operand, size_t rows, size_t size, size_t k,
         int64_t *positions, size_t threads) {
  if (k > size)
    throw ProgramError("there must be as many elements as are asked for");
  if (k == 0 || rows == 0)
    return;
  threads = std::max<size_t>(threads, 1);
  switch (item_size) {
  case 1:
    return top_of<int8_t, uint8_t>(order, operand, rows, size, k, positions, threads);
  case 2:
    return top_of<int16_t, uint16_t>(order, operand, rows, size, k, positions, threads);
  case 4:
    return top_of<int32_t, uint32_t>(order, operand, rows, size, k, positions, threads);
  case 8:
    return top_of<int64_t, uint64_t>(order, operand, rows, size, k, positions, threads);
  default:
    throw ProgramError("elements must have 1, 2, 4 or 8 bytes");
  }
}

} // namespace hlokit::regions
