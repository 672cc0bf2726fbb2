#include "kernels/complex/exact.h"

#include <cmath>

#include "kernels/complex/wide_formulas.h"
#include "kernels/functions/exact.h"

namespace hlokit::functions {
namespace {

// A zero becomes a number of its sign that is so tiny that no exponential (of at most 2**20) affects the result.
constexpr int64_t tiny_exponent = -(int64_t{1} << 40);
Wide part(double value) {
  return value == 0 ? scaled(wide(std::copysign(1, value)), tiny_exponent) : wide(value);
}
Parts<Wide> parts(Complex z) { return {part(z.real), part(z.imag)}; }
bool is_finite(Complex z) { return std::fabs(z.real) < HUGE_VAL && std::fabs(z.imag) < HUGE_VAL; }
Complex with_positive_nans(Complex z) {
  const auto part = [](double value) { return value == value ? value : NAN; };
  return {part(z.real), part(z.imag)};
}
Complex rounded(const Parts<Wide> &found, FloatLimits limits) {
  return {nearest(found.real, limits), nearest(found.imag, limits)};
}

namespace pole {
bool never(Complex) { return false; }
bool zero(Complex z) { return z.real == 0 && z.imag == 0; }
bool one(Complex z) { return std::fabs(z.real) == 1 && z.imag == 0; }
bool minus_one(Complex z) { return z.real == -1 && z.imag == 0; }
bool i(Complex z) { return z.real == 0 && std::fabs(z.imag) == 1; }
} // namespace pole

} // namespace

namespace complex_exact {

#define HLOKIT_DEFINE_EXACT2(name, pole_)
#define HLOKIT_DEFINE_EXACT1(name, pole_)                                                                            \
  Complex name(Complex z, FloatLimits limits) {                                                                        \
    if (pole::pole_(z) || !is_finite(z))                                                                               \
      return with_positive_nans(complex_limit::name(z));                                                               \
    return rounded(name##_of(parts(z)), limits);                                                                       \
  }
#define HLOKIT_DEFINE_EXACT(name, Class, operands, part, pole_) HLOKIT_DEFINE_EXACT##operands(name, pole_)
HLOKIT_COMPLEX_FUNCTIONS(HLOKIT_DEFINE_EXACT)

Complex power(Complex x, Complex y, FloatLimits limits) {
  const bool is_finite_power = is_finite(x) && is_finite(y);
  if (pole::zero(y) || (pole::zero(x) && !(y.real < 0)))
    return with_positive_nans(complex_limit::power(x, y));
  if (x.imag == 0 && y.imag == 0 && x.real >= 0) {
    const bool is_below = std::signbit(x.imag) != (y.real < 0);
    if (x.real == 0 || x.real == 1 || !is_finite_power)
      return {exact::power(std::fabs(x.real), y.real), is_below ? -0.0 : 0.0};
    return {nearest(exponential(wide(y.real) * log(wide(x.real))), limits), is_below ? -0.0 : 0.0};
  }
  if (pole::zero(x) || !is_finite_power)
    return with_positive_nans(complex_limit::power(x, y));
  return rounded(power_of(parts(x), parts(y), y.real, y.imag == 0), limits);
}

Complex atan2(Complex y, Complex x, FloatLimits limits) {
  const bool is_pole = (x.real == y.imag && x.imag == -y.real) || (x.real == -y.imag && x.imag == y.real);
  if (is_pole || !is_finite(x) || !is_finite(y))
    return with_positive_nans(complex_limit::atan2(y, x));
  return rounded(atan2_of(parts(y), parts(x)), limits);
}

} // namespace complex_exact
} // namespace hlokit::functions
