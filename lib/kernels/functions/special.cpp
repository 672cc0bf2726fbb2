// Compiled once for each level of processor: see the rules in support/variants.h.
#include <math.h>
#include <stddef.h>

#include "kernels/functions/balls.h"
#include "kernels/functions/functions.h"
#include "kernels/functions/exact.h"

namespace hlokit::functions {
namespace {

// Such operands go to exact.h.
template <> Ball undecided<Ball>() { return {0, 0, HUGE_VAL}; }

HLOKIT_INLINE Decision decided(const Ball &found) { return decide({found.high, found.low, found.error}); }

template <auto function, class... Operand> void of_each(double *to, size_t count, const Operand *...operands) {
  for (size_t i = 0; i < count; ++i)
    to[i] = function(operands[i]...);
}

} // namespace

namespace HLOKIT_VARIANT {

#define HLOKIT_DEFINE_fast(name, Class, operands)
#define HLOKIT_DEFINE_both(name, Class, operands)                                                                    \
  double special_##name(HLOKIT_PARAMETERS##operands, Rounding rounded) {                                             \
    const Decision decision = decided(Class::of<Ball>(HLOKIT_ARGUMENTS##operands));                                  \
    return decision.is_decided ? decision.result : exact::name(HLOKIT_ARGUMENTS##operands, rounded);                 \
  }
#define HLOKIT_DEFINE_special(name, Class, operands)                                                                 \
  static HLOKIT_DEFINE_both(name, Class, operands)                                                                   \
  double name(HLOKIT_PARAMETERS##operands) { return special_##name(HLOKIT_ARGUMENTS##operands, nearest_f64); }       \
  void name##_of_each(void *to, const void *a, [[maybe_unused]] const void *b, const void *, size_t count) {         \
    of_each<HLOKIT_VARIANT::name>(static_cast<double *>(to), count, HLOKIT_ARRAYS##operands(a, b));                  \
  }
#define HLOKIT_DEFINE_FUNCTION(name, Class, operands, formula, ...) HLOKIT_DEFINE_##formula(name, Class, operands)
HLOKIT_FUNCTIONS(HLOKIT_DEFINE_FUNCTION)

} // namespace HLOKIT_VARIANT

} // namespace hlokit::functions
