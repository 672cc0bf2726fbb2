// Functions of complex numbers whose parts are correctly rounded: for the operands that faster formulas (functions.cpp)
// leave undecided, including all special operands. NaNs are positive and quiet, without payload.
#pragma once

#include "kernels/functions/function_lists.h"
#include "kernels/functions/wide.h"

namespace hlokit::functions {

struct Complex {
  double real, imag;
};

// Rounded to a format; `limit` has the values at poles, and where a part is infinite or NaN.
namespace complex_exact {
// Of two operands: power(x, y), correctly rounded for angles below 2**100, and atan2(y, x).
#define HLOKIT_COMPLEX1 Complex
#define HLOKIT_COMPLEX2 Complex, Complex
#define HLOKIT_DECLARE_EXACT(name, Class, operands, ...) Complex name(HLOKIT_COMPLEX##operands, FloatLimits limits);
HLOKIT_COMPLEX_FUNCTIONS(HLOKIT_DECLARE_EXACT)
#undef HLOKIT_DECLARE_EXACT
} // namespace complex_exact

namespace complex_limit {
#define HLOKIT_DECLARE_LIMIT(name, Class, operands, ...) Complex name(HLOKIT_COMPLEX##operands);
HLOKIT_COMPLEX_FUNCTIONS(HLOKIT_DECLARE_LIMIT)
#undef HLOKIT_DECLARE_LIMIT
// The product of two numbers, both of whose computed parts are NaN: infinite if an operand is (C99, G.5.1).
Complex recovered_product(Complex a, Complex b);
} // namespace complex_limit

} // namespace hlokit::functions
