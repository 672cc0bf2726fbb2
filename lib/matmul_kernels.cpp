// Products of matrices, a rectangle at a time.
//
// Tiles of the result stay in registers while some terms are added up (`Tile`). Operands are used as they lie
// where that is good enough, and else copied into the order in which tiles want them, which also converts them.
//
// This file is compiled several times, for different processors. Nothing here may therefore be shared between
// objects: all is internal, and nothing inline of the standard library is called.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>
#include <utility>

#include "matmul_kernels.h"

#ifndef HLOKIT_MATMUL_KERNELS
#define HLOKIT_MATMUL_KERNELS baseline_kernels
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define HLOKIT_INLINE __forceinline
#define HLOKIT_UNROLL
#define HLOKIT_LAMBDA
#define HLOKIT_PREFETCH(address, is_written)
#else
#define HLOKIT_INLINE inline __attribute__((always_inline))
#define HLOKIT_LAMBDA __attribute__((always_inline))
#define HLOKIT_PREFETCH(address, is_written) __builtin_prefetch(address, is_written)
#if defined(__clang__)
#define HLOKIT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HLOKIT_UNROLL _Pragma("GCC unroll 32")
#endif
#endif

namespace hlokit::matmul {
namespace {

template <class T> HLOKIT_INLINE T least(T a, T b) { return a < b ? a : b; }

// Vectors ---------------------------------------------------------------------------------------------

#if defined(__AVX512F__)
constexpr size_t vector_bytes = 64;
constexpr int tile_rows = 14, few_rows = 3, some_rows = 6;
#elif defined(__AVX2__)
constexpr size_t vector_bytes = 32;
constexpr int tile_rows = 6, few_rows = 1, some_rows = 3;
#else
constexpr size_t vector_bytes = 16;
constexpr int tile_rows = 6, few_rows = 1, some_rows = 3;
#endif

template <class T> constexpr size_t lanes = vector_bytes / sizeof(T);

#if defined(__GNUC__)
template <class T> struct VectorOf;
template <> struct VectorOf<float> { typedef float type __attribute__((vector_size(vector_bytes))); };
template <> struct VectorOf<double> { typedef double type __attribute__((vector_size(vector_bytes))); };
template <class T> using Vector = typename VectorOf<T>::type;

template <class T> HLOKIT_INLINE Vector<T> load(const T *from) {
  Vector<T> result;
  memcpy(&result, from, sizeof result);
  return result;
}
template <class T> HLOKIT_INLINE Vector<T> all(T value) { return value - Vector<T>{}; }
#else
template <class T> struct Vector {
  T values[lanes<T>];
  Vector &operator+=(const Vector &other) {
    for (size_t i = 0; i < lanes<T>; ++i)
      values[i] += other.values[i];
    return *this;
  }
  T operator[](size_t i) const { return values[i]; }
};
template <class T> Vector<T> operator*(Vector<T> a, const Vector<T> &b) {
  for (size_t i = 0; i < lanes<T>; ++i)
    a.values[i] *= b.values[i];
  return a;
}
template <class T> Vector<T> load(const T *from) {
  Vector<T> result;
  memcpy(&result, from, sizeof result);
  return result;
}
template <class T> Vector<T> all(T value) {
  Vector<T> result;
  for (size_t i = 0; i < lanes<T>; ++i)
    result.values[i] = value;
  return result;
}
#endif

template <class T> HLOKIT_INLINE void store(T *to, const Vector<T> &value) { memcpy(to, &value, sizeof value); }

// How many terms are added up one by one: so that with a tree above, no term of a block is rounded more often
// than in sums that are pairwise but for 8 interleaved sums of 16 terms.
HLOKIT_INLINE size_t run_terms(size_t terms) {
  return terms >= 128 ? 16 : terms > 16 ? (terms + 7) / 8 : 2;
}

// Sums wait in a tree until their partner is there: at most one of 1, 2, 4, ... runs.
constexpr int tree_height = 8;

// How many terms a block of a sum of `terms` has, so that all blocks have about as many. Two blocks have 256 at
// most: with up to 512 terms, a sum of two must not be rounded more often than one.
size_t terms_of_block(size_t terms) {
  const size_t most = terms <= block_terms || terms > 512 ? block_terms : 256;
  const size_t count = terms ? (terms + most - 1) / most : 1;
  return ((terms + count - 1) / count + 15) / 16 * 16;
}

// Tiles -----------------------------------------------------------------------------------------------

// `rows` x `vectors` sums of at most `block_terms` terms, written to `sums`.
template <class T> struct Tile {
  const T *a;
  ptrdiff_t a_row, a_term; // in elements
  const T *b;
  ptrdiff_t b_term;
  size_t terms, run; // and how many of them are added up one by one
  T *sums;
};

template <class T, int rows, int vectors> void compute_tile(const Tile<T> &tile) {
  constexpr size_t width = lanes<T>;
  alignas(64) T waiting[tree_height][rows * vectors * width];
  const T *b = tile.b;
  const ptrdiff_t a_row = tile.a_row, a_term = tile.a_term, b_term = tile.b_term;
  // A pointer for three rows: processors add distances of one and two rows by themselves.
  const T *a[(rows + 2) / 3];
  HLOKIT_UNROLL
  for (int i = 0; i < (rows + 2) / 3; ++i)
    a[i] = tile.a + 3 * i * a_row;
  const size_t run = tile.run;
  size_t number = 0;
  for (size_t left = tile.terms;; ++number) {
    Vector<T> sums[rows][vectors];
    HLOKIT_UNROLL
    for (int i = 0; i < rows; ++i)
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        sums[i][j] = all(T(0));
    const size_t count = least(run, left);
    left -= count;
    for (size_t term = count; term; --term) {
      Vector<T> columns[vectors];
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        columns[j] = load(b + j * width);
      HLOKIT_UNROLL
      for (int i = 0; i < rows; ++i) {
        const Vector<T> row = all(a[i / 3][(i % 3) * a_row]);
        HLOKIT_UNROLL
        for (int j = 0; j < vectors; ++j)
          sums[i][j] += row * columns[j];
      }
      HLOKIT_UNROLL
      for (int i = 0; i < (rows + 2) / 3; ++i)
        a[i] += a_term;
      b += b_term;
    }
    // As many sums wait as the number of runs has digits of 1; at the end they are all added up.
    size_t digits = number;
    int height = 0;
    for (; left ? digits & 1 : digits != 0; ++height, digits >>= 1) {
      if (!(digits & 1))
        continue;
      const T *other = waiting[height];
      HLOKIT_UNROLL
      for (int i = 0; i < rows; ++i)
        HLOKIT_UNROLL
        for (int j = 0; j < vectors; ++j)
          sums[i][j] += load(other + (i * vectors + j) * width);
    }
    T *to = left ? waiting[height] : tile.sums;
    HLOKIT_UNROLL
    for (int i = 0; i < rows; ++i)
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        store(to + (i * vectors + j) * width, sums[i][j]);
    if (!left)
      return;
  }
}

template <class T> using TileFunction = void (*)(const Tile<T> &);

// Tiles of 1, 2, ... rows; of one vector, two, and of many if there are few rows.
template <class T, int vectors, int... rows>
constexpr void fill(TileFunction<T> (&functions)[sizeof...(rows)], std::integer_sequence<int, rows...>) {
  ((functions[rows] = compute_tile<T, rows + 1, vectors>), ...);
}

template <class T> struct Tiles {
  TileFunction<T> one[tile_rows], two[tile_rows], four[some_rows], eight[few_rows];
  constexpr Tiles() : one{}, two{}, four{}, eight{} {
    fill<T, 1>(one, std::make_integer_sequence<int, tile_rows>());
    fill<T, 2>(two, std::make_integer_sequence<int, tile_rows>());
    fill<T, 4>(four, std::make_integer_sequence<int, some_rows>());
    fill<T, 8>(eight, std::make_integer_sequence<int, few_rows>());
  }
  TileFunction<T> get(size_t rows, size_t vectors) const {
    const TileFunction<T> *functions = vectors == 1 ? one : vectors == 2 ? two : vectors == 4 ? four : eight;
    return functions[rows - 1];
  }
};
template <class T> constexpr Tiles<T> tiles;

// Vectors of a tile's columns, if there are so many rows in all.
template <class T> size_t best_vectors(size_t rows) {
  return rows <= size_t(few_rows) ? 8 : rows <= size_t(some_rows) ? 4 : 2;
}

// Rows of a tile so that all tiles have about as many.
size_t best_rows(size_t rows) {
  const size_t count = (rows + tile_rows - 1) / tile_rows;
  return (rows + count - 1) / count;
}

// Rows at a time, at most so many, so that all parts have about as many and few tiles are incomplete.
size_t rows_at_a_time(size_t rows, size_t most) {
  const size_t count = (rows + most - 1) / most;
  return rows ? least(((rows + count - 1) / count + tile_rows - 1) / tile_rows * tile_rows, rows) : 1;
}

// Memory ----------------------------------------------------------------------------------------------

inline float float_of(uint32_t bits) {
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

struct Half {
  uint16_t bits;
  operator float() const {
    const uint32_t magnitude = bits & 0x7FFFu;
    // The exponent counts from elsewhere: exact, for subnormal numbers too.
    float value = float_of(magnitude << 13) * float_of(0x77800000);
    uint32_t result;
    memcpy(&result, &value, sizeof result);
    result = magnitude >= 0x7C00 ? 0x7F800000u | magnitude << 13 : result;
    return float_of(result | (bits & 0x8000u) << 16);
  }
};

struct BFloat {
  uint16_t bits;
  operator float() const { return float_of(uint32_t(bits) << 16); }
  static BFloat of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
    const uint32_t nan = ((bits >> 16) & 0x8000) | 0x7FC0;
    return {static_cast<uint16_t>((bits & 0x7FFFFFFF) > 0x7F800000 ? nan : rounded)};
  }
};

template <class T, class S> void read(T *to, const unsigned char *from, ptrdiff_t stride, size_t count) {
  if (stride == sizeof(S)) {
    const S *values = reinterpret_cast<const S *>(from);
    for (size_t i = 0; i < count; ++i)
      to[i] = static_cast<T>(values[i]);
    return;
  }
  for (size_t i = 0; i < count; ++i, from += stride)
    to[i] = static_cast<T>(*reinterpret_cast<const S *>(from));
}

// Numbers outside an integer's range are the caller's mistake, but must do no harm.
template <class D, class T> D converted(T value) {
  if constexpr (std::is_same_v<D, BFloat>) {
    return BFloat::of(static_cast<float>(value));
  } else if constexpr (std::is_integral_v<D>) {
    constexpr T limit = static_cast<T>(uint64_t(1) << (8 * sizeof(D) - 1));
    return value >= -limit && value < limit ? static_cast<D>(value) : D(0);
  } else {
    return static_cast<D>(value);
  }
}

template <class D, class T> void write(unsigned char *to, ptrdiff_t stride, const T *from, size_t count) {
  if (stride == sizeof(D)) {
    D *values = reinterpret_cast<D *>(to);
    for (size_t i = 0; i < count; ++i)
      values[i] = converted<D>(from[i]);
    return;
  }
  for (size_t i = 0; i < count; ++i, to += stride)
    *reinterpret_cast<D *>(to) = converted<D>(from[i]);
}

// The offsets of some consecutive indices, and how many of them from the first on lie evenly.
struct Places {
  ptrdiff_t *at;
  size_t count, run, first_run;
  ptrdiff_t stride; // within runs
  bool is_even() const { return first_run >= count; }
};

// Runs end where the innermost dimension does: the first one after `first_run` indices, others after `run`.
Places places(const Offsets &offsets, size_t first, size_t count, ptrdiff_t *memory) {
  if (!count)
    return {memory, 0, 1, 1, 0};
  const size_t inner = offsets.sizes[offsets.rank - 1];
  const ptrdiff_t stride = offsets.strides[offsets.rank - 1];
  const size_t within = first % inner;
  Places result{memory, count, inner, inner - within, stride};
  size_t index = first / inner;
  for (size_t done = 0; done < count; ++index) {
    ptrdiff_t offset = 0;
    size_t rest = index;
    for (size_t i = offsets.rank - 1; i-- > 0;) {
      const size_t size = offsets.sizes[i];
      if (i == 0) {
        offset += static_cast<ptrdiff_t>(rest) * offsets.strides[i];
      } else {
        offset += static_cast<ptrdiff_t>(rest % size) * offsets.strides[i];
        rest /= size;
      }
    }
    const size_t start = done ? 0 : within;
    const size_t end = least(inner, start + (count - done));
    for (size_t i = start; i < end; ++i)
      memory[done++] = offset + static_cast<ptrdiff_t>(i) * stride;
  }
  return result;
}

// Calls act(start, count) for each run.
template <class Act> HLOKIT_INLINE void each_run(const Places &places, size_t start, size_t end, Act act) {
  while (start < end) {
    const size_t next = start < places.first_run
                            ? places.first_run
                            : start + places.run - (start - places.first_run) % places.run;
    const size_t stop = least(next, end);
    act(start, stop - start);
    start = stop;
  }
}

// Copies ----------------------------------------------------------------------------------------------

template <class T> HLOKIT_INLINE void copy(T *to, const T *from, size_t count) {
  size_t i = 0;
  for (; i + lanes<T> <= count; i += lanes<T>)
    store(to + i, load(from + i));
  for (; i < count; ++i)
    to[i] = from[i];
}

// A square of `lanes` rows, which begin at `from`, to columns of rows that are `row` elements apart.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HLOKIT_SHUFFLES
#endif
#endif
#if defined(HLOKIT_SHUFFLES)
template <class T, bool upper, int... i>
HLOKIT_INLINE Vector<T> interleave(const Vector<T> &a, const Vector<T> &b, std::integer_sequence<int, i...>) {
  constexpr int half = lanes<T> / 2, count = lanes<T>;
  return __builtin_shufflevector(a, b, ((upper ? half : 0) + i / 2 + (i % 2 ? count : 0))...);
}

template <class T> HLOKIT_INLINE void turn(T *to, ptrdiff_t row, const T *const *from, size_t offset) {
  constexpr int count = lanes<T>;
  constexpr auto indices = std::make_integer_sequence<int, count>();
  Vector<T> rows[count], turned[count];
  HLOKIT_UNROLL
  for (int i = 0; i < count; ++i)
    rows[i] = load(from[i] + offset);
  // Each step sorts by one more bit of the column.
  HLOKIT_UNROLL
  for (int step = 1; step < count; step *= 2) {
    HLOKIT_UNROLL
    for (int i = 0; i < count / 2; ++i) {
      turned[2 * i] = interleave<T, false>(rows[i], rows[i + count / 2], indices);
      turned[2 * i + 1] = interleave<T, true>(rows[i], rows[i + count / 2], indices);
    }
    HLOKIT_UNROLL
    for (int i = 0; i < count; ++i)
      rows[i] = turned[i];
  }
  HLOKIT_UNROLL
  for (int i = 0; i < count; ++i)
    store(to + i * row, rows[i]);
}
#else
template <class T> void turn(T *to, ptrdiff_t row, const T *const *from, size_t offset) {
  for (size_t i = 0; i < lanes<T>; ++i)
    for (size_t j = 0; j < lanes<T>; ++j)
      to[static_cast<ptrdiff_t>(i) * row + static_cast<ptrdiff_t>(j)] = from[j][offset + i];
}
#endif

// One operand's part of a block, in places of memory.
template <class T> struct Source {
  const unsigned char *data;
  Read<T> read; // null for T itself
  size_t size;
  Read<T> plain; // reads T

  HLOKIT_INLINE void get(T *to, ptrdiff_t offset, ptrdiff_t stride, size_t count) const {
    if (!read && stride == ptrdiff_t(sizeof(T)))
      copy(to, reinterpret_cast<const T *>(data + offset), count);
    else
      (read ? read : plain)(to, data + offset, stride, count);
  }
};

// Columns `first` to `end` as [terms, width], with zeros behind the last one.
template <class T>
void pack_columns(T *to, const Source<T> &source, const Places &terms, const Places &columns, size_t first,
                  size_t end, size_t width, T *scratch) {
  const size_t count = terms.count;
  const ptrdiff_t item = static_cast<ptrdiff_t>(source.size);
  if (end - first < width)
    memset(to, 0, width * count * sizeof(T));
  if (terms.stride != item || columns.stride == item || terms.run == 1) {
    for (size_t k = 0; k < count; ++k)
      each_run(columns, first, end, [&](size_t start, size_t length) {
        source.get(to + k * width + (start - first), terms.at[k] + columns.at[start], columns.stride, length);
      });
    return;
  }
  for (size_t group = first; group < end; group += lanes<T>) {
    const T *lines[lanes<T>];
    for (size_t j = 0; j < lanes<T>; ++j) {
      T *line = scratch + j * block_terms;
      lines[j] = line;
      if (group + j >= end) {
        memset(line, 0, count * sizeof(T));
      } else if (!source.read && terms.is_even()) {
        lines[j] = reinterpret_cast<const T *>(source.data + columns.at[group + j] + terms.at[0]);
      } else {
        each_run(terms, 0, count, [&](size_t start, size_t length) {
          source.get(line + start, columns.at[group + j] + terms.at[start], item, length);
        });
      }
    }
    T *place = to + (group - first);
    size_t k = 0;
    for (; k + lanes<T> <= count; k += lanes<T>)
      turn(place + k * width, static_cast<ptrdiff_t>(width), lines, k);
    for (; k < count; ++k)
      for (size_t j = 0; j < lanes<T>; ++j)
        place[k * width + j] = lines[j][k];
  }
}

// Rows of `a` as tiles read them: a pointer to the first element and distances.
template <class T> struct Rows {
  const T *data;
  ptrdiff_t row, term;
};

// Rows that lie one behind the other need not be in one cache set.
constexpr size_t row_gap = vector_bytes;

template <class T>
Rows<T> pack_rows(T *to, const Source<T> &source, const Places &rows, const Places &terms) {
  const ptrdiff_t item = static_cast<ptrdiff_t>(source.size);
  if (terms.stride != item && rows.stride == item) {
    const size_t distance = rows.count + row_gap / sizeof(T);
    for (size_t k = 0; k < terms.count; ++k)
      each_run(rows, 0, rows.count, [&](size_t start, size_t length) {
        source.get(to + k * distance + start, terms.at[k] + rows.at[start], item, length);
      });
    return {to, 1, static_cast<ptrdiff_t>(distance)};
  }
  const size_t distance = terms.count + row_gap / sizeof(T);
  for (size_t i = 0; i < rows.count; ++i)
    each_run(terms, 0, terms.count, [&](size_t start, size_t length) {
      source.get(to + i * distance + start, rows.at[i] + terms.at[start], terms.stride, length);
    });
  return {to, static_cast<ptrdiff_t>(distance), 1};
}

// Sums of many terms ----------------------------------------------------------------------------------

// What keeps sums of sums: f64 for f32, pairs of f64 for f64.
template <class T> struct Sums;
template <> struct Sums<float> {
  static constexpr size_t size = 2; // in elements of the type
  static void begin(float *memory, float *values, size_t count) {
    double *sums = reinterpret_cast<double *>(memory);
    for (size_t i = 0; i < count; ++i)
      sums[i] = values[i];
  }
  static void add(float *memory, float *values, size_t count) {
    double *sums = reinterpret_cast<double *>(memory);
    for (size_t i = 0; i < count; ++i)
      sums[i] += values[i];
  }
  static void end(float *memory, float *values, size_t count) {
    const double *sums = reinterpret_cast<const double *>(memory);
    for (size_t i = 0; i < count; ++i)
      values[i] = static_cast<float>(sums[i] + values[i]);
  }
};
template <> struct Sums<double> {
  static constexpr size_t size = 2;
  static void begin(double *memory, double *values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      memory[i] = values[i];
      memory[count + i] = 0;
    }
  }
  static void add(double *memory, double *values, size_t count) {
    double *errors = memory + count;
    for (size_t i = 0; i < count; ++i) {
      const double a = memory[i], b = values[i], sum = a + b, part = sum - a;
      errors[i] += (a - (sum - part)) + (b - part);
      memory[i] = sum;
    }
  }
  static void end(double *memory, double *values, size_t count) {
    add(memory, values, count);
    for (size_t i = 0; i < count; ++i) {
      // Infinities have no errors.
      const double sum = memory[i], exact = sum + memory[count + i];
      values[i] = sum - sum == 0 ? exact : sum;
    }
  }
};

// Few rows by columns in one piece ------------------------------------------------------------------------

// Sums of products along memory: terms that are `lanes` apart are added up one by one, 16 of them, and the rest
// in trees.
constexpr int dot_run = 16, dot_tree_height = 48;

template <class T, int rows, int columns>
void compute_dots(const T *const *a, const T *const *b, size_t terms, T *sums, size_t sums_row) {
  constexpr size_t width = lanes<T>;
  alignas(64) T waiting[dot_tree_height][rows * columns * width];
  // What is left when the terms are cut into vectors, filled up with zeros.
  alignas(64) T rest[rows + columns][width];
  const size_t whole = terms / width * width;
  for (int i = 0; i < rows + columns; ++i)
    for (size_t lane = 0; lane < width; ++lane)
      rest[i][lane] = whole + lane < terms ? (i < rows ? a[i] : b[i - rows])[whole + lane] : T(0);
  for (size_t number = 0, start = 0;; ++number) {
    Vector<T> totals[rows][columns];
    HLOKIT_UNROLL
    for (int i = 0; i < rows; ++i)
      HLOKIT_UNROLL
      for (int j = 0; j < columns; ++j)
        totals[i][j] = all(T(0));
    const auto step = [&](const T *const *row, const T *const *column, size_t at) HLOKIT_LAMBDA {
      Vector<T> right[columns];
      HLOKIT_UNROLL
      for (int j = 0; j < columns; ++j)
        right[j] = load(column[j] + at);
      HLOKIT_UNROLL
      for (int i = 0; i < rows; ++i) {
        const Vector<T> left = load(row[i] + at);
        HLOKIT_UNROLL
        for (int j = 0; j < columns; ++j)
          totals[i][j] += left * right[j];
      }
    };
    const size_t stop = least(start + dot_run * width, whole);
    for (; start < stop; start += width)
      step(a, b, start);
    const bool is_last = start == whole;
    if (is_last) {
      const T *left[rows], *right[columns];
      for (int i = 0; i < rows; ++i)
        left[i] = rest[i];
      for (int j = 0; j < columns; ++j)
        right[j] = rest[rows + j];
      step(left, right, 0);
    }
    size_t digits = number;
    int height = 0;
    for (; is_last ? digits != 0 : digits & 1; ++height, digits >>= 1) {
      if (!(digits & 1))
        continue;
      HLOKIT_UNROLL
      for (int i = 0; i < rows; ++i)
        HLOKIT_UNROLL
        for (int j = 0; j < columns; ++j)
          totals[i][j] += load(waiting[height] + (i * columns + j) * width);
    }
    T *to = waiting[is_last ? 0 : height];
    HLOKIT_UNROLL
    for (int i = 0; i < rows; ++i)
      HLOKIT_UNROLL
      for (int j = 0; j < columns; ++j)
        store(to + (i * columns + j) * width, totals[i][j]);
    if (is_last)
      break;
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      T *values = waiting[0] + (i * columns + j) * width;
      for (size_t half = width / 2; half; half /= 2)
        for (size_t lane = 0; lane < half; ++lane)
          values[lane] += values[lane + half];
      sums[i * sums_row + j] = values[0];
    }
}

// Rectangles ------------------------------------------------------------------------------------------

constexpr size_t rounded_up(size_t value, size_t to) { return (value + to - 1) / to * to; }

template <class T> struct Layout {
  size_t rows, block, columns, terms; // at a time
  size_t a, b, scratch, tile, sums, offsets, bytes;

  explicit Layout(const Part<T> &part)
      : rows(rows_at_a_time(part.rows, most_rows)), block(rows_at_a_time(rows, block_rows)), columns(least(part.columns, block_columns)),
        terms(terms_of_block(part.terms)) {
    const size_t widest = 8 * lanes<T>, padded = rounded_up(columns, widest);
    size_t at = 0;
    const auto reserve = [&](size_t count, size_t size) {
      const size_t place = at;
      at = rounded_up(at + count * size, 64);
      return place;
    };
    const size_t gap = row_gap / sizeof(T);
    a = reserve((block + gap) * (terms + gap), sizeof(T));
    b = reserve(padded * terms, sizeof(T));
    scratch = reserve(lanes<T> * block_terms, sizeof(T));
    tile = reserve(tile_rows * widest, sizeof(T));
    sums = reserve(part.terms > terms ? Sums<T>::size * rows * padded : 0, sizeof(T));
    offsets = reserve(2 * (rows + columns + terms), sizeof(ptrdiff_t));
    bytes = at;
  }
};

template <class T> size_t workspace_bytes(const Part<T> &part) { return Layout<T>(part).bytes; }

// So many rows or less are multiplied along memory if columns lie in one piece.
constexpr size_t dot_rows = 6, dot_columns = 8;

template <class T> class Rectangle {
public:
  explicit Rectangle(const Part<T> &part) : part_(part), layout_(part), vectors_(best_vectors<T>(part.rows)) {
    unsigned char *memory = part.workspace;
    a_memory_ = reinterpret_cast<T *>(memory + layout_.a);
    b_memory_ = reinterpret_cast<T *>(memory + layout_.b);
    scratch_ = reinterpret_cast<T *>(memory + layout_.scratch);
    tile_ = reinterpret_cast<T *>(memory + layout_.tile);
    sums_ = reinterpret_cast<T *>(memory + layout_.sums);
    offsets_ = reinterpret_cast<ptrdiff_t *>(memory + layout_.offsets);
  }

  void compute() {
    if (part_.rows <= dot_rows && !part_.read_a && !part_.read_b && lies_by_terms(part_.a_terms) &&
        lies_by_terms(part_.b_terms) && !lies_by_terms(part_.b_columns)) {
      for (size_t column = 0; column < part_.columns; column += block_columns)
        compute_dots_of(column);
      return;
    }
    for (size_t column = 0; column < part_.columns; column += block_columns)
      for (size_t row = 0; row < part_.rows; row += layout_.rows)
        compute_rows(row, column);
  }

private:
  // Even, and in one piece.
  static bool lies_by_terms(const Offsets &offsets) {
    return offsets.rank == 1 && offsets.strides[0] == ptrdiff_t(sizeof(T));
  }

  void compute_dots_of(size_t first_column) {
    const size_t rows = part_.rows, columns = least(block_columns, part_.columns - first_column);
    ptrdiff_t *memory = offsets_;
    const auto locate = [&memory](const Offsets &offsets, size_t first, size_t count) {
      ptrdiff_t *at = memory;
      memory += count;
      return places(offsets, first, count, at);
    };
    const Places a_rows = locate(part_.a_rows, part_.first_row, rows);
    const Places c_rows = locate(part_.c_rows, part_.first_row, rows);
    const Places b_columns = locate(part_.b_columns, part_.first_column + first_column, columns);
    const Places c_columns = locate(part_.c_columns, part_.first_column + first_column, columns);
    const T *a[dot_rows];
    for (size_t i = 0; i < rows; ++i)
      a[i] = reinterpret_cast<const T *>(part_.a + a_rows.at[i]);
    for (size_t column = 0; column < columns; column += dot_columns) {
      const size_t valid = least(columns - column, dot_columns);
      const T *b[dot_columns];
      for (size_t j = 0; j < valid; ++j)
        b[j] = reinterpret_cast<const T *>(part_.b + b_columns.at[column + j]);
      for (size_t i = 0; i < rows;) {
        const size_t count = rows - i >= 2 ? 2 : 1;
        for (size_t j = 0; j < valid;) {
          T *to = tile_ + i * dot_columns + j;
          if (valid - j >= 4) {
            (count == 2 ? compute_dots<T, 2, 4> : compute_dots<T, 1, 4>)(a + i, b + j, part_.terms, to, dot_columns);
            j += 4;
          } else {
            (count == 2 ? compute_dots<T, 2, 1> : compute_dots<T, 1, 1>)(a + i, b + j, part_.terms, to, dot_columns);
            j += 1;
          }
        }
        i += count;
      }
      put(c_rows, 0, rows, c_columns, column, valid, dot_columns);
    }
  }

  void compute_rows(size_t first_row, size_t first_column) {
    const size_t rows = least(layout_.rows, part_.rows - first_row);
    const size_t columns = least(block_columns, part_.columns - first_column);
    ptrdiff_t *memory = offsets_;
    const auto locate = [&memory](const Offsets &offsets, size_t first, size_t count) {
      ptrdiff_t *at = memory;
      memory += count;
      return places(offsets, first, count, at);
    };
    const Places b_columns = locate(part_.b_columns, part_.first_column + first_column, columns);
    const Places c_columns = locate(part_.c_columns, part_.first_column + first_column, columns);
    ptrdiff_t *const rest = memory;
    // Sums of nothing are written, too.
    size_t term = 0;
    do {
      const size_t terms = least(layout_.terms, part_.terms - term);
      memory = rest;
      const Places a_terms = locate(part_.a_terms, term, terms);
      const Places b_terms = locate(part_.b_terms, term, terms);
      const Columns b = columns_of(b_terms, b_columns, rows);
      ptrdiff_t *const block = memory;
      T *sums = sums_;
      for (size_t row = 0; row < rows; row += layout_.block) {
        const size_t count = least(layout_.block, rows - row);
        memory = block;
        const Places a_rows = locate(part_.a_rows, part_.first_row + first_row + row, count);
        const Places c_rows = locate(part_.c_rows, part_.first_row + first_row + row, count);
        const Rows<T> a = rows_of(a_rows, a_terms, columns);
        sums = compute_tiles(a, b, c_rows, c_columns, term, terms, sums);
      }
      term += terms;
    } while (term < part_.terms);
  }

  // Columns of a panel: so many vectors.
  size_t panel_vectors(size_t left) const {
    size_t vectors = vectors_;
    while (vectors > 1 && left <= vectors / 2 * lanes<T>)
      vectors /= 2;
    return vectors;
  }

  // Columns as tiles read them: those that are complete as they lie, or all of them copied into panels.
  struct Columns {
    const T *data; // null if they are copied
    ptrdiff_t term;
  };

  Columns columns_of(const Places &terms, const Places &columns, size_t rows) const {
    const Source<T> source{part_.b, part_.read_b, part_.b_size, plain};
    const ptrdiff_t size = sizeof(T);
    const size_t count = terms.count, end = columns.count;
    const bool in_place = !part_.read_b && columns.is_even() && columns.stride == size;
    const bool is_direct =
        in_place && count && terms.is_even() && terms.stride % size == 0 && rows <= 2 * size_t(tile_rows);
    // Panels of the usual width, a row of all of them at a time: memory is read in its order.
    const size_t width = vectors_ * lanes<T>, whole = end / width * width, ahead = 4;
    if (in_place && !is_direct)
      for (size_t k = 0; k < count; ++k) {
        const T *from = reinterpret_cast<const T *>(part_.b + terms.at[k] + columns.at[0]);
        if (k + ahead < count)
          for (size_t line = 0; line < whole * sizeof(T); line += 64)
            HLOKIT_PREFETCH(part_.b + terms.at[k + ahead] + columns.at[0] + line, 0);
        for (size_t column = 0; column < whole; column += width)
          copy(b_memory_ + column * count + k * width, from + column, width);
      }
    for (size_t column = in_place ? whole : 0; column < end;) {
      const size_t panel = panel_vectors(end - column) * lanes<T>, valid = least(panel, end - column);
      if (!is_direct || valid < panel)
        pack_columns(b_memory_ + column * count, source, terms, columns, column, column + valid, panel, scratch_);
      column += valid;
    }
    if (is_direct)
      return {reinterpret_cast<const T *>(part_.b + columns.at[0] + terms.at[0]), terms.stride / size};
    return {nullptr, 0};
  }

  // Rows may stay where they are if they lie evenly and are read few times.
  Rows<T> rows_of(const Places &rows, const Places &terms, size_t columns) const {
    const Source<T> source{part_.a, part_.read_a, part_.a_size, plain};
    const ptrdiff_t size = sizeof(T);
    if (terms.count && !part_.read_a && rows.is_even() && terms.is_even() && rows.stride % size == 0 &&
        terms.stride % size == 0 && (rows.count <= size_t(tile_rows) || columns <= 4 * lanes<T>))
      return {reinterpret_cast<const T *>(part_.a + rows.at[0] + terms.at[0]), rows.stride / size,
              terms.stride / size};
    return pack_rows(a_memory_, source, rows, terms);
  }

  // Gives what lies behind the sums of these tiles.
  T *compute_tiles(const Rows<T> &a, const Columns &b, const Places &c_rows, const Places &c_columns, size_t term,
                   size_t terms, T *sums) {
    const size_t rows = c_rows.count, columns = c_columns.count, height = best_rows(rows);
    const size_t run = part_.is_exact ? block_terms : run_terms(terms);
    const bool is_first = term == 0, is_last = term + terms == part_.terms;
    for (size_t column = 0; column < columns;) {
      const size_t vectors = panel_vectors(columns - column), width = vectors * lanes<T>;
      const size_t valid = least(width, columns - column);
      const bool is_direct = b.data && valid == width;
      const T *panel = is_direct ? b.data + column : b_memory_ + column * terms;
      const ptrdiff_t panel_term = is_direct ? b.term : static_cast<ptrdiff_t>(width);
      for (size_t row = 0; row < rows; row += height) {
        const size_t count = least(height, rows - row);
        const T *first = a.data + static_cast<ptrdiff_t>(row) * a.row;
        // The result comes into the cache meanwhile.
        if (is_last && c_columns.stride == static_cast<ptrdiff_t>(part_.c_size))
          for (size_t i = row; i < row + count; ++i)
            for (size_t line = 0; line < valid * part_.c_size; line += 64)
              HLOKIT_PREFETCH(part_.c + c_rows.at[i] + c_columns.at[column] + line, 1);
        tiles<T>.get(count, vectors)(Tile<T>{first, a.row, a.term, panel, panel_term, terms, run, tile_});
        if (!is_first || !is_last) {
          const size_t size = count * width;
          (is_last ? Sums<T>::end : is_first ? Sums<T>::begin : Sums<T>::add)(sums, tile_, size);
          sums += Sums<T>::size * size;
        }
        if (is_last)
          put(c_rows, row, count, c_columns, column, valid, width);
      }
      column += valid;
    }
    return sums;
  }

  // Writes a tile to the result.
  void put(const Places &rows, size_t first_row, size_t count, const Places &columns, size_t first_column,
           size_t valid, size_t width) const {
    for (size_t i = 0; i < count; ++i) {
      unsigned char *row = part_.c + rows.at[first_row + i];
      const T *values = tile_ + i * width;
      each_run(columns, first_column, first_column + valid, [&](size_t start, size_t length) {
        unsigned char *to = row + columns.at[start];
        const T *from = values + (start - first_column);
        if (!part_.write && columns.stride == ptrdiff_t(sizeof(T)))
          copy(reinterpret_cast<T *>(to), from, length);
        else
          (part_.write ? part_.write : write<T, T>)(to, columns.stride, from, length);
      });
    }
  }

  static constexpr Read<T> plain = read<T, T>;
  const Part<T> &part_;
  const Layout<T> layout_;
  const size_t vectors_;
  T *a_memory_, *b_memory_, *scratch_, *tile_, *sums_;
  ptrdiff_t *offsets_;
};

template <class T> void compute(const Part<T> &part) { Rectangle<T>(part).compute(); }

template <class T>
constexpr Kernels<T> kernels{tile_rows,
                             2 * lanes<T>,
                             workspace_bytes<T>,
                             compute<T>,
                             {read<T, int8_t>, read<T, uint8_t>, read<T, int16_t>, read<T, uint16_t>, read<T, int32_t>,
                              read<T, uint32_t>, read<T, int64_t>, read<T, Half>, read<T, BFloat>, read<T, float>,
                              read<T, double>},
                             {nullptr, nullptr, nullptr, nullptr, write<int32_t, T>, nullptr, write<int64_t, T>,
                              nullptr, std::is_same_v<T, float> ? write<BFloat, T> : nullptr, write<float, T>, write<double, T>}};

} // namespace

const Kernels<float> *HLOKIT_MATMUL_KERNELS(float) { return &kernels<float>; }
const Kernels<double> *HLOKIT_MATMUL_KERNELS(double) { return &kernels<double>; }

} // namespace hlokit::matmul
