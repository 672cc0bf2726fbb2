#include "kernels/linalg/spectral.h"

#include <algorithm>

#include "kernels/linalg/reflectors.h"
#include "kernels/linalg/rotations.h"
#include "kernels/linalg/vectors.h"
#include "support/should_stop.h"

namespace hlokit::linalg {
namespace {

// Sweeps that an eigenvalue may take.
constexpr int most_sweeps = 60;

// The QL algorithm with implicit shifts: `diagonal` becomes the eigenvalues. off_diagonal has `size` elements, of which the
// last one is free. Returns whether it converged.
bool diagonalise(double *diagonal, double *off_diagonal, size_t size, Rotations &rotations) {
  double *d = diagonal, *e = off_diagonal;
  if (size)
    e[size - 1] = 0;
  for (size_t low = 0; low < size; ++low)
    for (int sweep = 0;; ++sweep) {
      size_t high = low;
      for (; high + 1 < size; ++high) {
        // As LAPACK compares: |e|^2 and eps^2 |d d|.
        const double left = std::fabs(d[high]), right = std::fabs(d[high + 1]), off = std::fabs(e[high]);
        if (off <= epsilon<double> / 2 * root(left) * root(right) || off < least_normal<double>)
          break;
      }
      if (high == low)
        break;
      if (sweep == most_sweeps || should_stop())
        return false;
      const double ratio = (d[low + 1] - d[low]) / (2 * e[low]);
      double g = d[high] - d[low] + e[low] / (ratio + with_sign(hypotenuse(ratio, 1.0), ratio));
      double s = 1, c = 1, p = 0;
      bool is_split = false;
      for (size_t i = high; i-- > low;) {
        const double f = s * e[i], b = c * e[i];
        const double length = hypotenuse(f, g);
        e[i + 1] = length;
        if (length == 0) {
          d[i + 1] -= p;
          e[high] = 0;
          is_split = true;
          break;
        }
        s = f / length;
        c = g / length;
        g = d[i + 1] - p;
        const double r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotations.add(i, c, -s);
      }
      if (is_split)
        continue;
      d[low] -= p;
      e[low] = g;
      e[high] = 0;
    }
  rotations.flush();
  return true;
}

} // namespace

template <class T> void sytrd(T *a, size_t size, double *diagonal, double *off_diagonal, T *tau, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  const Vectors<T> &loops = vectors<T>();
  T *memory[8];
  for (T *&part : memory)
    part = workspace.get<T>(size);
  // The update a -= v w* + w v* of a step is applied in the pass of the next step; elements of the vectors are numbered
  // like rows.
  T *v = memory[0], *w = memory[1], *v_conj = memory[2], *w_conj = memory[3];
  T *next = memory[4], *next_conj = memory[5], *dots = memory[6], *sums = memory[7];
  bool waits = false;
  for (size_t i = 0; i < size && !should_stop(); ++i) {
    if (waits)
      for (size_t j = i; j < size; ++j)
        a[j * size + i] = a[j * size + i] - (v[j] * w_conj[i] + w[j] * v_conj[i]);
    diagonal[i] = real(a[i * size + i]);
    a[i * size + i] = T(diagonal[i]);
    if (i + 1 == size)
      break;
    const size_t first = i + 1, count = size - first;
    for (size_t j = first; j < size; ++j)
      next[j] = a[j * size + i];
    off_diagonal[i] = make_reflector(next + first, count, tau[i]);
    a[first * size + i] = T(off_diagonal[i]);
    for (size_t j = first + 1; j < size; ++j)
      a[j * size + i] = next[j];
    for (size_t j = first; j < size; ++j) {
      next_conj[j] = conj(next[j]);
      sums[j] = T(0);
    }
    T *corner = a + first * size + first;
    const auto at = [first](T *x) { return x + first; };
    loops.sweep({corner, size, count, count,
                 {waits ? at(v) : nullptr, waits ? at(w) : nullptr},
                 {waits ? at(w_conj) : nullptr, waits ? at(v_conj) : nullptr},
                 at(next), at(dots), at(next_conj), at(sums), true});
    T inner(0);
    for (size_t j = first; j < size; ++j) {
      T &element = a[j * size + j];
      if (waits)
        element = element - (v[j] * w_conj[j] + w[j] * v_conj[j]);
      dots[j] = tau[i] * (dots[j] + conj(sums[j]) + T(real(element)) * next[j]);
      inner = inner + conj(dots[j]) * next[j];
    }
    const T alpha = T(-0.5) * tau[i] * inner;
    for (size_t j = first; j < size; ++j) {
      w[j] = dots[j] + alpha * next[j];
      w_conj[j] = conj(w[j]);
    }
    std::swap(v, next);
    std::swap(v_conj, next_conj);
    waits = true;
  }
}

template <class T>
int32_t syevd(T *a, size_t size, double *values, bool is_lower, bool has_vectors, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  double largest = 0;
  for (size_t i = 0; i < size; ++i) {
    if (!is_lower)
      for (size_t j = 0; j < i; ++j)
        a[i * size + j] = conj(a[j * size + i]);
    a[i * size + i] = T(real(a[i * size + i]));
    const double part = largest_part(a + i * size, i + 1);
    largest = is_nan(part) ? part : std::max(largest, part);
    if (!is_finite(largest)) {
      largest = nan;
      break;
    }
  }
  const double factor = scale_for(largest);
  scale(a, size * size, factor);
  double *off_diagonal = workspace.get<double>(size);
  T *tau = workspace.get<T>(size);
  bool is_done = is_finite(largest);
  T *rows = nullptr;
  if (is_done) {
    sytrd(a, size, values, off_diagonal, tau, workspace);
    Rotations rotations;
    if (has_vectors && size) {
      // Rows of `rows` are eigenvectors: first the columns of Q.
      rows = workspace.get<T>(size * size);
      make_transposed_reduction(a, size, tau, rows, workspace);
      constexpr size_t parts = Parts<T>::count;
      rotations = Rotations(reinterpret_cast<double *>(rows), parts * size, parts * size, workspace);
    }
    is_done = diagonalise(values, off_diagonal, size, rotations);
  }
  if (!is_done) {
    std::fill(values, values + size, nan);
    std::fill(a, a + size * size, T(nan));
    return 1;
  }
  size_t *order = workspace.get<size_t>(size);
  for (size_t i = 0; i < size; ++i)
    order[i] = i;
  std::sort(order, order + size, [&](size_t one, size_t other) {
    return values[one] != values[other] ? values[one] < values[other] : one < other;
  });
  for (size_t j = 0; j < size; ++j) {
    off_diagonal[j] = values[order[j]] * (1 / factor);
    for (size_t i = 0; rows && i < size; ++i)
      a[i * size + j] = rows[order[j] * size + i];
  }
  std::copy(off_diagonal, off_diagonal + size, values);
  return 0;
}

template <class T>
int32_t gtsv(const T *lower, const T *diagonal, const T *upper, T *x, size_t size, size_t columns, bool is_perturbed,
             Workspace &workspace) {
  using R = Real<T>;
  const Workspace::Scope scope(workspace);
  // A row of the triangle: the element on the diagonal and two after it.
  T *rows = workspace.get<T>(3 * size);
  int32_t info = 0;
  R largest = 0;
  for (size_t i = 0; i < size; ++i) {
    rows[3 * i] = diagonal[i];
    rows[3 * i + 1] = i + 1 < size ? upper[i] : T(0);
    rows[3 * i + 2] = T(0);
  }
  for (size_t i = 0; i + 1 < size; ++i) {
    T *pivot = rows + 3 * i, *other = pivot + 3;
    T *top = x + i * columns, *below = top + columns;
    const T first = lower[i + 1];
    T rest[3] = {first, other[0], other[1]}; // from the column of the pivot on
    if (taxicab(pivot[0]) < taxicab(first)) {
      std::swap_ranges(pivot, pivot + 3, rest);
      std::swap_ranges(top, below, below);
    }
    if (pivot[0] == T(0)) { // then there is nothing to eliminate
      info = info ? info : static_cast<int32_t>(i + 1);
      other[0] = rest[1];
      other[1] = rest[2];
      continue;
    }
    const T factor = rest[0] / pivot[0];
    other[0] = rest[1] - factor * pivot[1];
    other[1] = rest[2] - factor * pivot[2];
    vectors<T>().add(below, -factor, top, columns);
  }
  if (size && rows[3 * (size - 1)] == T(0) && !info)
    info = static_cast<int32_t>(size);
  for (size_t i = 0; i < 3 * size; ++i)
    largest = std::max(largest, absolute(rows[i]));
  const R least = (largest > 0 ? largest : R(1)) * epsilon<R>;
  for (size_t i = size; i-- > 0;) {
    T *row = rows + 3 * i, *solved = x + i * columns;
    if (is_perturbed && absolute(row[0]) < least)
      row[0] = T(real(row[0]) < 0 ? -least : least);
    for (size_t next = 1; next < 3 && i + next < size; ++next)
      vectors<T>().add(solved, -row[next], solved + next * columns, columns);
    for (size_t j = 0; j < columns; ++j)
      solved[j] = solved[j] / row[0];
  }
  return info;
}

#define HLOKIT_INSTANTIATE(T)                                                                                          \
  template void sytrd(T *, size_t, double *, double *, T *, Workspace &);                                              \
  template int32_t syevd(T *, size_t, double *, bool, bool, Workspace &);
HLOKIT_INSTANTIATE(double)
HLOKIT_INSTANTIATE(Complex<double>)
#undef HLOKIT_INSTANTIATE
template int32_t gtsv(const float *, const float *, const float *, float *, size_t, size_t, bool, Workspace &);
template int32_t gtsv(const double *, const double *, const double *, double *, size_t, size_t, bool, Workspace &);
template int32_t gtsv(const Complex<float> *, const Complex<float> *, const Complex<float> *, Complex<float> *, size_t,
                      size_t, bool, Workspace &);
template int32_t gtsv(const Complex<double> *, const Complex<double> *, const Complex<double> *, Complex<double> *,
                      size_t, size_t, bool, Workspace &);

} // namespace hlokit::linalg
