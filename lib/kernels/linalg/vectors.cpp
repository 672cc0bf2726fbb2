// Small factorisations, rotations, and the loops of rows.h. Compiled once for each level of processor: see the rules in
// support/variants.h.
#include "kernels/linalg/vectors.h"

#include "kernels/linalg/rows.h"

namespace hlokit::linalg {
namespace {

// Small factorisations ---------------------------------------------------------------------------------------

// Columns that are solved together: few enough to stay in the first cache.
constexpr size_t tile_bytes = 2048;

template <class T>
void solve(const T *a, size_t a_stride, T *x, size_t stride, size_t size, size_t columns, bool is_unit) {
  constexpr size_t tile = tile_bytes / sizeof(T);
  for (size_t from = 0; from < columns; from += tile) {
    const size_t width = least(tile, columns - from);
    for (size_t i = 0; i < size; ++i) {
      const T *factors = a + i * a_stride;
      T *row = x + i * stride + from;
      for (size_t j = 0; j < i; ++j)
        subtract_inline(row, factors[j], x + j * stride + from, width);
      if (!is_unit) {
        const T divisor = factors[i];
        for (size_t k = 0; k < width; ++k)
          row[k] = row[k] / divisor;
      }
    }
  }
}

template <class T> size_t cholesky(T *a, size_t stride, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    T *top = a + i * stride;
    const Real<T> pivot = real(top[i]);
    if (!(pivot > 0))
      return i + 1;
    const Real<T> diagonal = root(pivot);
    top[i] = T(diagonal);
    for (size_t j = i + 1; j < size; ++j)
      top[j] = top[j] / diagonal;
    for (size_t k = i + 1; k < size; ++k)
      subtract_inline(a + k * stride + k, conj(top[k]), top + k, size - k);
  }
  return 0;
}

template <class T>
size_t eliminate(T *a, size_t stride, size_t m, size_t width, size_t before, size_t n, int32_t *pivots) {
  size_t info = 0;
  for (size_t column = 0; column < least(m, width); ++column) {
    // The row of the first NaN, otherwise of the first of the largest elements.
    size_t chosen = column;
    Real<T> largest = -1;
    for (size_t i = column; i < m; ++i) {
      const Real<T> size = taxicab(a[i * stride + column]);
      if (size > largest) {
        largest = size;
        chosen = i;
      } else if (is_nan(size)) {
        chosen = i;
        break;
      }
    }
    pivots[column] = static_cast<int32_t>(chosen);
    T *top = a + column * stride;
    if (chosen != column) {
      T *HLOKIT_RESTRICT one = top - before, *HLOKIT_RESTRICT other = a + chosen * stride - before;
      for (size_t j = 0; j < n; ++j) {
        const T moved = one[j];
        one[j] = other[j];
        other[j] = moved;
      }
    }
    const bool is_singular = top[column] == T(0);
    if (is_singular) {
      if (!info)
        info = column + 1;
      continue; // the whole column is 0
    }
    const T divisor = top[column];
    for (size_t i = column + 1; i < m; ++i) {
      T *row = a + i * stride;
      row[column] = row[column] / divisor;
      subtract_inline(row + column + 1, row[column], top + column + 1, width - column - 1);
    }
  }
  return info;
}

// Rotations of rows that follow each other, up or down: the row that two of them share stays in registers. `width` vectors of
// columns at a time; none for `columns` single ones.
template <class R, size_t width, int direction>
HLOKIT_INLINE void rotate_chain(R *z, size_t stride, size_t columns, const Rotation<R> *rotations, size_t count) {
  if constexpr (width == 0) {
    for (size_t j = 0; j < columns; ++j) {
      R shared = z[(rotations[0].row + (direction < 0)) * stride + j];
      for (size_t k = 0; k < count; ++k) {
        const R c = rotations[k].c, s = rotations[k].s;
        R *x = z + rotations[k].row * stride + j, *y = x + stride;
        const R one = direction > 0 ? shared : *x, other = direction > 0 ? *y : shared;
        const R upper = c * one + s * other, lower = c * other - s * one;
        (direction > 0 ? *x : *y) = direction > 0 ? upper : lower;
        shared = direction > 0 ? lower : upper;
      }
      z[(rotations[count - 1].row + (direction > 0)) * stride + j] = shared;
    }
  } else {
    Lanes<R> shared[width];
    for (size_t i = 0; i < width; ++i)
      load(shared[i], z + (rotations[0].row + (direction < 0)) * stride + i * lanes<R>);
    for (size_t k = 0; k < count; ++k) {
      const Lanes<R> c = HLOKIT_ALL(R, rotations[k].c), s = HLOKIT_ALL(R, rotations[k].s);
      R *x = z + rotations[k].row * stride, *y = x + stride;
      for (size_t i = 0; i < width; ++i) {
        Lanes<R> other;
        load(other, (direction > 0 ? y : x) + i * lanes<R>);
        const Lanes<R> upper = direction > 0 ? c * shared[i] + s * other : c * other + s * shared[i];
        const Lanes<R> lower = direction > 0 ? c * other - s * shared[i] : c * shared[i] - s * other;
        memcpy((direction > 0 ? x : y) + i * lanes<R>, direction > 0 ? &upper : &lower, sizeof upper);
        shared[i] = direction > 0 ? lower : upper;
      }
    }
    for (size_t i = 0; i < width; ++i)
      memcpy(z + (rotations[count - 1].row + (direction > 0)) * stride + i * lanes<R>, &shared[i], sizeof shared[i]);
  }
}

template <class R, size_t width>
HLOKIT_INLINE void rotate_strip(R *z, size_t stride, size_t columns, const Rotation<R> *rotations, size_t count) {
  for (size_t first = 0; first < count;) {
    const bool is_rising = first + 1 < count && rotations[first + 1].row == rotations[first].row + 1;
    size_t last = first + 1;
    while (last < count && rotations[last].row == (is_rising ? rotations[last - 1].row + 1 : rotations[last - 1].row - 1))
      ++last;
    if (is_rising)
      rotate_chain<R, width, 1>(z, stride, columns, rotations + first, last - first);
    else
      rotate_chain<R, width, -1>(z, stride, columns, rotations + first, last - first);
    first = last;
  }
}

template <class R>
void rotate(R *z, size_t stride, size_t columns, const Rotation<R> *rotations, size_t count) {
  size_t from = 0;
  for (; from + 4 * lanes<R> <= columns; from += 4 * lanes<R>)
    rotate_strip<R, 4>(z + from, stride, columns, rotations, count);
  for (; from + lanes<R> <= columns; from += lanes<R>)
    rotate_strip<R, 1>(z + from, stride, columns, rotations, count);
  if (from < columns)
    rotate_strip<R, 0>(z + from, stride, columns - from, rotations, count);
}

template <class T>
constexpr Vectors<T> table{add<T>,      dot_of,   squares_of, add_rows<T>, reflect<T>, reflect_few,
                           subtract<T>, sweep<T>, solve<T>,   cholesky<T>, eliminate<T>, rotate<Real<T>>};

} // namespace

namespace HLOKIT_VARIANT {

const Vectors<float> &vectors(float) { return table<float>; }
const Vectors<double> &vectors(double) { return table<double>; }
const Vectors<Complex<float>> &vectors(Complex<float>) { return table<Complex<float>>; }
const Vectors<Complex<double>> &vectors(Complex<double>) { return table<Complex<double>>; }

} // namespace HLOKIT_VARIANT
} // namespace hlokit::linalg
