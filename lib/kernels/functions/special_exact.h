// Special functions of f64, correctly rounded: for the operands that balls (balls.h) leave undecided, among them all special
// ones. NaNs are positive and quiet, without payload. Rounded to odd (wide.h), a result can be rounded once more, to a narrower
// type.
#pragma once

#include "kernels/functions/wide.h"

namespace hlokit::functions::exact {

double erf(double x, Rounding rounded = nearest_f64);
double erfc(double x, Rounding rounded = nearest_f64);
double erf_inv(double x, Rounding rounded = nearest_f64);
double lgamma(double x, Rounding rounded = nearest_f64);
double digamma(double x, Rounding rounded = nearest_f64);
double bessel_i1e(double x, Rounding rounded = nearest_f64);
double zeta(double x, double q, Rounding rounded = nearest_f64);
double polygamma(double n, double x, Rounding rounded = nearest_f64);
// A number within some units of the last place.
double approximate_erf_inv(double x);

} // namespace hlokit::functions::exact
