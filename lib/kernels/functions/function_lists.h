// The functions of f64 (functions.h) and of complex numbers (kernels/complex/functions.h).
#pragma once

// (name, class of fast.h, name of the opcode) of the functions of one operand and of two; exact.h has them under the same
// names.
#define HLOKIT_F64_FUNCTIONS1(F)                                                                                       \
  F(exp, Exp, "exponential") F(expm1, Expm1, "exponential_minus_one") F(log, Log, "log")                               \
  F(log1p, Log1p, "log_plus_one") F(logistic, Logistic, "logistic") F(tanh, Tanh, "tanh") F(sin, Sin, "sine")          \
  F(cos, Cos, "cosine") F(tan, Tan, "tan") F(rsqrt, Rsqrt, "rsqrt") F(cbrt, Cbrt, "cbrt") F(sinh, Sinh, "sinh")        \
  F(cosh, Cosh, "cosh") F(asin, Asin, "asin") F(acos, Acos, "acos") F(atan, Atan, "atan")                              \
  F(asinh, Asinh, "asinh") F(acosh, Acosh, "acosh") F(atanh, Atanh, "atanh")
#define HLOKIT_F64_FUNCTIONS2(F) F(pow, Pow, "power") F(atan2, Atan2, "atan2")
// The same with classes of special.cpp.
#define HLOKIT_SPECIAL_FUNCTIONS1(F)                                                                                   \
  F(erf, Erf, "erf") F(erfc, Erfc, "erfc") F(erf_inv, ErfInverse, "erf_inv") F(lgamma, LogGamma, "lgamma")             \
  F(digamma, Digamma, "digamma") F(bessel_i1e, BesselI1e, "bessel_i1e")
#define HLOKIT_SPECIAL_FUNCTIONS2(F) F(zeta, Zeta, "zeta") F(polygamma, Polygamma, "polygamma")

// (name, name of the opcode, part of the operand that goes into exponentials, where the formula has no value) of the functions of
// a complex number; (name, name of the opcode) of those of two.
#define HLOKIT_COMPLEX_FUNCTIONS1(F)                                                                                   \
  F(exp, "exponential", real, never) F(expm1, "exponential_minus_one", real, never) F(log, "log", none, zero)          \
  F(log1p, "log_plus_one", none, minus_one) F(logistic, "logistic", real, never) F(sqrt, "sqrt", none, never)          \
  F(rsqrt, "rsqrt", none, zero) F(cbrt, "cbrt", none, zero) F(sign, "sign", none, zero) F(sin, "sine", imag, never)    \
  F(cos, "cosine", imag, never) F(tan, "tan", imag, never) F(sinh, "sinh", real, never) F(cosh, "cosh", real, never)   \
  F(tanh, "tanh", real, never) F(asin, "asin", none, zero) F(acos, "acos", none, never) F(atan, "atan", none, i)       \
  F(asinh, "asinh", none, zero) F(acosh, "acosh", none, zero) F(atanh, "atanh", none, one)                             \
  F(asin_acos_kernel, "asin_acos_kernel", none, never)
#define HLOKIT_COMPLEX_FUNCTIONS2(F) F(power, "power") F(atan2, "atan2")
