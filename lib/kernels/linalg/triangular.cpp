#include "kernels/linalg/triangular.h"

#include <algorithm>
#include <cmath>

#include "support/compiler.h"

namespace hlokit::linalg {
namespace {

// Columns of x that are solved together: few enough to stay in the first cache beside the rows of a triangle.
constexpr size_t tile = 256;

template <class T>
HLOKIT_INLINE void subtract(T *HLOKIT_RESTRICT to, T factor, const T *HLOKIT_RESTRICT from, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] -= factor * from[i];
}

// The row of the first NaN, otherwise of the first of the largest elements.
template <class T> size_t pivot_of(const Stack<T> &a, size_t matrix, size_t column) {
  size_t best = column;
  T largest = -1;
  for (size_t i = column; i < a.rows; ++i) {
    const T size = std::fabs(a.row(matrix, i)[column]);
    if (std::isnan(size))
      return i;
    if (size > largest) {
      largest = size;
      best = i;
    }
  }
  return best;
}

} // namespace

template <class T>
void solve(const Stack<T> &a, const Stack<T> &x, size_t start, size_t stop, size_t first, bool is_unit) {
  for (size_t matrix = 0; matrix < x.count; ++matrix)
    for (size_t from = first; from < x.columns; from += tile) {
      const size_t width = std::min(tile, x.columns - from);
      for (size_t i = start; i < stop; ++i) {
        const T *factors = a.row(matrix, i);
        T *row = x.row(matrix, i) + from;
        for (size_t j = start; j < i; ++j)
          subtract(row, factors[j], x.row(matrix, j) + from, width);
        if (!is_unit)
          for (size_t k = 0; k < width; ++k)
            row[k] /= factors[i];
      }
    }
}

template <class T> void eliminate(const Stack<T> &a, size_t start, size_t stop, int32_t *pivots, int32_t *info) {
  const size_t count = std::min(a.rows, a.columns);
  for (size_t matrix = 0; matrix < a.count; ++matrix)
    for (size_t column = start; column < stop; ++column) {
      const size_t chosen = pivot_of(a, matrix, column);
      pivots[matrix * count + column] = static_cast<int32_t>(chosen + 1);
      T *top = a.row(matrix, column);
      if (chosen != column)
        std::swap_ranges(top, top + a.columns, a.row(matrix, chosen));
      const bool is_singular = top[column] == 0;
      if (is_singular && info[matrix] == 0)
        info[matrix] = static_cast<int32_t>(column + 1);
      const T divisor = is_singular ? T{1} : top[column];
      for (size_t i = column + 1; i < a.rows; ++i) {
        T *row = a.row(matrix, i);
        row[column] /= divisor;
        subtract(row + column + 1, row[column], top + column + 1, stop - column - 1);
      }
    }
}

template void solve(const Stack<float> &, const Stack<float> &, size_t, size_t, size_t, bool);
template void solve(const Stack<double> &, const Stack<double> &, size_t, size_t, size_t, bool);
template void eliminate(const Stack<float> &, size_t, size_t, int32_t *, int32_t *);
template void eliminate(const Stack<double> &, size_t, size_t, int32_t *, int32_t *);

} // namespace hlokit::linalg
