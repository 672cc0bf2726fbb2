// Sums along rows, and rows that are added to others. Part of vectors.cpp, with internal linkage: see support/variants.h.
#pragma once

#include "kernels/linalg/vectors.h"
#include "support/lanes.h"

namespace hlokit::linalg {
namespace {

template <class T> HLOKIT_INLINE T least(T a, T b) { return a < b ? a : b; }

// Sums along a row ------------------------------------------------------------------------------------------

template <class R> R dot_of(const R *x, const R *y, size_t n) {
  if (n < lanes<R>) { // the lanes would be one term each
    R parts[lanes<R>] = {};
    for (size_t i = 0; i < n; ++i)
      parts[i] = x[i] * y[i];
    for (size_t half = lanes<R> / 2; half; half /= 2)
      for (size_t i = 0; i < half; ++i)
        parts[i] += parts[i + half];
    return parts[0];
  }
  Lanes<R> sum = HLOKIT_ALL(R, R(0)), a, b;
  size_t i = 0;
  for (; i + lanes<R> <= n; i += lanes<R>) {
    load(a, x + i);
    load(b, y + i);
    sum += a * b;
  }
  if (i < n) {
    load_some(a, x + i, n - i);
    load_some(b, y + i, n - i);
    sum += a * b;
  }
  return sum_of_lanes<R, 1>(sum, 0);
}

template <class R> Complex<R> dot_of(const Complex<R> *x, const Complex<R> *y, size_t n) {
  constexpr size_t width = lanes<R> / 2;
  Lanes<R> straight = HLOKIT_ALL(R, R(0)), crossed = straight, a, b, c;
  const R *left = &x->re, *right = &y->re;
  for (size_t i = 0; i < n; i += width) {
    if (i + width <= n) {
      load(a, left + 2 * i);
      load(b, right + 2 * i);
    } else {
      load_some(a, left + 2 * i, 2 * (n - i));
      load_some(b, right + 2 * i, 2 * (n - i));
    }
    straight += a * b;
    turn<R>(c, b);
    crossed += a * c;
  }
  return {sum_of_lanes<R, 2>(straight, 0) - sum_of_lanes<R, 2>(straight, 1), sum_of_lanes<R, 1>(crossed, 0)};
}

template <class R> R squares_of(const R *x, size_t n) { return dot_of(x, x, n); }
template <class R> R squares_of(const Complex<R> *x, size_t n) { return n ? dot_of(&x->re, &x->re, 2 * n) : R(0); }

// Rows ------------------------------------------------------------------------------------------------------

template <class T> HLOKIT_INLINE void add_inline(T *HLOKIT_RESTRICT y, T a, const T *HLOKIT_RESTRICT x, size_t n) {
  for (size_t i = 0; i < n; ++i)
    y[i] = y[i] + a * x[i];
}
template <class T> HLOKIT_INLINE void subtract_inline(T *HLOKIT_RESTRICT y, T a, const T *HLOKIT_RESTRICT x, size_t n) {
  for (size_t i = 0; i < n; ++i)
    y[i] = y[i] - a * x[i];
}

// y + a x or y - a x, for complex numbers: a vector has real and imaginary parts in turn.
template <class R, bool adds>
HLOKIT_INLINE void combine(Complex<R> *HLOKIT_RESTRICT y, Complex<R> a, const Complex<R> *HLOKIT_RESTRICT x, size_t n) {
  constexpr size_t width = lanes<R> / 2;
  R signs[lanes<R>];
  for (size_t i = 0; i < lanes<R>; ++i)
    signs[i] = i % 2 ? a.im : -a.im;
  Lanes<R> crossed, from, turned, to;
  load(crossed, signs);
  const Lanes<R> straight = HLOKIT_ALL(R, a.re);
  size_t i = 0;
  for (; i + width <= n; i += width) {
    load(from, &x[i].re);
    load(to, &y[i].re);
    turn<R>(turned, from);
    if constexpr (adds)
      to += straight * from + crossed * turned;
    else
      to -= straight * from + crossed * turned;
    memcpy(&y[i].re, &to, sizeof to);
  }
  for (; i < n; ++i)
    y[i] = adds ? y[i] + a * x[i] : y[i] - a * x[i];
}
template <class R>
HLOKIT_INLINE void add_inline(Complex<R> *HLOKIT_RESTRICT y, Complex<R> a, const Complex<R> *HLOKIT_RESTRICT x, size_t n) {
  combine<R, true>(y, a, x, n);
}
template <class R>
HLOKIT_INLINE void subtract_inline(Complex<R> *HLOKIT_RESTRICT y, Complex<R> a, const Complex<R> *HLOKIT_RESTRICT x, size_t n) {
  combine<R, false>(y, a, x, n);
}

template <class T> void add(T *y, T a, const T *x, size_t n) { add_inline(y, a, x, n); }

template <class T>
HLOKIT_INLINE void add_four(T *HLOKIT_RESTRICT y, const T *x, const T *HLOKIT_RESTRICT a, size_t stride, size_t n) {
  const T x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
  const T *a1 = a + stride, *a2 = a1 + stride, *a3 = a2 + stride;
  for (size_t j = 0; j < n; ++j)
    y[j] = (((y[j] + x0 * a[j]) + x1 * a1[j]) + x2 * a2[j]) + x3 * a3[j];
}

template <class T> HLOKIT_INLINE void add_rows_inline(T *y, const T *x, const T *a, size_t stride, size_t m, size_t n) {
  size_t i = 0;
  for (; !is_complex<T> && i + 4 <= m; i += 4)
    add_four(y, x + i, a + i * stride, stride, n);
  for (; i < m; ++i)
    add_inline(y, x[i], a + i * stride, n);
}
template <class T> void add_rows(T *y, const T *x, const T *a, size_t stride, size_t m, size_t n) {
  add_rows_inline(y, x, a, stride, m, n);
}

template <class T> HLOKIT_INLINE void reflect_inline(T *a, size_t stride, size_t m, size_t n, const T *v, T tau, T *w) {
  for (size_t j = 0; j < n; ++j)
    w[j] = T(0);
  if constexpr (is_complex<T>) {
    for (size_t i = 0; i < m; ++i)
      add_inline(w, conj(v[i]), a + i * stride, n);
  } else {
    add_rows_inline(w, v, a, stride, m, n);
  }
  for (size_t i = 0; i < m; ++i)
    subtract_inline(a + i * stride, tau * v[i], w, n);
}
template <class T> void reflect(T *a, size_t stride, size_t m, size_t n, const T *v, T tau, T *w) {
  reflect_inline(a, stride, m, n, v, tau, w);
}

// Columns of complex numbers that are reflected together.
constexpr size_t few_columns = 64;

template <class R>
void reflect_few(Complex<R> *a, size_t stride, size_t m, size_t n, const Complex<R> *v, Complex<R> tau) {
  for (size_t from = 0; from < n; from += few_columns) {
    Complex<R> sums[few_columns];
    reflect_inline(a + from, stride, m, least(few_columns, n - from), v, tau, sums);
  }
}
template <class T> void reflect_few(T *a, size_t stride, size_t m, size_t n, const T *v, T tau) {
  T *HLOKIT_RESTRICT x = a, *HLOKIT_RESTRICT y = a + stride;
  const T v0 = v[0], v1 = v[1], u0 = conj(v0), u1 = conj(v1), t0 = tau * v0, t1 = tau * v1;
  if (m == 2) {
    for (size_t j = 0; j < n; ++j) {
      const T sum = u0 * x[j] + u1 * y[j];
      x[j] = x[j] - t0 * sum;
      y[j] = y[j] - t1 * sum;
    }
    return;
  }
  T *HLOKIT_RESTRICT z = y + stride;
  const T u2 = conj(v[2]), t2 = tau * v[2];
  for (size_t j = 0; j < n; ++j) {
    const T sum = u0 * x[j] + u1 * y[j] + u2 * z[j];
    x[j] = x[j] - t0 * sum;
    y[j] = y[j] - t1 * sum;
    z[j] = z[j] - t2 * sum;
  }
}

template <class T>
void subtract(T *to, size_t to_stride, const T *from, size_t from_stride, size_t m, size_t n) {
  for (size_t i = 0; i < m; ++i) {
    T *HLOKIT_RESTRICT y = to + i * to_stride;
    const T *HLOKIT_RESTRICT x = from + i * from_stride;
    for (size_t j = 0; j < n; ++j)
      y[j] = y[j] - x[j];
  }
}

// One row of a sweep (vectors.h). Returns the dot product.
template <class R>
R sweep_row(R *HLOKIT_RESTRICT a, size_t n, R l0, const R *HLOKIT_RESTRICT r0, R l1, const R *HLOKIT_RESTRICT r1,
            const R *HLOKIT_RESTRICT columns, R row, R *HLOKIT_RESTRICT sums) {
  Lanes<R> dot = HLOKIT_ALL(R, R(0)), x, y;
  const Lanes<R> left0 = HLOKIT_ALL(R, l0), left1 = HLOKIT_ALL(R, l1), factor = HLOKIT_ALL(R, row);
  size_t j = 0;
  for (; j + lanes<R> <= n; j += lanes<R>) {
    load(x, a + j);
    if (r0) {
      load(y, r0 + j);
      if (r1) {
        Lanes<R> z;
        load(z, r1 + j);
        x -= left0 * y + left1 * z;
      } else {
        x -= left0 * y;
      }
      memcpy(a + j, &x, sizeof x);
    }
    if (columns) {
      load(y, columns + j);
      dot += x * y;
    }
    if (sums) {
      load(y, sums + j);
      y += factor * x;
      memcpy(sums + j, &y, sizeof y);
    }
  }
  R rest[lanes<R>] = {};
  for (size_t i = 0; j + i < n; ++i) {
    R value = a[j + i];
    if (r0) {
      value -= r1 ? l0 * r0[j + i] + l1 * r1[j + i] : l0 * r0[j + i];
      a[j + i] = value;
    }
    if (columns)
      rest[i] = value * columns[j + i];
    if (sums)
      sums[j + i] += row * value;
  }
  if (!columns)
    return 0;
  memcpy(&x, rest, sizeof x);
  dot += x;
  return sum_of_lanes<R, 1>(dot, 0);
}

template <class R>
Complex<R> sweep_row(Complex<R> *HLOKIT_RESTRICT a, size_t n, Complex<R> l0, const Complex<R> *HLOKIT_RESTRICT r0,
                     Complex<R> l1, const Complex<R> *HLOKIT_RESTRICT r1, const Complex<R> *HLOKIT_RESTRICT columns,
                     Complex<R> row, Complex<R> *HLOKIT_RESTRICT sums) {
  if (r0)
    subtract_inline(a, l0, r0, n);
  if (r1)
    subtract_inline(a, l1, r1, n);
  if (sums)
    add_inline(sums, row, a, n);
  return columns ? dot_of(a, columns, n) : Complex<R>(0);
}

template <class T> void sweep(const Sweep<T> &s) {
  const bool has_left = s.left[0] != nullptr, has_more = s.left[1] != nullptr;
  for (size_t i = 0; i < s.rows_count; ++i) {
    const size_t n = s.is_lower ? i : s.columns_count;
    const T dot = sweep_row(s.a + i * s.stride, n, has_left ? s.left[0][i] : T(0), s.right[0],
                            has_more ? s.left[1][i] : T(0), s.right[1], s.columns, s.rows ? s.rows[i] : T(0), s.sums);
    if (s.dots)
      s.dots[i] = dot;
  }
}

} // namespace
} // namespace hlokit::linalg
