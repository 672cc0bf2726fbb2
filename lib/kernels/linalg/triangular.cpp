#include "kernels/linalg/triangular.h"

#include <algorithm>
#include <limits>

#include "kernels/linalg/products.h"
#include "kernels/linalg/vectors.h"
#include "support/should_stop.h"

namespace hlokit::linalg {
namespace {

// Problems up to this size are solved row by row, larger ones in halves: most of the work is then in products.
constexpr size_t base = 32;

// Whether a computation on so many elements should end early. Those on few end at once: whoever has many of them asks
// between two.
bool should_stop_among(size_t elements) noexcept { return elements >= 4096 && should_stop(); }

// x := inverse(U*) x for the upper triangle U of `a`.
template <class T>
void solve_adjoint(const T *a, size_t a_stride, T *x, size_t stride, size_t size, size_t columns, Workspace &workspace) {
  if (should_stop_among(size * columns))
    return;
  const Workspace::Scope scope(workspace);
  if (size <= base) {
    T *lower = workspace.get<T>(size * size);
    for (size_t i = 0; i < size; ++i)
      for (size_t j = 0; j <= i; ++j)
        lower[i * size + j] = conj(a[j * a_stride + i]);
    vectors<T>().solve(lower, size, x, stride, size, columns, false);
    return;
  }
  const size_t half = size / 2;
  solve_adjoint(a, a_stride, x, stride, half, columns, workspace);
  subtract_product(x + half * stride, stride, adjoint(a + half, a_stride), plain<T>(x, stride), size - half, columns, half,
                   workspace);
  solve_adjoint(a + half * a_stride + half, a_stride, x + half * stride, stride, size - half, columns, workspace);
}

// The upper triangle of c, [size, size], minus x* x for x [terms, size].
template <class T>
void subtract_gram(T *c, size_t stride, const T *x, size_t x_stride, size_t size, size_t terms, Workspace &workspace) {
  if (size <= 2 * base) {
    subtract_product(c, stride, adjoint(x, x_stride), plain(x, x_stride), size, size, terms, workspace);
    return;
  }
  const size_t half = size / 2;
  subtract_gram(c, stride, x, x_stride, half, terms, workspace);
  subtract_product(c + half, stride, adjoint(x, x_stride), plain(x + half, x_stride), half, size - half, terms, workspace);
  subtract_gram(c + half * stride + half, stride, x + half, x_stride, size - half, terms, workspace);
}

template <class T> size_t factor_upper(T *a, size_t stride, size_t size, Workspace &workspace) {
  if (should_stop_among(size * size))
    return 0;
  if (size <= base)
    return vectors<T>().cholesky(a, stride, size);
  const size_t half = size / 2, rest = size - half;
  if (const size_t info = factor_upper(a, stride, half, workspace))
    return info;
  solve_adjoint(a, stride, a + half, stride, half, rest, workspace);
  T *corner = a + half * stride + half;
  subtract_gram(corner, stride, a + half, stride, rest, half, workspace);
  const size_t info = factor_upper(corner, stride, rest, workspace);
  return info ? half + info : 0;
}

// Factorises columns `first` to `last`, below row `first`, of a matrix whose columns before `first` are factorised
// already.
template <class T>
size_t eliminate(T *a, size_t m, size_t n, size_t first, size_t last, int32_t *pivots, Workspace &workspace) {
  if (should_stop_among((m - first) * (last - first)))
    return 0;
  T *corner = a + first * n + first;
  if (last - first <= base / 2) {
    const size_t info = vectors<T>().eliminate(corner, n, m - first, last - first, first, n, pivots + first);
    for (size_t i = first; i < std::min(m, last); ++i)
      pivots[i] += static_cast<int32_t>(first + 1);
    return info ? first + info : 0;
  }
  const size_t half = (last - first) / 2, middle = first + half;
  size_t info = eliminate(a, m, n, first, middle, pivots, workspace);
  solve_lower(corner, n, corner + half, n, half, last - middle, true, workspace);
  subtract_product(corner + half * n + half, n, plain(corner + half * n, n), plain(corner + half, n), m - middle,
                   last - middle, half, workspace);
  const size_t more = eliminate(a, m, n, middle, last, pivots, workspace);
  return info ? info : more;
}

} // namespace

template <class T>
void solve_lower(const T *a, size_t a_stride, T *x, size_t stride, size_t size, size_t columns, bool is_unit,
                 Workspace &workspace) {
  if (should_stop_among(size * columns))
    return;
  if (size <= base) {
    vectors<T>().solve(a, a_stride, x, stride, size, columns, is_unit);
    return;
  }
  const size_t half = size / 2;
  solve_lower(a, a_stride, x, stride, half, columns, is_unit, workspace);
  subtract_product(x + half * stride, stride, plain(a + half * a_stride, a_stride), plain<T>(x, stride), size - half, columns,
                   half, workspace);
  solve_lower(a + half * a_stride + half, a_stride, x + half * stride, stride, size - half, columns, is_unit, workspace);
}

template <class T>
void trsm(const T *a, T *b, size_t rows, size_t columns, const Triangle &triangle, Workspace &workspace) {
  const size_t size = triangle.is_left ? rows : columns, count = triangle.is_left ? columns : rows;
  // x op(a) = b is transpose(op(a)) transpose(x) = transpose(b); an upper triangle is a lower one from the other end.
  const bool is_transposed = triangle.is_transposed == triangle.is_left;
  const bool is_lower = triangle.is_lower != is_transposed;
  const bool is_conjugate = is_complex<T> && triangle.is_conjugate;
  const Workspace::Scope scope(workspace);
  const T *lower = a;
  if (is_transposed || !is_lower || is_conjugate) {
    T *copy = workspace.get<T>(size * size);
    for (size_t i = 0; i < size && !should_stop_among(size * size); ++i)
      for (size_t j = 0; j <= i; ++j) {
        const size_t row = is_lower ? i : size - 1 - i, column = is_lower ? j : size - 1 - j;
        const T value = is_transposed ? a[column * size + row] : a[row * size + column];
        copy[i * size + j] = is_conjugate ? conj(value) : value;
      }
    lower = copy;
  }
  if (triangle.is_left && is_lower) {
    solve_lower(lower, size, b, count, size, count, triangle.is_unit, workspace);
    return;
  }
  T *x = workspace.get<T>(size * count);
  const auto place = [&](size_t i, size_t j) {
    const size_t at = is_lower ? i : size - 1 - i;
    return triangle.is_left ? at * columns + j : j * columns + at;
  };
  for (size_t i = 0; i < size && !should_stop_among(size * count); ++i)
    for (size_t j = 0; j < count; ++j)
      x[i * count + j] = b[place(i, j)];
  solve_lower(lower, size, x, count, size, count, triangle.is_unit, workspace);
  for (size_t i = 0; i < size && !should_stop_among(size * count); ++i)
    for (size_t j = 0; j < count; ++j)
      b[place(i, j)] = x[i * count + j];
}

template <class T> int32_t potrf(T *a, size_t size, bool is_lower, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  T *upper = a;
  if (is_lower) {
    upper = workspace.get<T>(size * size);
    for (size_t i = 0; i < size && !should_stop_among(size * size); ++i)
      for (size_t j = i; j < size; ++j)
        upper[i * size + j] = conj(a[j * size + i]);
  }
  const size_t info = factor_upper(upper, size, size, workspace);
  if (info) {
    std::fill(a, a + size * size, T(std::numeric_limits<Real<T>>::quiet_NaN()));
  } else if (is_lower) {
    for (size_t i = 0; i < size && !should_stop_among(size * size); ++i)
      for (size_t j = 0; j < size; ++j)
        a[i * size + j] = j < i ? conj(upper[j * size + i]) : j == i ? upper[i * size + i] : T(0);
  } else {
    for (size_t i = 0; i < size; ++i)
      std::fill(a + i * size, a + i * size + i, T(0));
  }
  return static_cast<int32_t>(info);
}

template <class T> int32_t getrf(T *a, size_t m, size_t n, int32_t *pivots, Workspace &workspace) {
  const size_t count = std::min(m, n);
  const size_t info = eliminate(a, m, n, 0, count, pivots, workspace);
  if (n > count)
    solve_lower(a, n, a + count, n, count, n - count, true, workspace);
  return static_cast<int32_t>(info);
}

#define HLOKIT_INSTANTIATE(T)                                                                                          \
  template void solve_lower(const T *, size_t, T *, size_t, size_t, size_t, bool, Workspace &);                        \
  template void trsm(const T *, T *, size_t, size_t, const Triangle &, Workspace &);                                   \
  template int32_t potrf(T *, size_t, bool, Workspace &);                                                              \
  template int32_t getrf(T *, size_t, size_t, int32_t *, Workspace &);
HLOKIT_INSTANTIATE(float)
HLOKIT_INSTANTIATE(double)
HLOKIT_INSTANTIATE(Complex<float>)
HLOKIT_INSTANTIATE(Complex<double>)
#undef HLOKIT_INSTANTIATE

} // namespace hlokit::linalg
