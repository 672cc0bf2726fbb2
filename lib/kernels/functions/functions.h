// Functions of f64, correctly rounded: the same bits on every processor, for scalars and for arrays.
//
// A fast formula gives a sum of two doubles and a bound of its error (fast.h). Where that leaves open which f64 is nearest,
// for one operand in some thousands and for special ones, integers of 256 bits decide (exact.h).
#pragma once

#include <cstddef>

#include "support/variants.h"

namespace hlokit::functions {

// (name, class of fast.h) of the functions of one operand and of two; exact.h has them under the same names.
#define HLOKIT_F64_FUNCTIONS1(F)                                                                                       \
  F(exp, Exp) F(expm1, Expm1) F(log, Log) F(log1p, Log1p) F(logistic, Logistic) F(tanh, Tanh) F(sin, Sin) F(cos, Cos)  \
  F(tan, Tan) F(rsqrt, Rsqrt) F(cbrt, Cbrt) F(sinh, Sinh) F(cosh, Cosh) F(asin, Asin) F(acos, Acos) F(atan, Atan)      \
  F(asinh, Asinh) F(acosh, Acosh) F(atanh, Atanh)
#define HLOKIT_F64_FUNCTIONS2(F) F(pow, Pow) F(atan2, Atan2)
// The same with classes of special.cpp, and special_exact.h.
#define HLOKIT_SPECIAL_FUNCTIONS1(F)                                                                                   \
  F(erf, Erf) F(erfc, Erfc) F(erf_inv, ErfInverse) F(lgamma, LogGamma) F(digamma, Digamma) F(bessel_i1e, BesselI1e)
#define HLOKIT_SPECIAL_FUNCTIONS2(F) F(zeta, Zeta) F(polygamma, Polygamma)

// Of a scalar, and of `count` elements; `to` overlaps no operand.
#define HLOKIT_DECLARE_F64_FUNCTION1(name, unused)                                                                     \
  double name(double);                                                                                                 \
  void name##_of_each(void *to, const void *a, const void *, const void *, std::size_t count);
#define HLOKIT_DECLARE_F64_FUNCTION2(name, unused)                                                                     \
  double name(double, double);                                                                                         \
  void name##_of_each(void *to, const void *a, const void *b, const void *, std::size_t count);
HLOKIT_DECLARE_VARIANTS(HLOKIT_F64_FUNCTIONS1(HLOKIT_DECLARE_F64_FUNCTION1)
                            HLOKIT_F64_FUNCTIONS2(HLOKIT_DECLARE_F64_FUNCTION2)
                                HLOKIT_SPECIAL_FUNCTIONS1(HLOKIT_DECLARE_F64_FUNCTION1)
                                    HLOKIT_SPECIAL_FUNCTIONS2(HLOKIT_DECLARE_F64_FUNCTION2))

} // namespace hlokit::functions
