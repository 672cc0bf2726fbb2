// Compiled once for each level of processor: see the rules in support/variants.h.
#include "kernels/complex/functions.h"

#include <math.h>
#include <stddef.h>

#include "kernels/complex/formulas.h"
#include "kernels/complex/nears.h"
#include "kernels/functions/balls.h"

namespace hlokit::functions {
namespace {

// Functions of balls that the formulas call --------------------------------------------------------------------------

bool is_negative(const Ball &a) { return a.high < 0; }
bool is_positive(const Ball &a) { return a.high > 0; }
HLOKIT_INLINE Ball doubted(const Ball &a, const Ball &sign) {
  return {a.high, a.low, choose(sign.error < magnitude(sign.high), a.error, HUGE_VAL)};
}
template <> Ball pi_of<Ball>() { return {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, 0x1p-104}; }

HLOKIT_NOINLINE Ball exponential_minus_one(const Ball &a) {
  const PowerOfE e = power_of_e(pair(a));
  const Pair value = e.less_one();
  const double size = magnitude(value.high);
  return ball(value, choose(a.error < 0.5, 2 * e.error + size * of_product + 2 * (size + 1) * a.error, HUGE_VAL));
}
HLOKIT_NOINLINE Ball log_plus_one(const Ball &a) {
  const Approximation found = logarithm_of_more(pair(a));
  const double above = 1 + a.high;
  return {found.high, found.low, choose(a.error < above * 0.25, 2 * (found.error + a.error / above), HUGE_VAL)};
}
HLOKIT_NOINLINE Turn<Ball> sine_and_cosine(const Ball &a) {
  const bool is_inside = magnitude(a.high) < 0x1p20;
  const Pair inside = choose(is_inside, pair(a), Pair{0, 0});
  const Turned t = a.low == 0 ? turned(inside.high) : turned(inside);
  const double error = choose(is_inside, a.error, HUGE_VAL);
  return {with_error(ball(t.sine_of_sum()), error), with_error(ball(t.cosine_of_sum()), error)};
}
HLOKIT_NOINLINE Ball angle(const Ball &y, const Ball &x) {
  const Approximation found = angle_of_point(pair(y), pair(x));
  const double size = magnitude(x.high) + magnitude(y.high);
  const double error = 4 * (magnitude(x.high) / size * y.error + magnitude(y.high) / size * x.error) / size;
  return {found.high, found.low, choose(x.error + y.error < size * 0.125, found.error + error, HUGE_VAL)};
}

// Bounds -------------------------------------------------------------------------------------------------------------

// A zero is represented by a tiny number of its sign. A part of a result below the smallest number is a zero as well:
// formulas with a zero are used for parts of moderate sizes only, so that other parts are larger than the contribution
// of the zero. In f32 such a part is a zero anyway.
constexpr double tiny_near = 0x1p-480, tiny_ball = 0x1p-450, least_result = 0x1p-250;

// Sizes of parts, and of their inverses, up to which formulas hold: beside a zero, so that the fourth powers of parts are above
// the least result, and times a zero below it; without a zero, so that squares of norms lose no bits.
struct Bounds {
  double with_zero, without_zero;
};
constexpr Bounds of_function = {0x1p60, 0x1p130}, of_power = {0x1p20, 0x1p130}, of_atan2 = {0x1p40, 0x1p100};
// The limit of atan2 of f32, whose results have fewer bits.
constexpr double of_atan2_near = 0x1p60;
// The largest part that goes into exponentials beside a zero; e**120 is 2**173.
constexpr double most_exponential = 120;
// The largest powers beside a zero, and the inverses of the least ones, as exponents of 2.
constexpr double most_power_near = 320, most_power_ball = 80;

HLOKIT_INLINE bool has_zero(const double *parts) { return parts[0] == 0 || parts[1] == 0; }
// Whether a part is zero, or its size and the size of its inverse are at most the limit.
HLOKIT_INLINE bool is_moderate(double part, double most) {
  return part == 0 || (magnitude(part) >= 1 / most && magnitude(part) <= most);
}
HLOKIT_INLINE bool is_moderate(const double *parts, double most) {
  return is_moderate(parts[0], most) && is_moderate(parts[1], most);
}
// Whether the size of a power and its inverse are at most 2**most, for a number with moderate parts. The size is that of
// exp(y[0] log(|x|) - y[1] angle(x)), with angles up to pi.
HLOKIT_INLINE bool is_moderate_power(const double *x, const double *y, double most) {
  const double a = magnitude(x[0]), b = magnitude(x[1]);
  return magnitude(y[0]) * (magnitude(ilogb(a > b ? a : b)) + 2) + magnitude(y[1]) * 5 <= most;
}
HLOKIT_INLINE bool is_zero(const double *parts) { return parts[0] == 0 && parts[1] == 0; }
HLOKIT_INLINE bool is_finite(const double *parts) { return (parts[0] - parts[0]) + (parts[1] - parts[1]) == 0; }

// Rounding -----------------------------------------------------------------------------------------------------------

bool round_part(float &to, const Near &found) {
  const float least = static_cast<float>(found.value - found.error), most = static_cast<float>(found.value + found.error);
  to = least;
  return found.value != 0 && bits_of<uint32_t>(least) == bits_of<uint32_t>(most) && least == least;
}
bool round_part(double &to, const Ball &found, bool is_with_zero) {
  if (is_with_zero && magnitude(found.high) + found.error < least_result) {
    to = copysign(0, found.high);
    return found.error < magnitude(found.high);
  }
  const Decision decision = decide({found.high, found.low, found.error});
  to = decision.result;
  return decision.is_decided;
}
// Whether the bounds of errors decide both parts.
HLOKIT_INLINE bool round(float *to, const Parts<Near> &found) {
  return round_part(to[0], found.real) && round_part(to[1], found.imag);
}
HLOKIT_INLINE bool round(double *to, const Parts<Ball> &found, bool is_with_zero) {
  return round_part(to[0], found.real, is_with_zero) && round_part(to[1], found.imag, is_with_zero);
}

HLOKIT_INLINE double visible(double part, double tiny) { return part == 0 ? copysign(tiny, part) : part; }
Parts<Near> nears(const double *parts) {
  return {{visible(parts[0], tiny_near), 0}, {visible(parts[1], tiny_near), 0}};
}
Parts<Ball> balls(const double *parts) {
  return {{visible(parts[0], tiny_ball), 0, 0}, {visible(parts[1], tiny_ball), 0, 0}};
}
constexpr Complex complex(const double *parts) { return {parts[0], parts[1]}; }

template <class Exact> void put(float *to, Exact exact) {
  const Complex found = exact(f32_limits);
  to[0] = static_cast<float>(found.real);
  to[1] = static_cast<float>(found.imag);
}
template <class Exact> void put(double *to, Exact exact) {
  const Complex found = exact(f64_limits);
  to[0] = found.real;
  to[1] = found.imag;
}

// Functions of one operand -------------------------------------------------------------------------------------------

enum class Exponent { none = -1, real = 0, imag = 1, roots = 2 }; // the part that goes into exponentials, or only roots

// A formula for both types of numbers, and the function that decides the remaining operands.
struct Function1 {
  Parts<Near> (*near)(const Parts<Near> &);
  Parts<Ball> (*ball)(const Parts<Ball> &);
  Complex (*exact)(Complex, FloatLimits);
  Exponent exponent;
};

bool find(float *to, const double *z, const Function1 &function) {
  return round(to, function.near(nears(z)));
}
bool find(double *to, const double *z, const Function1 &function) {
  const bool is_with_zero = has_zero(z);
  if (!is_moderate(z, is_with_zero ? of_function.with_zero : of_function.without_zero))
    return false;
  if (is_with_zero && (function.exponent == Exponent::real || function.exponent == Exponent::imag) &&
      magnitude(z[static_cast<int>(function.exponent)]) > most_exponential)
    return false;
  return round(to, function.ball(balls(z)), is_with_zero);
}

// The results of zeros, by the signs of their parts.
template <class T> struct OfZeros {
  T parts[4][2];
  bool are_known[4] = {};
};

template <class T> void one(T *to, const T *a, const Function1 &function, OfZeros<T> &of_zeros) {
  const double z[2] = {a[0], a[1]};
  const auto exact = [&](FloatLimits limits) { return function.exact(complex(z), limits); };
  if (is_zero(z)) {
    const int signs = (signbit(z[0]) ? 1 : 0) + (signbit(z[1]) ? 2 : 0);
    if (!of_zeros.are_known[signs])
      put(of_zeros.parts[signs], exact);
    of_zeros.are_known[signs] = true;
    memcpy(to, of_zeros.parts[signs], sizeof of_zeros.parts[signs]);
  } else if (!is_finite(z) || !find(to, z, function))
    put(to, exact);
}

template <class T> HLOKIT_NOINLINE void each(T *to, const T *a, size_t count, const Function1 &function) {
  OfZeros<T> of_zeros;
  for (size_t i = 0; i < 2 * count; i += 2)
    one(to + i, a + i, function, of_zeros);
}

// Numbers of f32 that are computed in vectors, if the formula does not branch.
constexpr size_t block = 16;
using FormulaInBlock = Parts<NearInBlock>(const Parts<NearInBlock> &);
using Block = bool (*)(float *to, const float *a, uint32_t *doubts);

// Marks the doubtful results, which the bounds of their errors do not decide, or whose number is zero or not finite. Returns
// whether there is one.
template <FormulaInBlock formula> HLOKIT_FLATTEN bool compute_block(float *HLOKIT_RESTRICT to, const float *a, uint32_t *doubts) {
  double z[2][block], values[2][block], errors[2][block];
  for (size_t i = 0; i < block; ++i)
    for (size_t part = 0; part < 2; ++part)
      z[part][i] = a[2 * i + part];
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    const Parts<NearInBlock> result = formula({{visible(z[0][i], tiny_near), 0}, {visible(z[1][i], tiny_near), 0}});
    values[0][i] = result.real.value;
    values[1][i] = result.imag.value;
    errors[0][i] = result.real.error;
    errors[1][i] = result.imag.error;
  }
  for (size_t i = 0; i < block; ++i) {
    const double sum = (z[0][i] - z[0][i]) + (z[1][i] - z[1][i]); // NaN if a part is not finite
    doubts[i] = (sum != 0) | ((z[0][i] == 0) & (z[1][i] == 0)) | (values[0][i] == 0) | (values[1][i] == 0);
  }
  float results[2][block];
  for (size_t part = 0; part < 2; ++part) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < block; ++i) {
      const float least = static_cast<float>(values[part][i] - errors[part][i]);
      const float most = static_cast<float>(values[part][i] + errors[part][i]);
      results[part][i] = least;
      doubts[i] |= (bits_of<uint32_t>(least) ^ bits_of<uint32_t>(most)) | (least != least);
    }
  }
  uint32_t doubt = 0;
  for (size_t i = 0; i < block; ++i) {
    to[2 * i] = results[0][i];
    to[2 * i + 1] = results[1][i];
    doubt |= doubts[i];
  }
  return doubt != 0;
}

HLOKIT_NOINLINE void each_in_blocks(float *to, const float *a, size_t count, const Function1 &function, Block compute) {
  OfZeros<float> of_zeros;
  uint32_t doubts[block];
  for (; count >= block; count -= block, to += 2 * block, a += 2 * block)
    if (compute(to, a, doubts))
      for (size_t i = 0; i < block; ++i)
        if (doubts[i] != 0)
          one(to + 2 * i, a + 2 * i, function, of_zeros);
  for (size_t i = 0; i < 2 * count; i += 2)
    one(to + i, a + i, function, of_zeros);
}

// Functions of two operands ------------------------------------------------------------------------------------------

bool is_real(const double *z) { return z[1] == 0 && z[0] > 0; }

struct ComplexPower {
  static bool find(float *to, const double *x, const double *y) {
    if (is_zero(x) || is_zero(y))
      return false;
    if (is_real(x) && y[1] == 0) {
      to[1] = static_cast<float>(copysign(0, x[1]) * (y[0] < 0 ? -1 : 1));
      return round_part(to[0], near(HLOKIT_VARIANT::power(x[0], y[0]), 0));
    }
    const bool is_with_zero = has_zero(x) || has_zero(y);
    if (is_with_zero && !(is_moderate(x, of_power.with_zero) && is_moderate_power(x, y, most_power_near)))
      return false;
    return round(to, power_of(nears(x), nears(y), y[0]));
  }
  static bool find(double *to, const double *x, const double *y) {
    if (is_zero(x) || is_zero(y))
      return false;
    if (is_real(x) && y[1] == 0) {
      to[1] = copysign(0, x[1]) * (y[0] < 0 ? -1 : 1);
      to[0] = HLOKIT_VARIANT::power(x[0], y[0]);
      return true;
    }
    const bool is_with_zero = has_zero(x) || has_zero(y);
    const double most = is_with_zero ? of_power.with_zero : of_power.without_zero;
    if (!is_moderate(x, most) || !is_moderate(y, most) || (is_with_zero && !is_moderate_power(x, y, most_power_ball)))
      return false;
    return round(to, power_of(balls(x), balls(y), y[0]), is_with_zero);
  }
  static Complex exact(Complex x, Complex y, FloatLimits limits) { return complex_exact::power(x, y, limits); }
};
struct ComplexAtan2 {
  static bool find(float *to, const double *y, const double *x) {
    if ((has_zero(x) || has_zero(y)) && (!is_moderate(x, of_atan2_near) || !is_moderate(y, of_atan2_near)))
      return false;
    return round(to, atan2_of(nears(y), nears(x)));
  }
  static bool find(double *to, const double *y, const double *x) {
    const bool is_with_zero = has_zero(x) || has_zero(y);
    const double most = is_with_zero ? of_atan2.with_zero : of_atan2.without_zero;
    if (!is_moderate(x, most) || !is_moderate(y, most))
      return false;
    return round(to, atan2_of(balls(y), balls(x)), is_with_zero);
  }
  static Complex exact(Complex y, Complex x, FloatLimits limits) { return complex_exact::atan2(y, x, limits); }
};

template <class Function, class T> void each(T *to, const T *a, const T *b, size_t count) {
  for (size_t i = 0; i < 2 * count; i += 2) {
    const double x[2] = {a[i], a[i + 1]}, y[2] = {b[i], b[i + 1]};
    if (!is_finite(x) || !is_finite(y) || !Function::find(to + i, x, y))
      put(to + i, [&](FloatLimits limits) { return Function::exact(complex(x), complex(y), limits); });
  }
}

} // namespace

namespace HLOKIT_VARIANT {

#define HLOKIT_DEFINE_COMPLEX1(name, Class, part)                                                                    \
  static constexpr Function1 name##_function = {name##_of<Near>, name##_of<Ball>, complex_exact::name, Exponent::part}; \
  void complex_##name(float *to, const float *a, const float *, size_t count) {                                      \
    if constexpr (Exponent::part == Exponent::none || HLOKIT_IS_FALLBACK)                                              \
      each(to, a, count, name##_function);                                                                             \
    else                                                                                                               \
      each_in_blocks(to, a, count, name##_function, compute_block<name##_of<NearInBlock>>);                            \
  }                                                                                                                    \
  void complex_##name(double *to, const double *a, const double *, size_t count) { each(to, a, count, name##_function); }
#define HLOKIT_DEFINE_COMPLEX2(name, Class, part)                                                                    \
  void complex_##name(float *to, const float *a, const float *b, size_t count) { each<Complex##Class>(to, a, b, count); } \
  void complex_##name(double *to, const double *a, const double *b, size_t count) { each<Complex##Class>(to, a, b, count); }
#define HLOKIT_DEFINE_COMPLEX(name, Class, operands, part, pole) HLOKIT_DEFINE_COMPLEX##operands(name, Class, part)
HLOKIT_COMPLEX_FUNCTIONS(HLOKIT_DEFINE_COMPLEX)

} // namespace HLOKIT_VARIANT

} // namespace hlokit::functions
