// Functions of complex operands with an infinite or NaN part, and at poles: the values of C99, Annex G.
#include <cmath>

#include "kernels/complex/exact.h"
#include "kernels/functions/exact.h"

namespace hlokit::functions::complex_limit {
namespace {

constexpr double infinity = HUGE_VAL, nan = NAN;

bool is_infinite(double x) { return std::fabs(x) == infinity; }
bool is_finite(double x) { return std::fabs(x) < infinity; }
bool is_nan(double x) { return x != x; }
bool is_infinite(Complex z) { return is_infinite(z.real) || is_infinite(z.imag); }
bool is_nan(Complex z) { return is_nan(z.real) || is_nan(z.imag); }
bool is_finite(Complex z) { return is_finite(z.real) && is_finite(z.imag); }
double with_sign(double size, double sign) { return is_nan(sign) ? size : std::copysign(size, sign); }
Complex turned(Complex z) { return {-z.imag, z.real}; }
Complex turned_back(Complex z) { return {z.imag, -z.real}; }
// size (cos(angle) + i sin(angle)) for a size of 0 or infinity.
Complex at_angle(double size, double angle) {
  return {std::copysign(size, exact::cosine(angle)), angle == 0 ? angle : std::copysign(size, exact::sine(angle))};
}

} // namespace

Complex exponential(Complex z) {
  const double x = z.real, y = z.imag;
  if (y == 0)
    return {is_nan(x) ? nan : exact::exponential(x), y};
  if (is_finite(x) && is_finite(y))
    return complex_exact::exponential(z, f64_limits);
  if (!is_infinite(x))
    return {nan, nan};
  if (!is_finite(y))
    return x > 0 ? Complex{infinity, nan} : Complex{0, with_sign(0, y)};
  return at_angle(x > 0 ? infinity : 0, y);
}
Complex exponential_minus_one(Complex z) {
  const Complex found = exponential(z);
  return {found.real - 1, found.imag};
}
Complex log(Complex z) {
  const double size = is_infinite(z) ? infinity : z.real == 0 && z.imag == 0 ? -infinity : nan;
  return {size, exact::atan2(z.imag, z.real)};
}
Complex log_plus_one(Complex z) { return log({1 + z.real, z.imag}); }
// exp(z) to the left, 1 / (1 + exp(-z)) to the right.
Complex logistic(Complex z) {
  if (!is_infinite(z.real))
    return {nan, nan};
  if (is_nan(z.imag))
    return z.real < 0 ? Complex{0, 0} : Complex{1, -0.0};
  if (z.real < 0)
    return exponential(z);
  const Complex power = exponential({-z.real, -z.imag});
  return {1, -power.imag};
}
Complex sqrt(Complex z) {
  const double x = z.real, y = z.imag;
  if (is_infinite(y))
    return {infinity, y};
  if (x == infinity)
    return {infinity, is_nan(y) ? nan : std::copysign(0, y)};
  if (x == -infinity)
    return {is_nan(y) ? nan : 0, with_sign(infinity, y)};
  return {nan, nan};
}
Complex rsqrt(Complex z) {
  if (z.real == 0 && z.imag == 0)
    return {infinity, nan};
  const Complex root = sqrt(z);
  return is_infinite(root) ? Complex{with_sign(0, root.real), -with_sign(0, root.imag)} : Complex{nan, nan};
}
Complex cbrt(Complex z) {
  const double third = exact::atan2(z.imag, z.real) / 3;
  if (z.real == 0 && z.imag == 0)
    return at_angle(0, third);
  if (!is_infinite(z))
    return {nan, nan};
  return is_nan(z) ? Complex{infinity, nan} : at_angle(infinity, third);
}
Complex sign(Complex z) {
  if (is_nan(z))
    return {nan, nan};
  if (z.real == 0 && z.imag == 0)
    return {0, 0};
  return {is_infinite(z.real) ? nan : std::copysign(0, z.real), is_infinite(z.imag) ? nan : std::copysign(0, z.imag)};
}

Complex sinh(Complex z) {
  const double x = z.real, y = z.imag;
  if (y == 0)
    return {is_nan(x) ? nan : x, y};
  if (x == 0)
    return {x, nan};
  if (!is_infinite(x))
    return {nan, nan};
  if (!is_finite(y))
    return {infinity, nan};
  const Complex found = at_angle(infinity, y);
  return {with_sign(1, x) * found.real, found.imag};
}
Complex cosh(Complex z) {
  const double x = z.real, y = z.imag;
  if (y == 0)
    return {std::fabs(x), is_nan(x) ? y : std::copysign(0, x) * std::copysign(1, y)};
  if (x == 0)
    return {nan, 0};
  if (!is_infinite(x))
    return {nan, nan};
  if (!is_finite(y))
    return {infinity, nan};
  const Complex found = at_angle(infinity, y);
  return {found.real, with_sign(1, x) * found.imag};
}
Complex tanh(Complex z) {
  const double x = z.real, y = z.imag;
  if (is_infinite(x))
    return {std::copysign(1, x), is_finite(y) ? std::copysign(0, exact::sine(y) * exact::cosine(y)) : with_sign(0, y)};
  if (y == 0)
    return {nan, y};
  return {x == 0 ? x : nan, nan};
}
Complex sine(Complex z) {
  const Complex found = turned_back(sinh(turned(z)));
  return {found.real, is_nan(found.real) && is_infinite(z.imag) ? infinity : found.imag};
}
Complex cosine(Complex z) { return cosh(turned(z)); }
Complex tan(Complex z) { return turned_back(tanh(turned(z))); }

Complex acos(Complex z) {
  const double size = is_infinite(z) ? with_sign(infinity, -z.imag) : nan;
  if (is_nan(z))
    return {z.real == 0 ? exact::acos(0) : nan, is_infinite(z) ? (is_nan(z.imag) ? -infinity : size) : nan};
  return {exact::atan2(std::fabs(z.imag), z.real), size};
}
Complex acosh(Complex z) {
  if (z.real == 0 && z.imag == 0)
    return {0, std::copysign(exact::acos(0), z.imag)};
  const Complex found = acos(z);
  return {std::fabs(found.imag), with_sign(found.real, z.imag)};
}
Complex asinh(Complex z) {
  if (z.real == 0 && z.imag == 0)
    return z;
  if (!is_nan(z))
    return {with_sign(infinity, z.real), exact::atan2(z.imag, std::fabs(z.real))};
  const double size = is_infinite(z) ? with_sign(infinity, z.real) : nan;
  return {size, z.imag == 0 ? z.imag : nan};
}
Complex asin(Complex z) {
  const Complex found = turned_back(asinh(turned(z)));
  return {found.real, is_infinite(z) ? with_sign(infinity, z.imag) : found.imag};
}
Complex atanh(Complex z) {
  const double x = z.real, y = z.imag;
  if (std::fabs(x) == 1 && y == 0)
    return {std::copysign(infinity, x), y};
  if (is_infinite(y))
    return {with_sign(0, x), std::copysign(exact::acos(0), y)};
  if (is_infinite(x))
    return {std::copysign(0, x), is_nan(y) ? nan : std::copysign(exact::acos(0), y)};
  return {x == 0 ? x : nan, nan};
}
Complex atan(Complex z) {
  const Complex found = turned_back(atanh(turned(z)));
  return {found.real, is_infinite(z) ? with_sign(0, z.imag) : found.imag};
}
Complex asin_acos_kernel(Complex z) {
  const Complex found = acos(z);
  return {is_infinite(z) ? std::fabs(z.imag) : nan, std::fabs(found.imag)};
}

namespace {

// A part as a factor, where this factor or the other one is infinite.
double boxed(double part, bool is_infinite_one, bool is_other_infinite) {
  if (is_infinite_one)
    return with_sign(is_infinite(part) ? 1 : 0, part);
  return is_other_infinite && is_nan(part) ? 0 : part;
}
Complex product(Complex a, Complex b) {
  const Complex found = {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
  return is_nan(found.real) && is_nan(found.imag) ? recovered_product(a, b) : found;
}

} // namespace

Complex recovered_product(Complex a, Complex b) {
  const bool first = is_infinite(a), second = is_infinite(b);
  if (!first && !second)
    return {nan, nan};
  const double c = boxed(a.real, first, second), d = boxed(a.imag, first, second);
  const double e = boxed(b.real, second, first), f = boxed(b.imag, second, first);
  return {infinity * (c * e - d * f), infinity * (c * f + d * e)};
}

// 0 to a power with a positive real part is 0, and any number to the power of 0 is 1. Where a part is infinite or NaN, the
// power is exp(y log(x)), with the product of C99.
Complex power(Complex x, Complex y) {
  if (y.real == 0 && y.imag == 0)
    return {1, 0};
  if (x.real == 0 && x.imag == 0)
    return y.real > 0 && !is_nan(y.imag) ? Complex{0, 0} : Complex{nan, nan};
  return exponential(product(y, is_finite(x) ? complex_exact::log(x, f64_limits) : log(x)));
}
// Real operands have the real angle; other operands give NaN, and poles an infinite imaginary part.
Complex atan2(Complex y, Complex x) {
  if (is_nan(y) || is_nan(x))
    return {nan, nan};
  if (y.imag == 0 && x.imag == 0)
    return {exact::atan2(y.real, x.real), 0};
  if (!is_finite(y) || !is_finite(x))
    return {nan, nan};
  return {nan, x.real == y.imag && x.imag == -y.real ? infinity : -infinity};
}

} // namespace hlokit::functions::complex_limit
