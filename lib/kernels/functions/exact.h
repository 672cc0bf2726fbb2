// Functions of f64, correctly rounded: for the operands that faster formulas (fast.h, balls.h) leave undecided,
// including all special operands. NaNs are positive and quiet, without payload. Rounded to odd (wide.h), a result can
// be rounded once more, to a narrower type.
#pragma once

#include "kernels/functions/function_lists.h"
#include "kernels/functions/wide.h"

namespace hlokit::functions::exact {

// Functions of two operands: power(x, y), atan2(y, x), zeta(x, q), polygamma(n, x).
#define HLOKIT_DECLARE_EXACT(name, Class, operands, ...)                                                             \
  double name(HLOKIT_PARAMETERS##operands, Rounding rounded = nearest_f64);
HLOKIT_FUNCTIONS(HLOKIT_DECLARE_EXACT)
// The magnitude of x + i y.
double magnitude(double x, double y, Rounding rounded = nearest_f64);

} // namespace hlokit::functions::exact
