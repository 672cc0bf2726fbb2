// Polynomials of f64. Internal linkage, as for all that is compiled several times (support/variants.h).
#pragma once

#include <stddef.h>

#include "support/compiler.h"

namespace hlokit {
namespace {

// a * b + c, in one rounding if the processor has an instruction for it.
HLOKIT_INLINE double multiply_add(double a, double b, double c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return HLOKIT_MATH(fma)(a, b, c);
#else
  return a * b + c;
#endif
}

// Separate sums of even and odd powers: two short dependency chains instead of a long one.
template <size_t from, size_t count> HLOKIT_INLINE double horner(const double (&terms)[count], double x) {
  if constexpr (from + 2 >= count)
    return terms[from];
  else
    return multiply_add(x, horner<from + 2>(terms, x), terms[from]);
}
template <size_t count> HLOKIT_INLINE double polynomial(const double (&terms)[count], double x) {
  double square = x * x;
  return multiply_add(x, horner<1>(terms, square), horner<0>(terms, square));
}

} // namespace
} // namespace hlokit
