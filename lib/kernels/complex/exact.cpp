#include "kernels/complex/exact.h"

#include <cmath>

#include "kernels/complex/formulas.h"
#include "kernels/functions/exact.h"

namespace hlokit::functions {

// What the formulas ask of numbers; not in a namespace without a name, which they would not look into.
static double about(const Wide &a) { return approximate(a); }
static bool is_negative(const Wide &a) { return a.is_negative; }
static bool is_positive(const Wide &a) { return !a.is_negative && !a.is_zero(); }
static Wide known_sign(const Wide &a) { return a; }
static Wide angle(const Wide &y, const Wide &x) {
  if (y.is_zero())
    return x.is_negative ? scaled(half_pi(), 1) : Wide{};
  if (x.is_zero())
    return y.is_negative ? -half_pi() : half_pi();
  return atan2(y, x);
}

namespace {

template <> Wide of<Wide>(double value) { return wide(value); }
template <> Wide pi_of<Wide>() { return scaled(half_pi(), 1); }

} // namespace

static Turn<Wide> sine_and_cosine(const Wide &a) {
  const auto [quarters, rest] = reduced(a);
  const auto [sine, cosine] = sine_cosine(rest);
  switch (quarters) {
  case 0:
    return {sine, cosine};
  case 1:
    return {cosine, -sine};
  case 2:
    return {-sine, -cosine};
  default:
    return {-cosine, sine};
  }
}

namespace {

// A zero is a tiny number of its sign, so tiny that no exponential (of at most 2**20) makes it visible.
constexpr int64_t tiny_exponent = -(int64_t{1} << 40);
Wide part(double value) {
  return value == 0 ? scaled(wide(std::copysign(1, value)), tiny_exponent) : wide(value);
}
Parts<Wide> parts(Complex z) { return {part(z.real), part(z.imag)}; }
bool is_finite(Complex z) { return std::fabs(z.real) < HUGE_VAL && std::fabs(z.imag) < HUGE_VAL; }
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

#define HLOKIT_DEFINE_EXACT(name, part, pole_)                                                                         \
  Complex name(Complex z, FloatLimits limits) {                                                                        \
    return pole::pole_(z) || !is_finite(z) ? complex_limit::name(z) : rounded(name##_of(parts(z)), limits);            \
  }
HLOKIT_COMPLEX_FUNCTIONS1(HLOKIT_DEFINE_EXACT)

Complex power(Complex x, Complex y, FloatLimits limits) {
  const bool is_finite_power = is_finite(x) && is_finite(y);
  if (pole::zero(y) || (pole::zero(x) && !(y.real < 0)))
    return complex_limit::power(x, y);
  if (x.imag == 0 && y.imag == 0 && x.real >= 0) {
    const bool is_below = std::signbit(x.imag) != (y.real < 0);
    if (x.real == 0 || x.real == 1 || !is_finite_power)
      return {exact::pow(std::fabs(x.real), y.real), is_below ? -0.0 : 0.0};
    return {nearest(exp(wide(y.real) * log(wide(x.real))), limits), is_below ? -0.0 : 0.0};
  }
  if (pole::zero(x) || !is_finite_power)
    return complex_limit::power(x, y);
  return rounded(power_of(parts(x), parts(y), y.real), limits);
}

Complex atan2(Complex y, Complex x, FloatLimits limits) {
  const bool is_pole = (x.real == y.imag && x.imag == -y.real) || (x.real == -y.imag && x.imag == y.real);
  if (is_pole || !is_finite(x) || !is_finite(y))
    return complex_limit::atan2(y, x);
  return rounded(atan2_of(parts(y), parts(x)), limits);
}

} // namespace complex_exact
} // namespace hlokit::functions
