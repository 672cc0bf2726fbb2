// Sums of products in registers, and their accumulation over many terms. Part of kernels.cpp, with internal linkage.
#pragma once

#include <utility>

#include "kernels/matmul/vectors.h"

namespace hlokit::matmul {
namespace {

// Tiles -----------------------------------------------------------------------------------------------

// `rows` x `vectors` vectors of sums of at most `block_terms` terms, written to `sums`.
template <class T> struct Tile {
  const T *a;
  ptrdiff_t a_row, a_term; // in elements
  const T *b;
  ptrdiff_t b_term;
  size_t terms;
  T *sums;
};

// The sums of one lane, whose first term is `lane`.
template <class T, int rows, int vectors>
HLOKIT_INLINE void sum_lane(Vector<T> (&sums)[rows][vectors], const Tile<T> &tile, size_t lane, size_t lane_count) {
  constexpr size_t width = lanes<T>;
  const ptrdiff_t term = static_cast<ptrdiff_t>(lane), step = static_cast<ptrdiff_t>(lane_count);
  const ptrdiff_t a_row = tile.a_row, a_step = step * tile.a_term, b_step = step * tile.b_term;
  // A pointer for three rows: processors add distances of one and two rows by themselves.
  const T *a[(rows + 2) / 3], *b = tile.b + term * tile.b_term;
  HLOKIT_UNROLL
  for (int i = 0; i < (rows + 2) / 3; ++i)
    a[i] = tile.a + term * tile.a_term + 3 * i * a_row;
  HLOKIT_UNROLL
  for (int i = 0; i < rows; ++i)
    HLOKIT_UNROLL
    for (int j = 0; j < vectors; ++j)
      sums[i][j] = all(T(0));
  for (size_t k = lane; k < tile.terms; k += lane_count) {
    Vector<T> columns[vectors];
    HLOKIT_UNROLL
    for (int j = 0; j < vectors; ++j)
      columns[j] = load(b + j * width);
    HLOKIT_UNROLL
    for (int i = 0; i < rows; ++i) {
      const Vector<T> row = all(a[i / 3][(i % 3) * a_row]);
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        multiply_add<T>(sums[i][j], row, columns[j]);
    }
    HLOKIT_UNROLL
    for (int i = 0; i < (rows + 2) / 3; ++i)
      a[i] += a_step;
    b += b_step;
  }
}

// Adds sums that wait to those of a lane, and puts the result where its partner or the caller finds it.
template <class T, int rows, int vectors, int height>
HLOKIT_INLINE void add_waiting(Vector<T> (&sums)[rows][vectors], const T (&waiting)[height][rows * vectors * lanes<T>],
                               int count, T *to, bool is_last) {
  constexpr size_t width = lanes<T>;
  for (int other = 0; other < count; ++other)
    HLOKIT_UNROLL
    for (int i = 0; i < rows; ++i)
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        sums[i][j] += load(waiting[other] + (i * vectors + j) * width);
  if (is_last)
    HLOKIT_UNROLL
    for (int i = 0; i < rows; ++i)
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        sums[i][j] += all(T(0));
  HLOKIT_UNROLL
  for (int i = 0; i < rows; ++i)
    HLOKIT_UNROLL
    for (int j = 0; j < vectors; ++j)
      store(to + (i * vectors + j) * width, sums[i][j]);
}

template <class T, int rows, int vectors> void compute_tile(const Tile<T> &tile) {
  const size_t lane_count = lanes_of(tile.terms);
  alignas(64) T waiting[tree_height][rows * vectors * lanes<T>];
  for (size_t number = 0; number < lane_count; ++number) {
    // As many sums wait as the number of lanes so far has bits that are 1.
    int height = 0;
    while (number >> height & 1)
      ++height;
    const bool is_last = number + 1 == lane_count;
    Vector<T> sums[rows][vectors];
    sum_lane<T>(sums, tile, lane_order[number] * lane_count / 16, lane_count);
    add_waiting<T>(sums, waiting, height, is_last ? tile.sums : waiting[height], is_last);
  }
}

template <class T> using TileFunction = void (*)(const Tile<T> &);

// Tiles of 1, 2, ... rows: of one vector and of two; of four and eight for few rows.
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

// Vectors in a row of a tile, for a product of `rows` rows.
template <class T> size_t best_vectors(size_t rows) {
  return rows <= size_t(few_rows) ? 8 : rows <= size_t(some_rows) ? 4 : 2;
}

// Rows of a tile, such that all tiles have about the same number.
size_t best_rows(size_t rows) {
  const size_t count = (rows + tile_rows - 1) / tile_rows;
  return (rows + count - 1) / count;
}

// Rows of a part, at most `most`, such that all parts have about the same number and few tiles are incomplete.
size_t rows_at_a_time(size_t rows, size_t most) {
  const size_t count = (rows + most - 1) / most;
  return rows ? least(((rows + count - 1) / count + tile_rows - 1) / tile_rows * tile_rows, rows) : 1;
}

// Sums of many terms ----------------------------------------------------------------------------------

// Accumulates the sums of blocks: in f64 for f32, in pairs of f64 for f64.
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
      // The error term of an infinity is NaN: leave it out.
      const double sum = memory[i], exact = sum + memory[count + i];
      values[i] = sum - sum == 0 ? exact : sum;
    }
  }
};

// Few rows by columns in one piece ------------------------------------------------------------------------

// Sums of products along memory, for 128 terms and more: a vector, or several, has the 16 lanes of a block.
constexpr int dot_tile_rows = vector_bytes == 64 ? 2 : 1;
template <class T> constexpr int dot_tile_columns = vector_bytes * sizeof(float) / sizeof(T) >= 32 ? 4 : 2;

template <class T, int rows, int columns>
void compute_dots(const T *const *a, const T *const *b, size_t terms, T *sums, size_t sums_row) {
  constexpr size_t width = lanes<T>, parts = 16 / width;
  alignas(64) T memory[Sums<T>::size * rows * columns], block_sums[rows * columns];
  for (size_t start = 0; start < terms; start += block_terms) {
    const size_t count = least(block_terms, terms - start);
    if (count >= 128) {
      Vector<T> totals[rows][columns][parts];
      HLOKIT_UNROLL
      for (int i = 0; i < rows; ++i)
        HLOKIT_UNROLL
        for (int j = 0; j < columns; ++j)
          HLOKIT_UNROLL
          for (size_t part = 0; part < parts; ++part)
            totals[i][j][part] = all(T(0));
      const auto step = [&](const T *const *row, const T *const *column, size_t at) HLOKIT_LAMBDA {
        HLOKIT_UNROLL
        for (size_t part = 0; part < parts; ++part) {
          Vector<T> right[columns];
          HLOKIT_UNROLL
          for (int j = 0; j < columns; ++j)
            right[j] = load(column[j] + at + part * width);
          HLOKIT_UNROLL
          for (int i = 0; i < rows; ++i) {
            const Vector<T> left = load(row[i] + at + part * width);
            HLOKIT_UNROLL
            for (int j = 0; j < columns; ++j)
              multiply_add<T>(totals[i][j][part], left, right[j]);
          }
        }
      };
      const size_t whole = count / 16 * 16;
      for (size_t at = 0; at < whole; at += 16)
        step(a, b, start + at);
      if (whole < count) {
        // Lanes without a further term add -0 times +0, which changes no sum.
        alignas(64) T rest[rows + columns][16];
        const T *left[rows], *right[columns];
        for (int i = 0; i < rows + columns; ++i) {
          for (size_t lane = 0; lane < 16; ++lane)
            rest[i][lane] = whole + lane < count ? (i < rows ? a[i] : b[i - rows])[start + whole + lane]
                            : i < rows           ? -T(0)
                                                 : T(0);
          (i < rows ? left[i] : right[i - rows]) = rest[i];
        }
        step(left, right, 0);
      }
      HLOKIT_UNROLL
      for (int i = 0; i < rows; ++i)
        HLOKIT_UNROLL
        for (int j = 0; j < columns; ++j) {
          Vector<T> *const sides = totals[i][j];
          HLOKIT_UNROLL
          for (size_t half = parts / 2; half > 0; half /= 2)
            HLOKIT_UNROLL
            for (size_t part = 0; part < half; ++part)
              sides[part] += sides[part + half];
          block_sums[i * columns + j] = sum_of_lanes<T, width>(sides[0]) + T(0);
        }
    } else {
      // The rest, in fewer lanes.
      const size_t lane_count = lanes_of(count);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
          T values[8] = {};
          for (size_t term = 0; term < count; term += lane_count)
            for (size_t lane = 0; lane < least(lane_count, count - term); ++lane)
              multiply_add(values[lane], a[i][start + term + lane], b[j][start + term + lane]);
          for (size_t half = lane_count / 2; half; half /= 2)
            for (size_t lane = 0; lane < half; ++lane)
              values[lane] += values[lane + half];
          block_sums[i * columns + j] = values[0] + T(0);
        }
    }
    const bool is_first = start == 0, is_last = start + count == terms;
    if (!is_first || !is_last)
      (is_last ? Sums<T>::end : is_first ? Sums<T>::begin : Sums<T>::add)(memory, block_sums, rows * columns);
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      sums[i * sums_row + j] = block_sums[i * columns + j];
}

} // namespace
} // namespace hlokit::matmul
