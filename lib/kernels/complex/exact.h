// Functions of complex numbers whose parts are correctly rounded: for the operands that faster formulas (functions.cpp) leave
// undecided, among them all special ones. NaNs are positive and quiet, without payload.
#pragma once

#include "kernels/functions/wide.h"

namespace hlokit::functions {

struct Complex {
  double real, imag;
};

// (name, the part of the operand that goes into exponentials, where the formula has no value) of the functions of one operand.
#define HLOKIT_COMPLEX_FUNCTIONS1(F)                                                                                   \
  F(exp, real, never) F(expm1, real, never) F(log, none, zero) F(log1p, none, minus_one) F(logistic, real, never)      \
  F(sqrt, none, never) F(rsqrt, none, zero) F(cbrt, none, zero) F(sign, none, zero) F(sin, imag, never)                \
  F(cos, imag, never) F(tan, imag, never) F(sinh, real, never) F(cosh, real, never) F(tanh, real, never)               \
  F(asin, none, zero) F(acos, none, never) F(atan, none, i) F(asinh, none, zero) F(acosh, none, zero)                  \
  F(atanh, none, one) F(asin_acos_kernel, none, never)

// Rounded to a format; `limit` has the values at poles, and where a part is infinite or NaN.
namespace complex_exact {
#define HLOKIT_DECLARE_EXACT(name, part, pole) Complex name(Complex z, FloatLimits limits);
HLOKIT_COMPLEX_FUNCTIONS1(HLOKIT_DECLARE_EXACT)
#undef HLOKIT_DECLARE_EXACT
// Correctly rounded for angles below 2**100.
Complex power(Complex x, Complex y, FloatLimits limits);
Complex atan2(Complex y, Complex x, FloatLimits limits);
} // namespace complex_exact

namespace complex_limit {
#define HLOKIT_DECLARE_LIMIT(name, part, pole) Complex name(Complex z);
HLOKIT_COMPLEX_FUNCTIONS1(HLOKIT_DECLARE_LIMIT)
#undef HLOKIT_DECLARE_LIMIT
Complex power(Complex x, Complex y);
Complex atan2(Complex y, Complex x);
} // namespace complex_limit

} // namespace hlokit::functions
