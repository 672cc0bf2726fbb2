// Plane rotations of rows, collected and applied together; helpers that the iterations share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernels/linalg/scalars.h"
#include "kernels/linalg/vectors.h"
#include "support/workspace.h"

namespace hlokit::linalg {

// Collects rotations of rows of a matrix, in their order. Without rows it collects nothing.
class Rotations {
public:
  Rotations() = default;
  // `columns` counts reals: two for a complex number.
  Rotations(double *rows, size_t stride, size_t columns, Workspace &workspace)
      : rows_(rows), stride_(stride), columns_(columns), collected_(workspace.get<Rotation<double>>(capacity)) {}

  void add(size_t row, double c, double s) {
    if (!rows_)
      return;
    if (count_ == capacity)
      flush();
    collected_[count_++] = {row, c, s};
  }
  void flush() {
    if (count_)
      vectors<double>().rotate(rows_, stride_, columns_, collected_, count_);
    count_ = 0;
  }

private:
  static constexpr size_t capacity = 2048;
  double *rows_ = nullptr;
  size_t stride_ = 0, columns_ = 0, count_ = 0;
  Rotation<double> *collected_ = nullptr;
};

// c and s such that c f + s g = r and c g - s f = 0.
inline double make_rotation(double f, double g, double &c, double &s) {
  if (g == 0) {
    c = 1;
    s = 0;
    return f;
  }
  if (f == 0) {
    c = 0;
    s = 1;
    return g;
  }
  const double r = with_sign(hypotenuse(f, g), f);
  c = f / r;
  s = g / r;
  return r;
}

// The largest magnitude of a part of an element; NaN if there is a NaN.
template <class T> double largest_part(const T *x, size_t count) {
  const double *parts = reinterpret_cast<const double *>(x);
  double result = 0;
  for (size_t i = 0; i < count * Parts<T>::count; ++i) {
    const double part = std::fabs(parts[i]);
    if (is_nan(part))
      return part;
    result = std::max(result, part);
  }
  return result;
}

// A power of two that brings the largest part near 1 if squares of it might overflow or vanish, otherwise 1.
inline double scale_for(double largest) {
  constexpr double top = 1e120;
  if (!(largest > 0) || !is_finite(largest) || (largest < top && largest > 1 / top))
    return 1;
  return std::ldexp(1.0, std::max(-1000, std::min(1000, -std::ilogb(largest))));
}

template <class T> void scale(T *x, size_t count, double factor) {
  double *parts = reinterpret_cast<double *>(x);
  for (size_t i = 0; factor != 1 && i < count * Parts<T>::count; ++i)
    parts[i] *= factor;
}

} // namespace hlokit::linalg
