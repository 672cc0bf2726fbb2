// Special functions of f64, correctly rounded: for the operands that balls (balls.h) leave undecided, among them all special
// ones. NaNs are positive and quiet, without payload.
#pragma once

namespace hlokit::functions::exact {

double erf(double x);
double erfc(double x);
double erf_inv(double x);
double lgamma(double x);
double digamma(double x);
double bessel_i1e(double x);
double zeta(double x, double q);
double polygamma(double n, double x);
// A number within some units of the last place.
double approximate_erf_inv(double x);

} // namespace hlokit::functions::exact
