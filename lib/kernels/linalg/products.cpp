#include "kernels/linalg/products.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "kernels/linalg/vectors.h"
#include "kernels/matmul/product.h"
#include "support/should_stop.h"
#include "support/threads.h"

namespace hlokit::linalg {
namespace {

// The number of multiplications in a part: products of several parts run on several threads.
constexpr double least_part = 1e6;

// Parts have whole numbers of columns, or of rows if there are more of them: no sum depends on the division.
template <class R>
void multiply_reals(R *c, matmul::Strides to, const R *a, matmul::Strides left, const R *b, matmul::Strides right, size_t m,
                    size_t n, size_t k, size_t threads) {
  const double work = double(m) * double(n) * double(k);
  const size_t length = std::max(m, n);
  const size_t parts = std::min({threads, static_cast<size_t>(work / least_part), length / 32});
  if (parts <= 1) {
    matmul::multiply(c, to, a, left, b, right, m, n, k);
    return;
  }
  std::atomic<bool> failed{false};
  in_parallel(parts, threads, [&](size_t part) {
    const size_t first = length * part / parts, last = length * (part + 1) / parts;
    const auto skipped = static_cast<ptrdiff_t>(first);
    try {
      if (n >= m)
        matmul::multiply(c + skipped * to.column, to, a, left, b + skipped * right.column, right, m, last - first, k);
      else
        matmul::multiply(c + skipped * to.row, to, a + skipped * left.row, left, b, right, last - first, n, k);
    } catch (const std::bad_alloc &) {
      failed = true;
    }
  });
  if (failed)
    throw std::bad_alloc();
}

// Small products are computed element by element: packing would take longer.
constexpr size_t small = 8;

} // namespace

template <class T>
void multiply(T *c, size_t stride, MatrixOperand<T> a, MatrixOperand<T> b, size_t m, size_t n, size_t k,
              Workspace &workspace) {
  if (!m || !n)
    return;
  const auto to = static_cast<ptrdiff_t>(stride);
  if constexpr (!is_complex<T>) {
    multiply_reals(c, {to, 1}, a.data, {a.row, a.column}, b.data, {b.row, b.column}, m, n, k, workspace.threads);
  } else {
    using R = Real<T>;
    const Workspace::Scope scope(workspace);
    R *parts[4];
    for (R *&part : parts)
      part = workspace.get<R>(m * n);
    const R *left = &a.data->re, *right = &b.data->re;
    for (int i = 0; i < 4; ++i)
      multiply_reals(parts[i], {static_cast<ptrdiff_t>(n), 1}, left + i / 2, {2 * a.row, 2 * a.column}, right + i % 2,
                     {2 * b.row, 2 * b.column}, m, n, k, workspace.threads);
    const R a_sign = a.is_conjugate ? R(-1) : R(1), b_sign = b.is_conjugate ? R(-1) : R(1);
    for (size_t i = 0; i < m; ++i)
      for (size_t j = 0; j < n; ++j) {
        const size_t at = i * n + j;
        c[i * stride + j] = T(parts[0][at] - a_sign * b_sign * parts[3][at], b_sign * parts[1][at] + a_sign * parts[2][at]);
      }
  }
}

template <class T>
void subtract_product(T *c, size_t stride, MatrixOperand<T> a, MatrixOperand<T> b, size_t m, size_t n, size_t k,
                      Workspace &workspace) {
  if (!m || !n || !k)
    return;
  const Vectors<T> &loops = vectors<T>();
  if (k <= small && b.column == 1 && !b.is_conjugate) {
    for (size_t i = 0; i < m; ++i)
      for (size_t term = 0; term < k; ++term) {
        const T factor = a.data[static_cast<ptrdiff_t>(i) * a.row + static_cast<ptrdiff_t>(term) * a.column];
        loops.add(c + i * stride, -(a.is_conjugate ? conj(factor) : factor), b.data + static_cast<ptrdiff_t>(term) * b.row, n);
      }
    return;
  }
  // The product is computed in pieces that stay in the cache.
  constexpr size_t piece = 64 * 1024 / sizeof(T) * 4;
  const size_t rows = std::min(m, std::max<size_t>(workspace.threads > 1 ? m : piece / n, 32));
  const Workspace::Scope scope(workspace);
  T *product = workspace.get<T>(rows * n);
  for (size_t first = 0; first < m && !should_stop(); first += rows) {
    const size_t count = std::min(rows, m - first);
    MatrixOperand<T> part = a;
    part.data += static_cast<ptrdiff_t>(first) * a.row;
    multiply(product, n, part, b, count, n, k, workspace);
    loops.subtract(c + first * stride, stride, product, n, count, n);
  }
}

#define HLOKIT_INSTANTIATE(T)                                                                                          \
  template void multiply(T *, size_t, MatrixOperand<T>, MatrixOperand<T>, size_t, size_t, size_t, Workspace &);                          \
  template void subtract_product(T *, size_t, MatrixOperand<T>, MatrixOperand<T>, size_t, size_t, size_t, Workspace &);
HLOKIT_INSTANTIATE(float)
HLOKIT_INSTANTIATE(double)
HLOKIT_INSTANTIATE(Complex<float>)
HLOKIT_INSTANTIATE(Complex<double>)
#undef HLOKIT_INSTANTIATE

} // namespace hlokit::linalg
