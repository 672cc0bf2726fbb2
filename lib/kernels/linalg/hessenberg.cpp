#include <algorithm>

#include "kernels/linalg/reflectors.h"
#include "kernels/linalg/spectral.h"
#include "kernels/linalg/vectors.h"
#include "support/should_stop.h"

namespace hlokit::linalg {

template <class T> void gehrd(T *a, size_t size, size_t first, size_t last, T *tau, Workspace &workspace) {
  const Workspace::Scope scope(workspace);
  const Vectors<T> &loops = vectors<T>();
  T *memory[7];
  for (T *&part : memory)
    part = workspace.get<T>(size);
  // The update a -= y v* + v w of a step is applied in the pass of the next step; elements of the vectors are numbered
  // like rows and columns.
  T *y = memory[0], *v = memory[1], *v_conj = memory[2], *w = memory[3];
  T *next = memory[4], *next_conj = memory[5], *sums = memory[6];
  std::fill(tau, tau + (size ? size - 1 : 0), T(0));
  bool waits = false;
  const auto sweep = [&](size_t column, size_t from, size_t to, bool computes, bool adds) {
    if (to > from && column < size)
      loops.sweep({a + from * size + column, size, to - from, size - column,
                   {waits ? y + from : nullptr, waits ? v + from : nullptr},
                   {waits ? v_conj + column : nullptr, waits ? w + column : nullptr},
                   computes ? next + column : nullptr, computes ? memory[0] + from : nullptr,
                   adds ? next_conj + from : nullptr, adds ? sums + column : nullptr, false});
  };
  size_t column = first;
  for (; column + 1 < last && !should_stop(); ++column) {
    if (waits)
      for (size_t r = 0; r < last; ++r)
        a[r * size + column] = a[r * size + column] - (y[r] * v_conj[column] + v[r] * w[column]);
    const size_t start = column + 1;
    std::fill(next, next + size, T(0));
    for (size_t r = start; r < last; ++r)
      next[r] = a[r * size + column];
    T &factor = tau[column];
    const Real<T> beta = make_reflector(next + start, last - start, factor);
    a[start * size + column] = T(beta);
    for (size_t r = start + 1; r < last; ++r)
      a[r * size + column] = next[r];
    for (size_t j = 0; j < size; ++j) {
      next_conj[j] = conj(next[j]);
      sums[j] = T(0);
    }
    // The y of the previous step is read, row by row, before this step's y is written.
    sweep(start, 0, start, true, false);
    sweep(start, start, last, true, true);
    T inner(0);
    for (size_t r = 0; r < last; ++r) {
      y[r] = factor * y[r];
      inner = inner + next_conj[r] * y[r];
    }
    for (size_t j = start; j < size; ++j)
      w[j] = conj(factor) * (sums[j] - inner * next_conj[j]);
    std::swap(v, next);
    std::swap(v_conj, next_conj);
    waits = true;
  }
  sweep(column, 0, last, false, false);
}

template void gehrd(double *, size_t, size_t, size_t, double *, Workspace &);
template void gehrd(Complex<double> *, size_t, size_t, size_t, Complex<double> *, Workspace &);

} // namespace hlokit::linalg
