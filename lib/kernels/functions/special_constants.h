// The tables of special_formulas.h, computed on first use.
#pragma once

#include "kernels/functions/wide.h"

namespace hlokit::functions {

// Numbers of elements of the tables.
constexpr int erf_count = 60, gauss_count = 56, gamma_count = 48, bessel_count = 260, bessel_large_count = 110;

// The tables for a type N of numbers.
template <class N> struct SpecialConstants {
  N pi, eight_pi, quarter_over_pi, half_root_pi, half_log_two_pi_less_half, root_half_over_pi;
  N erf[erf_count];                   // erf(x) / x in x**2
  N gauss[gauss_count];               // 2 exp(-(k / 4)**2)
  N lgamma[gamma_count];              // B(2k + 2) / ((2k + 2) (2k + 1))
  N digamma[gamma_count];             // B(2k + 2) / (2k + 2)
  N zeta[gamma_count];                // B(2k + 2) / (2k + 2)!
  N bessel[bessel_count];             // 1 / (k! (k + 1)!)
  N bessel_large[bessel_large_count]; // sqrt(2 pi x) exp(-x) I1(x) in 1 / x
};

const SpecialConstants<Wide> &wide_constants();

// Sums of two doubles as separate tables of their parts, so that uses need no loop.
struct TwoDoubles {
  double high, low;
};
const SpecialConstants<TwoDoubles> &double_constants();

} // namespace hlokit::functions
