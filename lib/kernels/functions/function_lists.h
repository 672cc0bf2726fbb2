// The functions of real and of complex numbers. `python -m tools.generate` writes this file from
// the cards of operations (python/hlokit/operations/cards).
#pragma once

#include "kernels/functions/parameters.h"

// Functions of f64, and of narrower floats, which are computed in f64. Columns:
//   the name: of the opcode, of the function of kernels/functions/functions.h and of the one of exact.h
//   the class of its formulas: of f64 (fast.h, special_formulas.h), and of f32 (vm/pointwise)
//   the number of operands
//   where its formula of f64 is: `fast` (fast.h, and headers that include it), `special` (special_formulas.h), or
//   `both`: the special one where the fast one is undecided
//   how narrower floats are computed (vm/opcodes.inc): `plain`, of an `angle`, `power`, or `none`: not by an
//   opcode
#define HLOKIT_FUNCTIONS(F)                                                                                          \
  F(atan2, Atan2, 2, fast, plain)                                                                                    \
  F(cbrt, Cbrt, 1, fast, plain)                                                                                      \
  F(cosine, Cosine, 1, fast, angle)                                                                                  \
  F(exponential, Exponential, 1, fast, plain)                                                                        \
  F(exponential_minus_one, ExponentialMinusOne, 1, fast, plain)                                                      \
  F(log, Log, 1, fast, plain)                                                                                        \
  F(log_plus_one, LogPlusOne, 1, fast, plain)                                                                        \
  F(logistic, Logistic, 1, fast, plain)                                                                              \
  F(power, Power, 2, fast, power)                                                                                    \
  F(rsqrt, Rsqrt, 1, fast, plain)                                                                                    \
  F(sine, Sine, 1, fast, angle)                                                                                      \
  F(tan, Tan, 1, fast, angle)                                                                                        \
  F(tanh, Tanh, 1, fast, plain)                                                                                      \
  F(acos, Acos, 1, fast, plain)                                                                                      \
  F(acosh, Acosh, 1, fast, plain)                                                                                    \
  F(asin, Asin, 1, fast, plain)                                                                                      \
  F(asinh, Asinh, 1, fast, plain)                                                                                    \
  F(atan, Atan, 1, fast, plain)                                                                                      \
  F(atanh, Atanh, 1, fast, plain)                                                                                    \
  F(cosh, Cosh, 1, fast, plain)                                                                                      \
  F(sinh, Sinh, 1, fast, plain)                                                                                      \
  F(bessel_i1e, BesselI1e, 1, special, none)                                                                         \
  F(digamma, Digamma, 1, both, none)                                                                                 \
  F(erf, Erf, 1, both, plain)                                                                                        \
  F(erf_inv, ErfInv, 1, both, plain)                                                                                 \
  F(erfc, Erfc, 1, both, plain)                                                                                      \
  F(lgamma, Lgamma, 1, both, none)                                                                                   \
  F(polygamma, Polygamma, 2, special, none)                                                                          \
  F(zeta, Zeta, 2, special, none)

// Functions of complex numbers. Columns: the name, the class, the number of operands; of one operand, the
// part of it that goes into exponentials (`roots`: none, and the formula has only roots), and where the
// formula has no value (kernels/complex/exact.cpp).
#define HLOKIT_COMPLEX_FUNCTIONS(F)                                                                                  \
  F(sign, Sign, 1, roots, zero)                                                                                      \
  F(sqrt, Sqrt, 1, roots, never)                                                                                     \
  F(atan2, Atan2, 2, none, never)                                                                                    \
  F(cbrt, Cbrt, 1, none, zero)                                                                                       \
  F(cosine, Cosine, 1, imag, never)                                                                                  \
  F(exponential, Exponential, 1, real, never)                                                                        \
  F(exponential_minus_one, ExponentialMinusOne, 1, real, never)                                                      \
  F(log, Log, 1, none, zero)                                                                                         \
  F(log_plus_one, LogPlusOne, 1, none, minus_one)                                                                    \
  F(logistic, Logistic, 1, real, never)                                                                              \
  F(power, Power, 2, none, never)                                                                                    \
  F(rsqrt, Rsqrt, 1, roots, zero)                                                                                    \
  F(sine, Sine, 1, imag, never)                                                                                      \
  F(tan, Tan, 1, imag, never)                                                                                        \
  F(tanh, Tanh, 1, real, never)                                                                                      \
  F(asin_acos_kernel, AsinAcosKernel, 1, none, never)                                                                \
  F(acos, Acos, 1, none, never)                                                                                      \
  F(acosh, Acosh, 1, none, zero)                                                                                     \
  F(asin, Asin, 1, none, zero)                                                                                       \
  F(asinh, Asinh, 1, none, zero)                                                                                     \
  F(atan, Atan, 1, none, i)                                                                                          \
  F(atanh, Atanh, 1, none, one)                                                                                      \
  F(cosh, Cosh, 1, real, never)                                                                                      \
  F(sinh, Sinh, 1, real, never)
