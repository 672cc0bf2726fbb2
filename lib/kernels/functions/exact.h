// Functions of f64, correctly rounded: for the operands that faster formulas (fast.h, balls.h) leave undecided,
// including all special operands. NaNs are positive and quiet, without payload. Rounded to odd (wide.h), a result can
// be rounded once more, to a narrower type.
#pragma once

#include "kernels/functions/function_lists.h"
#include "kernels/functions/wide.h"

namespace hlokit::functions::exact {

// Functions of two operands: pow(x, y), atan2(y, x), zeta(x, q), polygamma(n, x).
#define HLOKIT_DECLARE_EXACT1(name, ...) double name(double x, Rounding rounded = nearest_f64);
#define HLOKIT_DECLARE_EXACT2(name, ...) double name(double x, double y, Rounding rounded = nearest_f64);
HLOKIT_F64_FUNCTIONS1(HLOKIT_DECLARE_EXACT1)
HLOKIT_F64_FUNCTIONS2(HLOKIT_DECLARE_EXACT2)
HLOKIT_SPECIAL_FUNCTIONS1(HLOKIT_DECLARE_EXACT1)
HLOKIT_SPECIAL_FUNCTIONS2(HLOKIT_DECLARE_EXACT2)
// For f64 only: a number within a few units in the last place of the result.
double approximate_erf_inv(double x);
// The magnitude of x + i y.
double magnitude(double x, double y, Rounding rounded = nearest_f64);

} // namespace hlokit::functions::exact
