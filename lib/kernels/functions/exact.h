// Functions of f64, correctly rounded: for the operands that faster formulas (fast.h) leave undecided, among them all special
// ones. NaNs are positive and quiet, without payload.
#pragma once

namespace hlokit::functions::exact {

double exp(double x);
double expm1(double x);
double log(double x);
double log1p(double x);
double logistic(double x);
double tanh(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double rsqrt(double x);
double cbrt(double x);
double sinh(double x);
double cosh(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double pow(double x, double y);
double atan2(double y, double x);
// The magnitude of x + i y.
double magnitude(double x, double y);

} // namespace hlokit::functions::exact
