// Functions of f64, correctly rounded: the same bits on every processor, for scalars and for arrays.
//
// A fast formula gives a sum of two doubles and a bound of its error (fast.h). If the bound does not determine which f64 is
// nearest, for one operand in some thousands and for special operands, integers of 256 bits decide (exact.h).
#pragma once

#include <cstddef>

#include "kernels/functions/function_lists.h"
#include "kernels/functions/wide.h"
#include "support/variants.h"

namespace hlokit::functions {

// Where vectors leave a function of special_formulas.h undecided.
#define HLOKIT_DECLARE_SLOW_fast(name, operands)
#define HLOKIT_DECLARE_SLOW_special(name, operands)
#define HLOKIT_DECLARE_SLOW_both(name, operands) double special_##name(HLOKIT_PARAMETERS##operands, Rounding rounded);

// The function of a scalar, and of `count` elements; `to` overlaps no operand.
#define HLOKIT_DECLARE_FUNCTION(name, Class, operands, formula, ...)                                                 \
  HLOKIT_DECLARE_SLOW_##formula(name, operands)                                                                      \
  double name(HLOKIT_PARAMETERS##operands);                                                                          \
  void name##_of_each(void *to, const void *a, const void *b, const void *, std::size_t count);
HLOKIT_DECLARE_VARIANTS(HLOKIT_FUNCTIONS(HLOKIT_DECLARE_FUNCTION))
// Powers with one exponent for all elements: `b` has one element.
HLOKIT_DECLARE_VARIANTS(void power_with_one_exponent(void *to, const void *a, const void *b, const void *, std::size_t count))

} // namespace hlokit::functions
