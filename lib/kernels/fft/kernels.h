// The kernels of kernels.cpp, which is compiled for each level of processor.
#pragma once

#include <stddef.h>

#include "support/variants.h"

namespace hlokit::fft {

// Lines that are transformed together.
constexpr size_t lanes = 8;

// Up to `lanes` lines. Neighbouring elements of a line are `from_step` and `to_step` parts apart, where a part is the
// real or the imaginary part of a number.
struct Batch {
  size_t length; // of complex numbers
  const double *cosines, *sines;
  size_t root_step; // index distance, in these tables, of a turn by 1 / length
  size_t count;     // of lines
  const void *from[lanes];
  void *to[lanes];
  size_t from_step, from_imag, to_step, to_imag; // distances of elements, and of the imaginary part of each
  bool from_f64, to_f64, is_inverse;
  double scale;
  // Roots of unity by which to turn the results of complex lines, or null: result k of a line by the one at
  // k * turn_step + turn[line].
  const double *turn_cosines, *turn_sines;
  size_t turn_step, turn[lanes];
  // `workspace_size(length)` numbers each.
  double *first, *second;
};

// Buffers for the real and imaginary parts of one number more than the transform has.
constexpr size_t workspace_size(size_t length) { return 2 * (length + 1) * lanes; }

// The radix of the next step of a transform; the greatest is 13.
constexpr size_t radix_of(size_t length) {
  if (length % 4 == 0)
    return 4;
  size_t radix = 2;
  while (length % radix != 0)
    ++radix;
  return radix;
}

struct Kernels {
  void (*complex)(const Batch &batch);
  // Transforms of real lines, computed as complex transforms of half the length.
  void (*real)(const Batch &batch);
  void (*inverse_real)(const Batch &batch);
};

HLOKIT_DECLARE_VARIANTS(Kernels kernels())

} // namespace hlokit::fft
