// Eigenvalues and eigenvectors of any square matrix: balance, Schur form, back substitution.
#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/linalg/products.h"
#include "kernels/linalg/rotations.h"
#include "kernels/linalg/spectral.h"
#include "kernels/linalg/vectors.h"
#include "support/should_stop.h"

namespace hlokit::linalg {
namespace {

using Number = Complex<double>;

// Balance ---------------------------------------------------------------------------------------------------------

// The changes to a matrix: first rows and columns swapped, then rows divided and columns multiplied by powers of two.
struct Balance {
  std::pair<size_t, size_t> *swaps;
  size_t count;
  double *factors;
};

// Scales each row and its column to about the same norm, after moving rows and columns with an isolated eigenvalue to
// the ends (LAPACK's gebal).
template <class T> Balance balance(T *a, size_t size, Workspace &workspace) {
  Balance result{workspace.get<std::pair<size_t, size_t>>(2 * size), 0, workspace.get<double>(size)};
  std::fill(result.factors, result.factors + size, 1.0);
  size_t low = 0, high = size;
  const auto swap = [&](size_t one, size_t other) {
    result.swaps[result.count++] = {one, other};
    if (one == other)
      return;
    for (size_t i = 0; i < size; ++i)
      std::swap(a[i * size + one], a[i * size + other]);
    std::swap_ranges(a + one * size, a + (one + 1) * size, a + other * size);
  };
  const auto is_alone = [&](size_t i, bool in_row) {
    for (size_t j = low; j < high; ++j)
      if (j != i && (in_row ? a[i * size + j] : a[j * size + i]) != T(0))
        return false;
    return true;
  };
  for (bool is_found = true; is_found && high > low;) {
    is_found = false;
    for (size_t i = high; i-- > low && !is_found;)
      if (is_alone(i, true)) {
        swap(i, --high);
        is_found = true;
      }
  }
  for (bool is_found = true; is_found && high > low;) {
    is_found = false;
    for (size_t i = low; i < high && !is_found; ++i)
      if (is_alone(i, false)) {
        swap(i, low++);
        is_found = true;
      }
  }
  // Bounds within which factors stay, so that nothing overflows.
  constexpr double top = 1e140;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t i = low; i < high; ++i) {
      double column = 0, row = 0;
      for (size_t j = low; j < high; ++j) {
        column += square(a[j * size + i]);
        row += square(a[i * size + j]);
      }
      column = root(column);
      row = root(row);
      if (column == 0 || row == 0)
        continue;
      const double sum = column + row;
      double factor = 1;
      while (column < row / 2 && factor * result.factors[i] < top) {
        factor *= 2;
        column *= 2;
        row /= 2;
      }
      while (column / 2 >= row && factor * result.factors[i] > 1 / top) {
        factor /= 2;
        column /= 2;
        row *= 2;
      }
      if (column + row >= 0.95 * sum)
        continue;
      is_changed = true;
      result.factors[i] *= factor;
      for (size_t j = 0; j < size; ++j) {
        a[i * size + j] = a[i * size + j] / factor;
        a[j * size + i] = factor * a[j * size + i];
      }
    }
  }
  return result;
}

// Rows of eigenvectors of the balanced matrix become those of the matrix.
void undo(const Balance &balance, Number *vectors, size_t size, bool is_left) {
  for (size_t i = 0; i < size; ++i)
    for (size_t j = 0; j < size; ++j) {
      Number &element = vectors[i * size + j];
      element = is_left ? element / balance.factors[i] : balance.factors[i] * element;
    }
  for (size_t k = balance.count; k-- > 0;) {
    const auto [one, other] = balance.swaps[k];
    if (one != other)
      std::swap_ranges(vectors + one * size, vectors + (one + 1) * size, vectors + other * size);
  }
}

// Back substitution -----------------------------------------------------------------------------------------------

// A vector as real and imaginary parts if the matrix is real, otherwise as complex numbers.
template <class T> struct Parted {
  T *re, *im; // null for complex numbers

  Number get(size_t i) const {
    if constexpr (is_complex<T>)
      return re[i];
    else
      return {re[i], im[i]};
  }
  void set(size_t i, Number value) const {
    if constexpr (is_complex<T>) {
      re[i] = value;
    } else {
      re[i] = value.re;
      im[i] = value.im;
    }
  }
  // The sum of row[i] x[i], for i from `first` to `last`.
  Number dot(const T *row, size_t first, size_t last) const {
    const Vectors<T> &loops = vectors<T>();
    if constexpr (is_complex<T>)
      return loops.dot(row + first, re + first, last - first);
    else
      return {loops.dot(row + first, re + first, last - first), loops.dot(row + first, im + first, last - first)};
  }
};

// If an element exceeds this size, the whole vector is scaled down.
constexpr double too_large = 1e100;

Number away_from_0(Number x, double least) { return taxicab(x) < least ? Number(least) : x; }

// x with t x = value x, for the eigenvalue that ends (is the last of its block) at row `end` of a Schur form.
template <class T>
void substitute(const T *t, size_t size, size_t end, Number value, double norm, const Parted<T> &x) {
  const auto at = [&](size_t i, size_t j) {
    const T &element = t[i * size + j];
    return Number(real(element), imag(element));
  };
  const auto has_block = [&](size_t last) { return !is_complex<T> && last > 0 && t[last * size + last - 1] != T(0); };
  const double least = std::max(epsilon<double> * taxicab(value), std::max(1e-150 * norm, least_normal<double> / epsilon<double>));
  for (size_t i = 0; i < size; ++i)
    x.set(i, 0);
  size_t row = end; // rows from here on are done
  if (has_block(end)) {
    const double upper = real(at(end - 1, end)), lower = real(at(end, end - 1));
    const bool is_upper = std::fabs(upper) >= std::fabs(lower);
    x.set(end - 1, is_upper ? Number(1) : Number(0, value.im / lower));
    x.set(end, is_upper ? Number(0, value.im / upper) : Number(1));
    row = end - 1;
  } else {
    x.set(end, 1);
  }
  while (row > 0 && !should_stop()) {
    const size_t j = row - 1;
    const bool is_block = has_block(j);
    const size_t first = is_block ? j - 1 : j;
    const Number below = -x.dot(t + j * size, row, end + 1);
    if (is_block) {
      const Number above = -x.dot(t + first * size, row, end + 1);
      const Number a = at(first, first) - value, b = at(first, j), c = at(j, first), d = at(j, j) - value;
      // Divided by the largest, so that the determinant does not overflow.
      const double size_of_block = std::max({taxicab(a), taxicab(b), taxicab(c), taxicab(d), least});
      const Number determinant = away_from_0((a / size_of_block) * d - (b / size_of_block) * c, least);
      x.set(first, ((d / size_of_block) * above - (b / size_of_block) * below) / determinant);
      x.set(j, ((a / size_of_block) * below - (c / size_of_block) * above) / determinant);
    } else {
      x.set(j, below / away_from_0(at(j, j) - value, least));
    }
    row = first;
    const double largest = std::max(taxicab(x.get(first)), taxicab(x.get(j)));
    if (largest > too_large)
      for (size_t i = first; i <= end; ++i)
        x.set(i, x.get(i) / largest);
  }
}

// Eigenvectors of a Schur form with z t z*, in columns of `result`: right ones, or the conjugates of left ones.
template <class T>
void eigenvectors(const T *t, const T *zt, const Number *values, size_t size, bool is_left, Number *result,
                  Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  const T *form = t;
  if (is_left) {
    // Left vectors are right vectors of the matrix that is mirrored at its antidiagonal.
    T *turned = workspace.get<T>(size * size);
    for (size_t i = 0; i < size; ++i)
      for (size_t j = 0; j < size; ++j)
        turned[i * size + j] = t[(size - 1 - j) * size + size - 1 - i];
    form = turned;
  }
  const double norm = largest_part(t, size * size);
  T *parts[2] = {workspace.get<T>(size * size), is_complex<T> ? nullptr : workspace.get<T>(size * size)};
  Parted<T> x{workspace.get<T>(size), workspace.get<T>(size)};
  for (size_t k = 0; k < size; ++k) {
    const bool is_pair = !is_complex<T> && values[k].im != 0;
    const size_t end = is_left ? size - 1 - k : is_pair ? k + 1 : k;
    substitute(form, size, end, values[k], norm, x);
    // Rows of `parts` are vectors.
    for (size_t i = 0; i < size; ++i) {
      const size_t from = is_left ? size - 1 - i : i;
      for (size_t part = 0; part < 2; ++part)
        if (parts[part])
          parts[part][k * size + i] = (part ? x.im : x.re)[from];
    }
    if (is_pair) { // of the conjugate value
      for (size_t i = 0; i < size; ++i) {
        parts[0][(k + 1) * size + i] = parts[0][k * size + i];
        parts[1][(k + 1) * size + i] = -parts[1][k * size + i];
      }
      ++k;
    }
  }
  // Vectors of the matrix: z x; of conjugates of left vectors, conj(z) x.
  MatrixOperand<T> z = transposed(zt, size);
  z.is_conjugate = is_complex<T> && is_left;
  if constexpr (is_complex<T>) {
    multiply(result, size, z, transposed<T>(parts[0], size), size, size, size, workspace);
  } else {
    T *products[2];
    for (size_t part = 0; part < 2; ++part) {
      products[part] = workspace.get<T>(size * size);
      multiply(products[part], size, z, transposed<T>(parts[part], size), size, size, size, workspace);
    }
    for (size_t i = 0; i < size * size; ++i)
      result[i] = {products[0][i], products[1][i]};
  }
}

// Columns of length 1; the largest element of a column becomes real if its value is complex, or `is_turned`.
void normalise(Number *vectors, const Number *values, size_t size, bool is_turned) {
  for (size_t j = 0; j < size; ++j) {
    double largest = 0, length = 0;
    size_t place = 0;
    for (size_t i = 0; i < size; ++i)
      if (const double part = taxicab(vectors[i * size + j]); part > largest)
        largest = part;
    if (!(largest > 0))
      continue;
    double most = 0;
    for (size_t i = 0; i < size; ++i) {
      Number &element = vectors[i * size + j];
      element = element / largest;
      const double part = square(element);
      length += part;
      if (part > most) {
        most = part;
        place = i;
      }
    }
    length = root(length);
    Number phase = vectors[place * size + j];
    phase = conj(phase) / absolute(phase);
    const bool turns = is_turned || values[j].im != 0;
    for (size_t i = 0; i < size; ++i) {
      Number &element = vectors[i * size + j];
      element = (turns ? element * phase : element) / length;
    }
    if (turns)
      vectors[place * size + j].im = 0;
  }
}

} // namespace

template <class T> int32_t geev(T *a, Number *values, Number *left, Number *right, size_t size, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  const double largest = largest_part(a, size * size), factor = scale_for(largest);
  bool is_done = is_finite(largest);
  if (is_done) {
    scale(a, size * size, factor);
    const Balance balanced = balance(a, size, workspace);
    T *zt = left || right ? workspace.get<T>(size * size) : nullptr;
    is_done = make_schur_form(a, size, zt, workspace);
    read_eigenvalues(a, size, values);
    for (Number *vectors : {left, right})
      if (is_done && vectors) {
        const bool is_left = vectors == left;
        eigenvectors(a, zt, values, size, is_left, vectors, workspace);
        if (is_left)
          for (size_t i = 0; i < size * size; ++i)
            vectors[i] = conj(vectors[i]);
        undo(balanced, vectors, size, is_left);
        normalise(vectors, values, size, is_complex<T>);
      }
    scale(values, size, 1 / factor);
  }
  if (!is_done) {
    std::fill(values, values + size, Number(nan, is_complex<T> ? nan : 0));
    for (Number *vectors : {left, right})
      if (vectors)
        std::fill(vectors, vectors + size * size, Number(nan, nan));
  }
  return is_done ? 0 : 1;
}

template int32_t geev(double *, Number *, Number *, Number *, size_t, Workspace &);
template int32_t geev(Number *, Number *, Number *, Number *, size_t, Workspace &);

} // namespace hlokit::linalg
