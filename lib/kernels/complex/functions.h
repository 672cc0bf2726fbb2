// Functions of complex numbers: both parts correctly rounded, the same bits on every processor.
//
// A fast formula gives numbers with a bound of their error: doubles for complex<f32> (nears.h), sums of two doubles for
// complex<f64> (balls.h). If more than one number is within the bound, exact.h decides which is nearest.
#pragma once

#include <cstddef>

#include "kernels/complex/exact.h"
#include "support/variants.h"

namespace hlokit::functions {

// Of `count` numbers, as their parts; `to` overlaps no operand.
#define HLOKIT_DECLARE_COMPLEX(name, ...)                                                                                 \
  void complex_##name(float *to, const float *a, const float *b, std::size_t count);                                   \
  void complex_##name(double *to, const double *a, const double *b, std::size_t count);
HLOKIT_DECLARE_VARIANTS(HLOKIT_COMPLEX_FUNCTIONS(HLOKIT_DECLARE_COMPLEX))

} // namespace hlokit::functions
