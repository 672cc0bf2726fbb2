// What lib/fft_kernels.cpp computes, once for each set of instructions.
#pragma once

#include <stddef.h>

namespace hlokit::fft {

// Lines that are transformed at once.
constexpr size_t lanes = 8;

// `lanes` lines, or fewer: elements of one line are `step` parts apart.
struct Batch {
  size_t length; // of complex numbers, a power of two
  const double *cosines, *sines;
  size_t root_step; // distance of what a turn by 1 / length needs, in these
  size_t count;     // of lines
  const void *from[lanes];
  void *to[lanes];
  size_t from_step, from_imag, to_step, to_imag; // distances of elements, and of their parts
  bool from_f64, to_f64, is_inverse;
  double scale;
  // Of `workspace_size(length)` each.
  double *first, *second;
};

// Of real and imaginary parts: one number more than a transform has.
constexpr size_t workspace_size(size_t length) { return 2 * (length + 1) * lanes; }

struct Kernels {
  void (*complex)(const Batch &batch);
  // As complex numbers of half the length; with the results (operands) of the other half of the circle.
  void (*real)(const Batch &batch);
  void (*inverse_real)(const Batch &batch);
};

// Those for AVX2 and AVX-512 are empty if this was not built for such processors.
Kernels baseline_kernels();
Kernels avx2_kernels();
Kernels avx512_kernels();

} // namespace hlokit::fft
