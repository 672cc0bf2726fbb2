#include "kernels/linalg/reflectors.h"

#include <algorithm>

#include "kernels/linalg/products.h"
#include "kernels/linalg/vectors.h"
#include "support/should_stop.h"

namespace hlokit::linalg {
namespace {

// Reflectors of a block, which are applied together; fewer are applied one by one.
constexpr size_t block = 32;

// Reflectors `first` to `first + count` as 1 - v t v*: v [length - first, count], t upper triangular [count, count].
template <class T> struct Block {
  const T *v, *t;
  size_t length, count;
};

template <class T> Block<T> block_of(const Reflectors<T> &q, size_t first, size_t count, Workspace &workspace) {
  const size_t length = q.length - first;
  T *v = workspace.get<T>(length * count), *t = workspace.get<T>(count * count);
  for (size_t i = 0; i < length; ++i)
    for (size_t k = 0; k < count; ++k) {
      const auto at = static_cast<ptrdiff_t>(first + i) * q.row + static_cast<ptrdiff_t>(first + k) * q.column;
      v[i * count + k] = i == k ? T(1) : i < k ? T(0) : q.is_conjugate ? conj(q.data[at]) : q.data[at];
    }
  const Workspace::Scope scope(workspace);
  T *gram = workspace.get<T>(count * count);
  multiply(gram, count, adjoint<T>(v, count), plain<T>(v, count), count, count, length, workspace);
  std::fill(t, t + count * count, T(0));
  for (size_t k = 0; k < count; ++k) {
    const T tau = q.tau[first + k];
    t[k * count + k] = tau;
    for (size_t i = 0; i < k; ++i) {
      T sum(0);
      for (size_t j = i; j < k; ++j)
        sum = sum + t[i * count + j] * gram[j * count + k];
      t[i * count + k] = -(tau * sum);
    }
  }
  return {v, t, length, count};
}

// c := (1 - v op(t) v*) c
template <class T>
void apply_block(const Block<T> &q, bool is_adjoint, T *c, size_t stride, size_t n, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  T *weights = workspace.get<T>(q.count * n), *turned = workspace.get<T>(q.count * n);
  multiply(weights, n, adjoint(q.v, q.count), plain<T>(c, stride), q.count, n, q.length, workspace);
  multiply(turned, n, is_adjoint ? adjoint(q.t, q.count) : plain(q.t, q.count), plain<T>(weights, n), q.count, n, q.count,
           workspace);
  subtract_product(c, stride, plain(q.v, q.count), plain<T>(turned, n), q.length, n, q.count, workspace);
}

template <class T> void apply_one(const Reflectors<T> &q, size_t k, bool is_adjoint, T *c, size_t stride, size_t n, T *v, T *w) {
  const size_t length = q.length - k;
  for (size_t i = 1; i < length; ++i) {
    const T value = q.data[static_cast<ptrdiff_t>(k + i) * q.row + static_cast<ptrdiff_t>(k) * q.column];
    v[i] = q.is_conjugate ? conj(value) : value;
  }
  v[0] = T(1);
  vectors<T>().reflect(c, stride, length, n, v, is_adjoint ? conj(q.tau[k]) : q.tau[k], w);
}

// Factorises columns `first` to `last` of `a`, whose columns before `first` are factorised already.
template <class T>
void factor_columns(T *a, size_t m, size_t n, size_t first, size_t last, T *tau, T *v, T *w) {
  for (size_t k = first; k < last && !should_stop(); ++k) {
    const size_t length = m - k;
    for (size_t i = 0; i < length; ++i)
      v[i] = a[(k + i) * n + k];
    const Real<T> beta = make_reflector(v, length, tau[k]);
    for (size_t i = 1; i < length; ++i)
      a[(k + i) * n + k] = v[i];
    a[k * n + k] = T(beta);
    if (k + 1 < last && tau[k] != T(0))
      vectors<T>().reflect(a + k * n + k + 1, n, length, last - k - 1, v, conj(tau[k]), w);
  }
}

} // namespace

template <class T> Real<T> length_of(const T *x, size_t n) {
  using R = Real<T>;
  constexpr R top = sizeof(R) == 4 ? R(1e30) : R(1e290), bottom = sizeof(R) == 4 ? R(1e-25) : R(1e-270);
  const R sum = vectors<T>().squares(x, n);
  if (sum < top && sum > bottom)
    return root(sum);
  R largest = 0;
  for (size_t i = 0; i < n; ++i)
    for (const R part : {magnitude(real(x[i])), magnitude(imag(x[i]))}) {
      if (is_nan(part))
        return part;
      largest = std::max(largest, part);
    }
  if (largest == 0 || !is_finite(largest))
    return largest;
  R scaled = 0;
  for (size_t i = 0; i < n; ++i)
    scaled += square(x[i] / largest);
  return largest * root(scaled);
}

template <class T> Real<T> make_reflector(T *x, size_t n, T &tau) {
  using R = Real<T>;
  tau = T(0);
  if (!n)
    return 0;
  const T alpha = x[0];
  const R rest = length_of(x + 1, n - 1);
  x[0] = T(1);
  if (rest == 0 && imag(alpha) == 0)
    return real(alpha);
  const R beta = -with_sign(hypotenuse(absolute(alpha), rest), real(alpha));
  // Subnormal numbers have too few digits for an orthogonal reflector.
  constexpr R small = sizeof(R) == 4 ? R(1e-30) : R(1e-280), factor = sizeof(R) == 4 ? R(0x1p80) : R(0x1p600);
  if (magnitude(beta) < small) {
    x[0] = factor * alpha;
    for (size_t i = 1; i < n; ++i)
      x[i] = factor * x[i];
    return make_reflector(x, n, tau) / factor;
  }
  const T divisor = alpha - T(beta);
  tau = (T(beta) - alpha) / beta;
  for (size_t i = 1; i < n; ++i)
    x[i] = x[i] / divisor;
  return beta;
}

template <class T>
void apply_reflectors(const Reflectors<T> &q, bool is_adjoint, T *c, size_t stride, size_t n, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  if (q.count < block || n < block / 4) {
    T *v = workspace.get<T>(q.length), *w = workspace.get<T>(n);
    for (size_t k = 0; k < q.count; ++k) {
      const size_t at = is_adjoint ? k : q.count - 1 - k;
      apply_one(q, at, is_adjoint, c + at * stride, stride, n, v, w);
    }
    return;
  }
  const size_t blocks = (q.count + block - 1) / block;
  for (size_t number = 0; number < blocks; ++number) {
    const Workspace::Scope inner(workspace);
    const size_t first = (is_adjoint ? number : blocks - 1 - number) * block, count = std::min(block, q.count - first);
    apply_block(block_of(q, first, count, workspace), is_adjoint, c + first * stride, stride, n, workspace);
  }
}

template <class T>
void make_product(const Reflectors<T> &reflectors, T *q, size_t stride, size_t n, Workspace &workspace) {
  for (size_t i = 0; i < reflectors.length; ++i) {
    std::fill(q + i * stride, q + i * stride + n, T(0));
    if (i < n)
      q[i * stride + i] = T(1);
  }
  const Workspace::Scope scope(workspace);
  if (reflectors.count < block) {
    T *v = workspace.get<T>(reflectors.length), *w = workspace.get<T>(n);
    for (size_t k = reflectors.count; k-- > 0;)
      apply_one(reflectors, k, false, q + k * stride + k, stride, n - k, v, w);
    return;
  }
  // Rows and columns before a block are still those of the identity.
  for (size_t number = (reflectors.count + block - 1) / block; number-- > 0;) {
    const Workspace::Scope inner(workspace);
    const size_t first = number * block, count = std::min(block, reflectors.count - first);
    apply_block(block_of(reflectors, first, count, workspace), false, q + first * stride + first, stride, n - first,
                workspace);
  }
}

template <class T>
void make_transposed_reduction(const T *a, size_t size, const T *tau, T *qt, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  const size_t less = size - 1;
  T *q = workspace.get<T>(less * less);
  make_product<T>({a + size, static_cast<ptrdiff_t>(size), 1, tau, less, less}, q, less, less, workspace);
  std::fill(qt, qt + size * size, T(0));
  qt[0] = T(1);
  for (size_t i = 0; i < less; ++i)
    for (size_t j = 0; j < less; ++j)
      qt[(j + 1) * size + i + 1] = q[i * less + j];
}

template <class T> void geqrf(T *a, size_t m, size_t n, T *tau, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  const size_t count = std::min(m, n);
  T *v = workspace.get<T>(m), *w = workspace.get<T>(n);
  if (count <= 2 * block) {
    factor_columns(a, m, n, 0, count, tau, v, w);
    if (n > count)
      apply_reflectors<T>({a, static_cast<ptrdiff_t>(n), 1, tau, m, count}, true, a + count, n, n - count, workspace);
    return;
  }
  const Reflectors<T> all{a, static_cast<ptrdiff_t>(n), 1, tau, m, count};
  for (size_t first = 0; first < count && !should_stop(); first += block) {
    const Workspace::Scope inner(workspace);
    const size_t last = std::min(first + block, count);
    factor_columns(a, m, n, first, last, tau, v, w);
    if (last < n)
      apply_block(block_of(all, first, last - first, workspace), true, a + first * n + last, n, n - last, workspace);
  }
}

template <class T> void geqp3(T *a, size_t m, size_t n, int32_t *pivots, T *tau, Workspace &workspace) {
  using R = Real<T>;
  const Workspace::Scope scope(workspace);
  T *v = workspace.get<T>(m), *w = workspace.get<T>(n);
  R *sizes = workspace.get<R>(n);
  const auto swap_columns = [&](size_t one, size_t other) {
    if (one == other)
      return;
    for (size_t i = 0; i < m; ++i)
      std::swap(a[i * n + one], a[i * n + other]);
    std::swap(pivots[one], pivots[other]);
  };
  // The columns that come first keep their order, and so do the others.
  int32_t *order = workspace.get<int32_t>(n);
  size_t fixed = 0, at = 0;
  for (size_t j = 0; j < n; ++j)
    if (pivots[j])
      order[fixed++] = static_cast<int32_t>(j);
  at = fixed;
  for (size_t j = 0; j < n; ++j)
    if (!pivots[j])
      order[at++] = static_cast<int32_t>(j);
  for (size_t i = 0; i < m && fixed; ++i) {
    for (size_t j = 0; j < n; ++j)
      w[j] = a[i * n + static_cast<size_t>(order[j])];
    std::copy(w, w + n, a + i * n);
  }
  for (size_t j = 0; j < n; ++j)
    pivots[j] = order[j] + 1;
  // Squares must neither overflow nor vanish.
  constexpr R top = sizeof(R) == 4 ? R(1e15) : R(1e140);
  R largest = 0;
  for (size_t i = 0; i < m * n; ++i)
    for (const R part : {magnitude(real(a[i])), magnitude(imag(a[i]))})
      largest = part > largest ? part : largest;
  const bool is_plain = (largest < top && largest > 1 / top) || !is_finite(largest);
  const R scale = is_plain ? R(1) : 1 / std::max(largest, least_normal<R>);
  for (size_t k = 0; k < std::min(m, n) && !should_stop(); ++k) {
    if (k >= fixed) {
      std::fill(sizes + k, sizes + n, R(0));
      for (size_t i = k; i < m; ++i)
        for (size_t j = k; j < n; ++j)
          sizes[j] += square(scale * a[i * n + j]);
      size_t best = k;
      for (size_t j = k; j < n; ++j) {
        if (is_nan(sizes[j])) {
          best = j;
          break;
        }
        if (sizes[j] > sizes[best])
          best = j;
      }
      swap_columns(k, best);
    }
    factor_columns(a, m, n, k, k + 1, tau, v, w);
    if (k + 1 < n && tau[k] != T(0))
      vectors<T>().reflect(a + k * n + k + 1, n, m - k, n - k - 1, v, conj(tau[k]), w);
  }
}

template <class T> void orgqr(T *a, size_t m, size_t n, const T *tau, size_t count, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  T *packed = workspace.get<T>(m * count);
  for (size_t i = 0; i < m; ++i)
    std::copy(a + i * n, a + i * n + count, packed + i * count);
  make_product<T>({packed, static_cast<ptrdiff_t>(count), 1, tau, m, count}, a, n, n, workspace);
}

template <class T>
void ormqr(const T *a, size_t length, size_t count, const T *tau, T *c, size_t rows, size_t columns, bool is_left,
           bool is_adjoint, Workspace &workspace) {
  const Reflectors<T> q{a, static_cast<ptrdiff_t>(count), 1, tau, length, count};
  if (is_left) {
    apply_reflectors(q, is_adjoint, c, columns, columns, workspace);
    return;
  }
  // c Q is the adjoint of Q* c*.
  const Workspace::Scope scope(workspace);
  T *turned = workspace.get<T>(rows * columns);
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j)
      turned[j * rows + i] = conj(c[i * columns + j]);
  apply_reflectors(q, !is_adjoint, turned, rows, rows, workspace);
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j)
      c[i * columns + j] = conj(turned[j * rows + i]);
}

#define HLOKIT_INSTANTIATE(T)                                                                                          \
  template Real<T> length_of(const T *, size_t);                                                                       \
  template Real<T> make_reflector(T *, size_t, T &);                                                                   \
  template void apply_reflectors(const Reflectors<T> &, bool, T *, size_t, size_t, Workspace &);                       \
  template void make_product(const Reflectors<T> &, T *, size_t, size_t, Workspace &);                                 \
  template void make_transposed_reduction(const T *, size_t, const T *, T *, Workspace &);                             \
  template void geqrf(T *, size_t, size_t, T *, Workspace &);                                                          \
  template void geqp3(T *, size_t, size_t, int32_t *, T *, Workspace &);                                               \
  template void orgqr(T *, size_t, size_t, const T *, size_t, Workspace &);                                            \
  template void ormqr(const T *, size_t, size_t, const T *, T *, size_t, size_t, bool, bool, Workspace &);
HLOKIT_INSTANTIATE(float)
HLOKIT_INSTANTIATE(double)
HLOKIT_INSTANTIATE(Complex<float>)
HLOKIT_INSTANTIATE(Complex<double>)
#undef HLOKIT_INSTANTIATE

} // namespace hlokit::linalg
