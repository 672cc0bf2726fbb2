#include "kernels/linalg/spectral.h"

#include <algorithm>

#include "kernels/linalg/products.h"
#include "kernels/linalg/reflectors.h"
#include "kernels/linalg/rotations.h"
#include "kernels/linalg/vectors.h"
#include "support/should_stop.h"

namespace hlokit::linalg {
namespace {

// Bidiagonal form ------------------------------------------------------------------------------------------------

// a [m, n], m >= n, becomes Q* a P: `diagonal` and the `off_diagonal` above it, both real. Columns keep the vectors of Q's
// reflectors below the diagonal, rows those of P's right of the off-diagonal.
template <class T>
void bidiagonalise(T *a, size_t m, size_t n, double *diagonal, double *off_diagonal, T *tau_q, T *tau_p,
                   Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  const Vectors<T> &loops = vectors<T>();
  T *v = workspace.get<T>(m), *v_conj = workspace.get<T>(m), *y = workspace.get<T>(m);
  T *w = workspace.get<T>(n), *u = workspace.get<T>(n), *u_conj = workspace.get<T>(n);
  bool waits = false; // whether the previous step's update from the right, a -= y u*, is still to be applied
  for (size_t i = 0; i < n && !should_stop(); ++i) {
    for (size_t r = i; r < m; ++r) {
      if (waits)
        a[r * n + i] = a[r * n + i] - y[r] * u_conj[i];
      v[r] = a[r * n + i];
    }
    diagonal[i] = make_reflector(v + i, m - i, tau_q[i]);
    for (size_t r = i; r < m; ++r) {
      a[r * n + i] = v[r];
      v_conj[r] = conj(v[r]);
    }
    const size_t first = i + 1, count = n - first;
    if (!count)
      break;
    std::fill(w + first, w + n, T(0));
    T *corner = a + i * n + first;
    loops.sweep({corner, n, m - i, count, {waits ? y + i : nullptr, nullptr}, {waits ? u_conj + first : nullptr, nullptr},
                 nullptr, nullptr, v_conj + i, w + first, false});
    const T factor = conj(tau_q[i]);
    for (size_t j = first; j < n; ++j)
      u[j] = conj(a[i * n + j] - factor * w[j]);
    for (size_t r = first; r < m; ++r)
      v[r] = factor * v[r];
    off_diagonal[i] = make_reflector(u + first, count, tau_p[i]);
    for (size_t j = first; j < n; ++j) {
      a[i * n + j] = u[j];
      u_conj[j] = conj(u[j]);
    }
    loops.sweep({corner + n, n, m - first, count, {v + first, nullptr}, {w + first, nullptr}, u + first, y + first, nullptr,
                 nullptr, false});
    for (size_t r = first; r < m; ++r)
      y[r] = tau_p[i] * y[r];
    waits = true;
  }
}

// QR on a bidiagonal matrix ----------------------------------------------------------------------------------------

// The least singular value of [[f, g], [0, h]].
double least_of_two(double f, double g, double h) {
  f = std::fabs(f);
  g = std::fabs(g);
  h = std::fabs(h);
  const double small = std::min(f, h), large = std::max(f, h);
  if (small == 0)
    return 0;
  if (g < large) {
    const double sum = 1 + small / large, gap = (large - small) / large, off = (g / large) * (g / large);
    return small * (2 / (root(sum * sum + off) + root(gap * gap + off)));
  }
  const double ratio = large / g;
  if (ratio == 0)
    return small * large / g;
  const double sum = (1 + small / large) * ratio, gap = (large - small) / large * ratio;
  return 2 * (small * (1 / (root(1 + sum * sum) + root(1 + gap * gap)))) * ratio;
}

// The implicit QR algorithm of Golub and Kahan, without a shift where that would cost small values their accuracy (Demmel
// and Kahan, 1990).
class Bidiagonal {
public:
  Bidiagonal(double *diagonal, double *off_diagonal, size_t size, Rotations &left, Rotations &right)
      : d_(diagonal), e_(off_diagonal), size_(size), left_(left), right_(right) {}

  // Returns whether it converged; values may be negative, and are in no order.
  bool diagonalise() {
    if (size_ < 2)
      return true;
    double mu = std::fabs(d_[0]), least = mu;
    for (size_t i = 1; i < size_ && least > 0; ++i) {
      mu = std::fabs(d_[i]) * (mu / (mu + std::fabs(e_[i - 1])));
      least = std::min(least, mu);
    }
    const double count = double(size_);
    const double threshold = std::max(tolerance * (least / root(count)), 6 * count * count * least_normal<double>);
    // Rotations, as many as LAPACK allows.
    double left = 6 * count * count + 100;
    size_t last = size_ - 1, old_first = size_, old_last = size_;
    bool goes_down = true;
    while (last > 0 && !should_stop()) {
      size_t first = last;
      largest_ = std::fabs(d_[last]);
      while (first > 0 && std::fabs(e_[first - 1]) > threshold) {
        --first;
        largest_ = std::max({largest_, std::fabs(d_[first]), std::fabs(e_[first])});
      }
      if (first > 0)
        e_[first - 1] = 0;
      if (first == last) {
        --last;
        continue;
      }
      if (first > old_last || last < old_first || old_first == size_)
        goes_down = std::fabs(d_[first]) >= std::fabs(d_[last]);
      old_first = first;
      old_last = last;
      if (splits(first, last, goes_down))
        continue;
      left -= double(last - first);
      if (!(left > 0))
        return false;
      const double shift = shift_of(first, last, goes_down);
      if (goes_down)
        shift == 0 ? down(first, last) : down(first, last, shift);
      else
        shift == 0 ? up(first, last) : up(first, last, shift);
    }
    left_.flush();
    right_.flush();
    return true;
  }

private:
  // Singular values to this relative error.
  static constexpr double tolerance = 50 * epsilon<double>;

  // Sets a negligible off-diagonal element to 0; computes a lower bound of the singular values.
  bool splits(size_t first, size_t last, bool goes_down) {
    const auto drop = [&](size_t at, double size) {
      if (!(std::fabs(e_[at]) <= tolerance * size))
        return false;
      e_[at] = 0;
      return true;
    };
    if (goes_down ? drop(last - 1, std::fabs(d_[last])) : drop(first, std::fabs(d_[first])))
      return true;
    double mu = std::fabs(d_[goes_down ? first : last]);
    least_ = mu;
    for (size_t step = 0; step < last - first; ++step) {
      const size_t at = goes_down ? first + step : last - 1 - step;
      if (drop(at, mu))
        return true;
      mu = std::fabs(d_[goes_down ? at + 1 : at]) * (mu / (mu + std::fabs(e_[at])));
      least_ = std::min(least_, mu);
    }
    return false;
  }

  double shift_of(size_t first, size_t last, bool goes_down) const {
    if (double(size_) * tolerance * (least_ / largest_) <= std::max(epsilon<double>, 0.01 * tolerance))
      return 0;
    const size_t at = goes_down ? last - 1 : first;
    const double shift = least_of_two(d_[at], e_[at], d_[at + 1]), start = std::fabs(d_[goes_down ? first : last]);
    return start > 0 && (shift / start) * (shift / start) < epsilon<double> ? 0 : shift;
  }

  static double start_of(double d, double shift) { return (std::fabs(d) - shift) * (with_sign(1.0, d) + shift / d); }

  void down(size_t first, size_t last, double shift) {
    double f = start_of(d_[first], shift), g = e_[first];
    for (size_t i = first; i < last; ++i) {
      double c, s;
      const double r = make_rotation(f, g, c, s);
      if (i > first)
        e_[i - 1] = r;
      f = c * d_[i] + s * e_[i];
      e_[i] = c * e_[i] - s * d_[i];
      g = s * d_[i + 1];
      d_[i + 1] = c * d_[i + 1];
      right_.add(i, c, s);
      d_[i] = make_rotation(f, g, c, s);
      f = c * e_[i] + s * d_[i + 1];
      d_[i + 1] = c * d_[i + 1] - s * e_[i];
      if (i + 1 < last) {
        g = s * e_[i + 1];
        e_[i + 1] = c * e_[i + 1];
      }
      left_.add(i, c, s);
    }
    e_[last - 1] = f;
  }

  void down(size_t first, size_t last) {
    double c = 1, s = 0, old_c = 1, old_s = 0;
    for (size_t i = first; i < last; ++i) {
      const double r = make_rotation(d_[i] * c, e_[i], c, s);
      if (i > first)
        e_[i - 1] = old_s * r;
      d_[i] = make_rotation(old_c * r, d_[i + 1] * s, old_c, old_s);
      right_.add(i, c, s);
      left_.add(i, old_c, old_s);
    }
    const double h = d_[last] * c;
    d_[last] = h * old_c;
    e_[last - 1] = h * old_s;
  }

  void up(size_t first, size_t last, double shift) {
    double f = start_of(d_[last], shift), g = e_[last - 1];
    for (size_t i = last; i > first; --i) {
      double c, s;
      const double r = make_rotation(f, g, c, s);
      if (i < last)
        e_[i] = r;
      f = c * d_[i] + s * e_[i - 1];
      e_[i - 1] = c * e_[i - 1] - s * d_[i];
      g = s * d_[i - 1];
      d_[i - 1] = c * d_[i - 1];
      left_.add(i - 1, c, -s);
      d_[i] = make_rotation(f, g, c, s);
      f = c * e_[i - 1] + s * d_[i - 1];
      d_[i - 1] = c * d_[i - 1] - s * e_[i - 1];
      if (i > first + 1) {
        g = s * e_[i - 2];
        e_[i - 2] = c * e_[i - 2];
      }
      right_.add(i - 1, c, -s);
    }
    e_[first] = f;
  }

  void up(size_t first, size_t last) {
    double c = 1, s = 0, old_c = 1, old_s = 0;
    for (size_t i = last; i > first; --i) {
      const double r = make_rotation(d_[i] * c, e_[i - 1], c, s);
      if (i < last)
        e_[i] = old_s * r;
      d_[i] = make_rotation(old_c * r, d_[i - 1] * s, old_c, old_s);
      left_.add(i - 1, c, -s);
      right_.add(i - 1, old_c, -old_s);
    }
    const double h = d_[first] * c;
    d_[first] = h * old_c;
    e_[first] = h * old_s;
  }

  double *d_, *e_;
  size_t size_;
  Rotations &left_, &right_;
  double least_ = 0, largest_ = 0;
};

// From this ratio of rows to columns on, the triangle of a QR factorisation is decomposed instead.
constexpr size_t tall = 2;

} // namespace

template <class T>
int32_t gesvd(T *a, size_t m, size_t n, double *values, T *u, size_t u_columns, T *vt, size_t vt_rows,
              Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  const size_t k = std::min(m, n), rows = std::max(m, n);
  const bool is_wide = m < n, has_vectors = u != nullptr;
  const double largest = largest_part(a, m * n), factor = scale_for(largest);
  bool is_done = is_finite(largest);
  scale(a, m * n, factor);
  double *off_diagonal = workspace.get<double>(k);
  T *ut = nullptr, *v = nullptr; // rows are vectors of a, or of its adjoint if it is wide: of the long side and the short one
  if (is_done) {
    T *matrix = a;
    if (is_wide) {
      matrix = workspace.get<T>(m * n);
      for (size_t i = 0; i < m; ++i)
        for (size_t j = 0; j < n; ++j)
          matrix[j * m + i] = conj(a[i * n + j]);
    }
    const size_t long_count = has_vectors ? (is_wide ? vt_rows : u_columns) : 0; // k, or `rows` for all
    T *tau_q = workspace.get<T>(k), *tau_p = workspace.get<T>(k);
    const auto stride = static_cast<ptrdiff_t>(k);
    T *first_q = nullptr;
    size_t height = rows;
    if (rows >= tall * k && rows > k) {
      geqrf(matrix, rows, k, tau_q, workspace);
      if (has_vectors) {
        first_q = workspace.get<T>(rows * long_count);
        make_product<T>({matrix, stride, 1, tau_q, rows, k}, first_q, long_count, long_count, workspace);
      }
      T *triangle = workspace.get<T>(k * k);
      for (size_t i = 0; i < k; ++i)
        for (size_t j = 0; j < k; ++j)
          triangle[i * k + j] = j < i ? T(0) : matrix[i * k + j];
      matrix = triangle;
      height = k;
    }
    bidiagonalise(matrix, height, k, values, off_diagonal, tau_q, tau_p, workspace);
    Rotations left, right;
    const size_t count = first_q ? k : long_count;
    if (has_vectors && k) {
      constexpr size_t parts = Parts<T>::count;
      ut = workspace.get<T>(count * height);
      v = workspace.get<T>(k * k);
      T *q = workspace.get<T>(height * count), *p = workspace.get<T>(k * k);
      make_product<T>({matrix, stride, 1, tau_q, height, k}, q, count, count, workspace);
      for (size_t i = 0; i < height; ++i)
        for (size_t j = 0; j < count; ++j)
          ut[j * height + i] = q[i * count + j];
      const size_t less = k - 1;
      make_product<T>({matrix + 1, 1, stride, tau_p, less, less}, p, less, less, workspace);
      for (size_t i = 0; i < k; ++i)
        for (size_t j = 0; j < k; ++j)
          v[i * k + j] = i && j ? conj(p[(j - 1) * less + i - 1]) : T(i == j ? 1.0 : 0.0);
      left = Rotations(reinterpret_cast<double *>(ut), parts * height, parts * height, workspace);
      right = Rotations(reinterpret_cast<double *>(v), parts * k, parts * k, workspace);
    }
    is_done = Bidiagonal(values, off_diagonal, k, left, right).diagonalise();
    if (first_q && is_done && k) {
      T *whole = workspace.get<T>(long_count * rows);
      multiply(whole, rows, plain<T>(ut, k), transposed<T>(first_q, long_count), k, rows, k, workspace);
      for (size_t i = 0; i < rows; ++i)
        for (size_t j = k; j < long_count; ++j)
          whole[j * rows + i] = first_q[i * long_count + j];
      ut = whole;
    }
  }
  if (!is_done) {
    std::fill(values, values + k, nan);
    if (has_vectors) {
      std::fill(u, u + m * u_columns, T(nan));
      std::fill(vt, vt + vt_rows * n, T(nan));
    }
    return 1;
  }
  size_t *order = workspace.get<size_t>(rows);
  for (size_t i = 0; i < rows; ++i)
    order[i] = i;
  std::sort(order, order + k, [&](size_t one, size_t other) {
    const double left = std::fabs(values[one]), right = std::fabs(values[other]);
    return left != right ? left > right : one < other;
  });
  if (has_vectors) {
    // a = u s vt. Of a wide matrix the adjoint has been decomposed, so u and vt change places.
    for (size_t j = 0; j < (is_wide ? vt_rows : u_columns); ++j)
      for (size_t i = 0; i < rows; ++i) {
        const T element = k ? ut[order[j] * rows + i] : T(i == j ? 1.0 : 0.0);
        if (is_wide)
          vt[j * n + i] = conj(element);
        else
          u[i * u_columns + j] = element;
      }
    for (size_t j = 0; j < k; ++j) {
      const double sign = with_sign(1.0, values[order[j]]);
      for (size_t i = 0; i < k; ++i) {
        const T element = T(sign) * v[order[j] * k + i];
        if (is_wide)
          u[i * k + j] = conj(element);
        else
          vt[j * k + i] = element;
      }
    }
  }
  for (size_t j = 0; j < k; ++j)
    off_diagonal[j] = std::fabs(values[order[j]]) * (1 / factor);
  std::copy(off_diagonal, off_diagonal + k, values);
  return 0;
}

template int32_t gesvd(double *, size_t, size_t, double *, double *, size_t, double *, size_t, Workspace &);
template int32_t gesvd(Complex<double> *, size_t, size_t, double *, Complex<double> *, size_t, Complex<double> *, size_t,
                       Workspace &);

} // namespace hlokit::linalg
