// Functions of f64, correctly rounded: the same bits on every processor, for scalars and for arrays.
//
// A fast formula gives a sum of two doubles and a bound of its error (fast.h). If the bound does not determine which f64 is
// nearest, for one operand in some thousands and for special operands, integers of 256 bits decide (exact.h).
#pragma once

#include <cstddef>

#include "kernels/functions/function_lists.h"
#include "support/variants.h"

namespace hlokit::functions {

// The function of a scalar, and of `count` elements; `to` overlaps no operand.
#define HLOKIT_DECLARE_F64_FUNCTION1(name, ...)                                                                        \
  double name(double);                                                                                                 \
  void name##_of_each(void *to, const void *a, const void *, const void *, std::size_t count);
#define HLOKIT_DECLARE_F64_FUNCTION2(name, ...)                                                                        \
  double name(double, double);                                                                                         \
  void name##_of_each(void *to, const void *a, const void *b, const void *, std::size_t count);
// Powers with one exponent for all elements: `b` has one element.
HLOKIT_DECLARE_VARIANTS(void pow_with_one_exponent(void *to, const void *a, const void *b, const void *, std::size_t count))
HLOKIT_DECLARE_VARIANTS(HLOKIT_F64_FUNCTIONS1(HLOKIT_DECLARE_F64_FUNCTION1)
                            HLOKIT_F64_FUNCTIONS2(HLOKIT_DECLARE_F64_FUNCTION2)
                                HLOKIT_SPECIAL_FUNCTIONS1(HLOKIT_DECLARE_F64_FUNCTION1)
                                    HLOKIT_SPECIAL_FUNCTIONS2(HLOKIT_DECLARE_F64_FUNCTION2))

} // namespace hlokit::functions
