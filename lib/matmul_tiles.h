// Sums of products in registers, and what keeps those of many terms. For the kernels, and as internal as all of them.
#pragma once

#include <utility>

#include "matmul_vectors.h"

namespace hlokit::matmul {
namespace {

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

} // namespace
} // namespace hlokit::matmul
