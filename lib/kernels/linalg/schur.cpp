#include "kernels/linalg/spectral.h"

#include <algorithm>
#include <cmath>

#include "kernels/linalg/reflectors.h"
#include "kernels/linalg/rotations.h"
#include "kernels/linalg/vectors.h"
#include "support/should_stop.h"

namespace hlokit::linalg {
namespace {

constexpr double eps = epsilon<double>;
// The sweeps that an eigenvalue may take on average. Every `unusual` sweeps for one eigenvalue, an unusual shift breaks
// cycles.
constexpr int sweeps_per_eigenvalue = 30, unusual = 10;

// The QR algorithm on a Hessenberg matrix, with bulges of two shifts if it is real and of one if it is complex. The tests and
// shifts are LAPACK's (dlahqr, zlahqr).
template <class T> class Iteration {
public:
  Iteration(T *h, size_t size, T *zt) : h_(h), size_(size), zt_(zt), tiny_(least_normal<double> * (double(size) / eps)) {}

  bool run() {
    size_t end = size_; // rows from here on are done
    size_t left = sweeps_per_eigenvalue * std::max<size_t>(10, size_);
    for (size_t sweep = 0; end > 0;) {
      if (should_stop())
        return false;
      const size_t last = end - 1, first = start_of_block(last);
      if (first == last) {
        end = last;
        sweep = 0;
        continue;
      }
      if constexpr (!is_complex<T>)
        if (first + 1 == last) {
          standardise(first);
          end = first;
          sweep = 0;
          continue;
        }
      if (!left--)
        return false;
      ++sweep;
      chase(first, last, sweep);
    }
    return true;
  }

private:
  T &at(size_t row, size_t column) { return h_[row * size_ + column]; }

  // The first row of the unreduced block that ends at `last`. Sets the negligible element below the diagonal before the
  // block to 0.
  size_t start_of_block(size_t last) {
    for (size_t k = last; k > 0; --k) {
      const double below = taxicab(at(k, k - 1));
      bool is_small = below <= tiny_;
      if (!is_small) {
        double scale = taxicab(at(k - 1, k - 1)) + taxicab(at(k, k));
        if (scale == 0) {
          scale += k >= 2 ? taxicab(at(k - 1, k - 2)) : 0;
          scale += k + 1 < size_ ? taxicab(at(k + 1, k)) : 0;
        }
        if (below <= eps * scale) { // Ahues and Tisseur, 1997
          const double above = taxicab(at(k - 1, k)), own = taxicab(at(k, k)), gap = taxicab(at(k - 1, k - 1) - at(k, k));
          const double ab = std::max(below, above), ba = std::min(below, above), aa = std::max(own, gap);
          const double bb = std::min(own, gap), sum = aa + ab;
          is_small = ba * (ab / sum) <= std::max(tiny_, eps * (bb * (aa / sum)));
        }
      }
      if (is_small) {
        at(k, k - 1) = T(0);
        return k;
      }
    }
    return 0;
  }

  // h := (1 - tau v v*)* h (1 - tau v v*) for v in `count` rows from `row` on, with zeros left of `column` in them, and below
  // row `bottom` in their columns.
  void transform(const T *v, T tau, size_t count, size_t row, size_t column, size_t bottom) {
    const Vectors<T> &loops = vectors<T>();
    loops.reflect_few(&at(row, column), size_, count, size_ - column, v, conj(tau));
    T factors[3];
    for (size_t i = 0; i < count; ++i)
      factors[i] = tau * v[i];
    for (size_t r = 0; r <= bottom; ++r) {
      T *x = &at(r, row);
      T sum = x[0] * factors[0] + x[1] * factors[1];
      if (count == 3)
        sum = sum + x[2] * factors[2];
      for (size_t i = 0; i < count; ++i)
        x[i] = x[i] - sum * conj(v[i]);
    }
    if (!zt_)
      return;
    T turned[3];
    for (size_t i = 0; i < count; ++i)
      turned[i] = conj(v[i]);
    loops.reflect_few(zt_ + row * size_, size_, count, size_, turned, tau);
  }

  void chase(size_t first, size_t last, size_t sweep);

  // Rotates a real 2x2 block on the diagonal: triangular if its eigenvalues are real, otherwise with equal elements on the
  // diagonal (LAPACK's dlanv2).
  void standardise(size_t first);

  T *h_;
  const size_t size_;
  T *zt_;
  const double tiny_;
};

Complex<double> root_of(Complex<double> z) {
  const double length = absolute(z);
  if (length == 0)
    return 0;
  if (z.re >= 0) {
    const double re = root((length + z.re) / 2);
    return {re, z.im / (2 * re)};
  }
  const double im = with_sign(root((length - z.re) / 2), z.im);
  return {z.im / (2 * im), im};
}

template <> void Iteration<Complex<double>>::chase(size_t first, size_t last, size_t sweep) {
  using T = Complex<double>;
  T shift = at(last, last);
  if (sweep % (2 * unusual) == unusual) {
    shift = at(first, first) + T(0.75 * taxicab(at(first + 1, first)));
  } else if (sweep % (2 * unusual) == 0) {
    shift = shift + T(0.75 * taxicab(at(last, last - 1)));
  } else { // the eigenvalue of the last block that is nearer to its last element
    const T product = root_of(at(last - 1, last)) * root_of(at(last, last - 1));
    double size = taxicab(product);
    if (size != 0) {
      const T half = 0.5 * (at(last - 1, last - 1) - shift);
      size = std::max(size, taxicab(half));
      const T x = half / size, u = product / size;
      T y = size * root_of(x * x + u * u);
      if (x.re * y.re + x.im * y.im < 0)
        y = -y;
      shift = shift - product * (product / (half + y));
    }
  }
  size_t start = last - 1;
  T v[2];
  for (;; --start) {
    T top = at(start, start) - shift, below = at(start + 1, start);
    const double size = taxicab(top) + taxicab(below);
    if (size != 0) {
      top = top / size;
      below = below / size;
    }
    v[0] = top;
    v[1] = below;
    if (start == first || taxicab(at(start, start - 1)) * taxicab(below) <=
                              eps * (taxicab(top) * (taxicab(at(start, start)) + taxicab(at(start + 1, start + 1)))))
      break;
  }
  for (size_t k = start; k < last; ++k) {
    if (k > start) {
      v[0] = at(k, k - 1);
      v[1] = at(k + 1, k - 1);
    }
    T tau;
    const double beta = make_reflector(v, 2, tau);
    if (k > start) {
      at(k, k - 1) = T(beta);
      at(k + 1, k - 1) = T(0);
    } else if (k > first) {
      at(k, k - 1) = (T(1) - conj(tau)) * at(k, k - 1);
    }
    transform(v, tau, 2, k, k, std::min(k + 2, last));
  }
}

template <> void Iteration<double>::chase(size_t first, size_t last, size_t sweep) {
  double h11 = at(last - 1, last - 1), h12 = at(last - 1, last), h21 = at(last, last - 1), h22 = at(last, last);
  if (sweep % unusual == 0) {
    const bool is_top = sweep % (2 * unusual) == unusual;
    const double size = is_top ? std::fabs(at(first + 1, first)) + std::fabs(at(first + 2, first + 1))
                               : std::fabs(at(last, last - 1)) + std::fabs(at(last - 1, last - 2));
    h11 = h22 = 0.75 * size + (is_top ? at(first, first) : at(last, last));
    h12 = -0.4375 * size;
    h21 = size;
  }
  // Both eigenvalues of the last block are the shifts; if they are real, twice the one that is nearer to its last element.
  double re1 = 0, im1 = 0, re2 = 0, im2 = 0;
  if (const double size = std::fabs(h11) + std::fabs(h12) + std::fabs(h21) + std::fabs(h22); size != 0) {
    h11 /= size;
    h12 /= size;
    h21 /= size;
    h22 /= size;
    const double half = (h11 + h22) / 2, determinant = (h11 - half) * (h22 - half) - h12 * h21;
    const double distance = root(std::fabs(determinant));
    if (determinant >= 0) {
      re1 = re2 = half * size;
      im1 = distance * size;
      im2 = -im1;
    } else {
      const double one = half + distance, other = half - distance;
      re1 = re2 = (std::fabs(one - h22) <= std::fabs(other - h22) ? one : other) * size;
    }
  }
  size_t start = last - 2;
  double v[3];
  for (;; --start) {
    const double h = at(start, start), next = at(start + 1, start + 1);
    double size = std::fabs(h - re2) + std::fabs(im2) + std::fabs(at(start + 1, start));
    const double below = at(start + 1, start) / size;
    v[0] = below * at(start, start + 1) + (h - re1) * ((h - re2) / size) - im1 * (im2 / size);
    v[1] = below * (h + next - re1 - re2);
    v[2] = below * at(start + 2, start + 1);
    size = std::fabs(v[0]) + std::fabs(v[1]) + std::fabs(v[2]);
    for (double &part : v)
      part /= size != 0 ? size : 1;
    if (start == first ||
        std::fabs(at(start, start - 1)) * (std::fabs(v[1]) + std::fabs(v[2])) <=
            eps * std::fabs(v[0]) * (std::fabs(at(start - 1, start - 1)) + std::fabs(h) + std::fabs(next)))
      break;
  }
  for (size_t k = start; k < last; ++k) {
    const size_t count = std::min<size_t>(3, last - k + 1);
    if (k > start)
      for (size_t i = 0; i < count; ++i)
        v[i] = at(k + i, k - 1);
    double tau;
    const double beta = make_reflector(v, count, tau);
    if (k > start) {
      at(k, k - 1) = beta;
      for (size_t i = 1; i < count; ++i)
        at(k + i, k - 1) = 0;
    } else if (k > first) {
      at(k, k - 1) *= 1 - tau;
    }
    transform(v, tau, count, k, k, std::min(k + 3, last));
  }
}

template <> void Iteration<double>::standardise(size_t first) {
  const size_t second = first + 1;
  double a = at(first, first), b = at(first, second), c = at(second, first), d = at(second, second), cs = 1, sn = 0;
  if (c == 0)
    return;
  if (b == 0) {
    cs = 0;
    sn = 1;
    std::swap(a, d);
    b = -c;
    c = 0;
  } else if (a - d != 0 || (b < 0) == (c < 0)) {
    double gap = a - d;
    const double p = gap / 2, larger = std::max(std::fabs(b), std::fabs(c));
    const double less = std::min(std::fabs(b), std::fabs(c)) * with_sign(1.0, b) * with_sign(1.0, c);
    const double scale = std::max(std::fabs(p), larger);
    double z = p / scale * p + larger / scale * less;
    if (z >= 4 * eps) { // real eigenvalues
      z = p + with_sign(root(scale) * root(z), p);
      a = d + z;
      d -= larger / z * less;
      const double length = hypotenuse(c, z);
      cs = z / length;
      sn = c / length;
      b -= c;
      c = 0;
    } else { // complex ones, or real ones that are almost equal: make the diagonal equal
      const double sigma = b + c, length = hypotenuse(sigma, gap);
      cs = root((1 + std::fabs(sigma) / length) / 2);
      sn = -(p / (length * cs)) * with_sign(1.0, sigma);
      const double aa = a * cs + b * sn, bb = b * cs - a * sn, cc = c * cs + d * sn, dd = d * cs - c * sn;
      a = aa * cs + cc * sn;
      b = bb * cs + dd * sn;
      c = cc * cs - aa * sn;
      d = dd * cs - bb * sn;
      const double mean = (a + d) / 2;
      a = d = mean;
      if (c != 0 && b == 0) {
        b = -c;
        c = 0;
        const double old = cs;
        cs = -sn;
        sn = old;
      } else if (c != 0 && (b < 0) == (c < 0)) { // real ones after all
        const double root_b = root(std::fabs(b)), root_c = root(std::fabs(c)), half = with_sign(root_b * root_c, c);
        const double factor = 1 / root(std::fabs(b + c)), cs1 = root_b * factor, sn1 = root_c * factor, old = cs;
        a = mean + half;
        d = mean - half;
        b -= c;
        c = 0;
        cs = old * cs1 - sn * sn1;
        sn = old * sn1 + sn * cs1;
      }
    }
  } else {
    return;
  }
  const Rotation<double> rotation{first, cs, sn};
  const Vectors<double> &loops = vectors<double>();
  loops.rotate(h_ + first, size_, size_ - first, &rotation, 1);
  for (size_t r = 0; r <= second; ++r) {
    const double x = at(r, first), y = at(r, second);
    at(r, first) = cs * x + sn * y;
    at(r, second) = cs * y - sn * x;
  }
  if (zt_)
    loops.rotate(zt_, size_, size_, &rotation, 1);
  at(first, first) = a;
  at(first, second) = b;
  at(second, first) = c;
  at(second, second) = d;
}

} // namespace

template <class T> bool make_schur_form(T *a, size_t size, T *zt, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  if (!size)
    return true;
  T *tau = workspace.get<T>(size);
  gehrd(a, size, 0, size, tau, workspace);
  if (zt)
    make_transposed_reduction(a, size, tau, zt, workspace);
  for (size_t i = 2; i < size; ++i)
    std::fill(a + i * size, a + i * size + i - 1, T(0));
  return Iteration<T>(a, size, zt).run();
}

template <class T> void read_eigenvalues(const T *form, size_t size, Complex<double> *values) {
  for (size_t i = 0; i < size; ++i) {
    const T &own = form[i * size + i];
    values[i] = {real(own), imag(own)};
  }
  if constexpr (!is_complex<T>)
    for (size_t i = 0; i + 1 < size; ++i)
      if (const double below = form[(i + 1) * size + i]; below != 0) {
        values[i].im = root(std::fabs(form[i * size + i + 1])) * root(std::fabs(below));
        values[i + 1].im = -values[i].im;
      }
}

template <class T> int32_t gees(T *a, T *z, Complex<double> *values, size_t size, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  const double largest = largest_part(a, size * size), factor = scale_for(largest);
  bool is_done = is_finite(largest);
  if (is_done) {
    scale(a, size * size, factor);
    T *zt = workspace.get<T>(size * size);
    is_done = make_schur_form(a, size, zt, workspace);
    scale(a, size * size, 1 / factor);
    read_eigenvalues(a, size, values);
    for (size_t i = 0; i < size; ++i)
      for (size_t j = 0; j < size; ++j)
        z[i * size + j] = zt[j * size + i];
  }
  if (!is_done) {
    std::fill(a, a + size * size, T(nan));
    std::fill(z, z + size * size, T(nan));
    std::fill(values, values + size, Complex<double>(nan, is_complex<T> ? nan : 0));
  }
  return is_done ? 0 : 1;
}

#define HLOKIT_INSTANTIATE(T)                                                                                          \
  template bool make_schur_form(T *, size_t, T *, Workspace &);                                                        \
  template void read_eigenvalues(const T *, size_t, Complex<double> *);                                                \
  template int32_t gees(T *, T *, Complex<double> *, size_t, Workspace &);
HLOKIT_INSTANTIATE(double)
HLOKIT_INSTANTIATE(Complex<double>)
#undef HLOKIT_INSTANTIATE

} // namespace hlokit::linalg
