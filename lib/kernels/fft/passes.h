// A pass over the lines of a transform: which lines there are, and where.
#pragma once

#include <cstddef>

#include "kernels/fft/transform.h"

namespace hlokit::fft {

// Where lines are, in parts: real or imaginary parts of numbers. Lines are `line` apart from each other in a group, and groups
// `group`; elements of a line are `step` apart, and imaginary parts `imag` from real ones.
struct Layout {
  bool is_f64;
  size_t group, line, step, imag;
};

struct Pass {
  const Plan &plan; // which is not split
  bool is_back;     // of complex numbers
  double scale;
  size_t count, beside; // lines, and lines of a group
  const void *from;
  void *to;
  Layout from_layout, to_layout;
  const Split *turns = nullptr; // turns result k of a line in group j by its root in row k and column j
};

// Returns false if there is no memory.
bool transform(const Pass &pass, size_t threads);

// Transforms the lines of one outer index with a plan that is split. Returns false if there is no memory.
bool transform_long(const Plan &plan, const Lines &lines, const void *from, void *to, size_t threads);

} // namespace hlokit::fft
