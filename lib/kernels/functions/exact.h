// Functions of f64, correctly rounded: for the operands that faster formulas (fast.h) leave undecided, among them all special
// ones. NaNs are positive and quiet, without payload. Rounded to odd (wide.h), a result can be rounded once more, to a narrower
// type.
#pragma once

#include "kernels/functions/wide.h"

namespace hlokit::functions::exact {

double exp(double x, Rounding rounded = nearest_f64);
double expm1(double x, Rounding rounded = nearest_f64);
double log(double x, Rounding rounded = nearest_f64);
double log1p(double x, Rounding rounded = nearest_f64);
double logistic(double x, Rounding rounded = nearest_f64);
double tanh(double x, Rounding rounded = nearest_f64);
double sin(double x, Rounding rounded = nearest_f64);
double cos(double x, Rounding rounded = nearest_f64);
double tan(double x, Rounding rounded = nearest_f64);
double rsqrt(double x, Rounding rounded = nearest_f64);
double cbrt(double x, Rounding rounded = nearest_f64);
double sinh(double x, Rounding rounded = nearest_f64);
double cosh(double x, Rounding rounded = nearest_f64);
double asin(double x, Rounding rounded = nearest_f64);
double acos(double x, Rounding rounded = nearest_f64);
double atan(double x, Rounding rounded = nearest_f64);
double asinh(double x, Rounding rounded = nearest_f64);
double acosh(double x, Rounding rounded = nearest_f64);
double atanh(double x, Rounding rounded = nearest_f64);
double pow(double x, double y, Rounding rounded = nearest_f64);
double atan2(double y, double x, Rounding rounded = nearest_f64);
// The magnitude of x + i y.
double magnitude(double x, double y, Rounding rounded = nearest_f64);

} // namespace hlokit::functions::exact
