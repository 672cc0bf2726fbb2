#include "kernels/functions/exact.h"

#include "kernels/functions/special_constants.h"
#include "kernels/functions/special_formulas.h"
#include "kernels/functions/wide.h"

namespace hlokit::functions {

// The operations on numbers that the formulas need. They are found by argument-dependent lookup, which does not search
// an unnamed namespace.
static double about(const Wide &a) { return approximate(a); }
static Wide with_error(const Wide &a, double) { return a; }
static Wide about_cubed(const Wide &taken, const Wide &) { return taken; }
static Wide horner(const Wide *c, int count, const Wide &t) {
  Wide sum = c[count - 1];
  for (int k = count - 2; k >= 0; --k)
    sum = c[k] + t * sum;
  return sum;
}
static void sine_cosine_of_pi(double r, Wide &sine, Wide &cosine) {
  const SineCosine both = sine_cosine(wide_constants().pi * wide(r));
  sine = both.sine;
  cosine = both.cosine;
}
static Wide trapezoids(const Wide &square) {
  Wide sum = wide(1) / square;
  for (int k = 1; k < gauss_count; ++k)
    sum = sum + wide_constants().gauss[k] / (square + wide(k * k / 16.0));
  return sum;
}

namespace {

template <> Wide of<Wide>(double value) { return wide(value); }

template <> struct Precision<Wide> {
  static constexpr int erf_terms = erf_count, gamma_terms = 44, zeta_terms = 40, halley_steps = 2;
  static constexpr int bessel_large_terms = bessel_large_count;
  static constexpr double asymptotic = 42, zeta_ratio = 0.93, negligible = 0x1p-230, bessel_asymptotic = 100;
  static constexpr double bessel_first_terms = 40, bessel_terms_per_unit = 2.1;
};
template <> struct Constants<Wide> : SpecialConstants<Wide> {
  explicit Constants(const SpecialConstants<Wide> &all) : SpecialConstants<Wide>(all) {}
};
template <> const Constants<Wide> &constants<Wide>() {
  static const Constants<Wide> all(wide_constants());
  return all;
}
} // namespace

namespace exact {

#define HLOKIT_DEFINE_fast(name, Class, operands)
#define HLOKIT_DEFINE_special(name, Class, operands)                                                                 \
  double name(HLOKIT_PARAMETERS##operands, Rounding rounded) {                                                       \
    return Class::exact<Wide>(HLOKIT_ARGUMENTS##operands, rounded);                                                  \
  }
#define HLOKIT_DEFINE_both(name, Class, operands) HLOKIT_DEFINE_special(name, Class, operands)
#define HLOKIT_DEFINE_FUNCTION(name, Class, operands, formula, ...) HLOKIT_DEFINE_##formula(name, Class, operands)
HLOKIT_FUNCTIONS(HLOKIT_DEFINE_FUNCTION)

} // namespace exact
} // namespace hlokit::functions
