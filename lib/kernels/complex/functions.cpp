// Compiled once for each level of processor: see the rules in support/variants.h.
#include "kernels/complex/functions.h"

#include <math.h>
#include <stddef.h>

#include "kernels/complex/blocks.h"

namespace hlokit::functions {
namespace {

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
HLOKIT_INLINE bool round(float *to, const Parts<Near> &found, bool) {
  return round_part(to[0], found.real) && round_part(to[1], found.imag);
}
HLOKIT_INLINE bool round(double *to, const Parts<Ball> &found, bool is_with_zero) {
  return round_part(to[0], found.real, is_with_zero) && round_part(to[1], found.imag, is_with_zero);
}

template <class T> using Scalar = std::conditional_t<std::is_same_v<T, float>, Near, Ball>;
template <class T> Parts<Scalar<T>> visible_scalars(const double *parts) {
  constexpr double tiny = std::is_same_v<T, float> ? tiny_near : tiny_ball;
  return {of<Scalar<T>>(visible(parts[0], tiny)), of<Scalar<T>>(visible(parts[1], tiny))};
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

// A formula for scalars and for blocks, and the function that decides the remaining operands.
template <class T> struct Function1 {
  Parts<Scalar<T>> (*formula)(const Parts<Scalar<T>> &);
  Block<T, T> block_formula;
  Complex (*exact)(Complex, FloatLimits);
  Exponent exponent;
};

// The results of zeros, by the signs of their parts.
template <class T> struct OfZeros {
  T parts[4][2];
  bool are_known[4] = {};
};

template <class T> void one(T *to, const T *a, const Function1<T> &function, OfZeros<T> &of_zeros) {
  const double z[2] = {a[0], a[1]};
  const auto exact = [&](FloatLimits limits) { return function.exact(complex(z), limits); };
  if (is_zero(z)) {
    const int signs = (signbit(z[0]) ? 1 : 0) + (signbit(z[1]) ? 2 : 0);
    if (!of_zeros.are_known[signs])
      put(of_zeros.parts[signs], exact);
    of_zeros.are_known[signs] = true;
    memcpy(to, of_zeros.parts[signs], sizeof of_zeros.parts[signs]);
  } else if (!holds<T>(z, function.exponent) || !round(to, function.formula(visible_scalars<T>(z)), has_zero(z)))
    put(to, exact);
}

// Blocks of numbers, of which `one` computes those with doubts. The last numbers are a block with copies of the first of them,
// unless they are few.
constexpr size_t few = 4;

template <class T, class One, class... Operand>
HLOKIT_INLINE void each(T *to, size_t count, Block<T, Operand...> compute, One one, const Operand *...operands) {
  Bits<T> doubts[block];
  const auto decide_each = [&](size_t width) {
    for (size_t i = 0; i < width; ++i)
      if (doubts[i] != 0)
        one(to + 2 * i, (operands + 2 * i)...);
  };
  for (; count >= block && compute != nullptr; count -= block, to += 2 * block, ((operands += 2 * block), ...))
    if (compute(to, doubts, operands...))
      decide_each(block);
  if (count >= few && compute != nullptr) {
    T results[2 * block];
    const bool has_doubt = compute(results, doubts, LastBlock<T>(operands, count).parts...);
    memcpy(to, results, 2 * count * sizeof *to);
    if (has_doubt)
      decide_each(count);
    return;
  }
  for (size_t i = 0; i < 2 * count; i += 2)
    one(to + i, (operands + i)...);
}
template <class T> HLOKIT_NOINLINE void each(T *to, const T *a, size_t count, const Function1<T> &function) {
  OfZeros<T> of_zeros;
  each(to, count, function.block_formula, [&](T *result, const T *operand) { one(result, operand, function, of_zeros); }, a);
}

// Functions of two operands ------------------------------------------------------------------------------------------

struct ComplexPower {
  static HLOKIT_INLINE bool is_real(const double *x, const double *y) { return (x[1] == 0) & (x[0] > 0) & (y[1] == 0); }
  template <class T> static HLOKIT_INLINE bool holds(const double *x, const double *y) {
    const bool is_with_zero = has_zero(x) | has_zero(y), is_proper = !is_zero(x) & !is_zero(y) & !is_real(x, y);
    if constexpr (std::is_same_v<T, float>)
      return is_proper & is_finite(x) & is_finite(y) &
             ((!is_with_zero) | (is_moderate(x, of_power, true) & is_moderate_power(x, y, most_power_near)));
    return is_proper & is_moderate(x, of_power, is_with_zero) & is_moderate(y, of_power, is_with_zero) &
           ((!is_with_zero) | is_moderate_power(x, y, most_power_ball));
  }
  template <class N> static HLOKIT_INLINE Parts<N> of(const Parts<N> &x, const Parts<N> &y, double real_exponent) {
    return power_of(x, y, real_exponent);
  }
  static Complex exact(Complex x, Complex y, FloatLimits limits) { return complex_exact::power(x, y, limits); }
  // Powers of positive real numbers.
  template <class T> static bool has_simple(T *to, const double *x, const double *y) {
    if (!is_real(x, y) || !is_finite(x) || !is_finite(y) || is_zero(y))
      return false;
    const double power = HLOKIT_VARIANT::power(x[0], y[0]);
    to[1] = static_cast<T>(copysign(0, x[1]) * (y[0] < 0 ? -1 : 1));
    if constexpr (std::is_same_v<T, float>)
      return round_part(to[0], near(power, 0));
    to[0] = static_cast<T>(power);
    return true;
  }
};
struct ComplexAtan2 {
  template <class T> static HLOKIT_INLINE bool holds(const double *y, const double *x) {
    const bool is_with_zero = has_zero(x) | has_zero(y);
    if constexpr (std::is_same_v<T, float>)
      return is_finite(x) & is_finite(y) &
             ((!is_with_zero) | (is_moderate(x, of_atan2_near, true) & is_moderate(y, of_atan2_near, true)));
    return is_moderate(x, of_atan2, is_with_zero) & is_moderate(y, of_atan2, is_with_zero);
  }
  template <class N> static HLOKIT_INLINE Parts<N> of(const Parts<N> &y, const Parts<N> &x, double) { return atan2_of(y, x); }
  static Complex exact(Complex y, Complex x, FloatLimits limits) { return complex_exact::atan2(y, x, limits); }
  template <class T> static bool has_simple(T *, const double *, const double *) { return false; }
};

template <class Function, class T> void one(T *to, const T *a, const T *b) {
  const double x[2] = {a[0], a[1]}, y[2] = {b[0], b[1]};
  const auto is_found = [&] {
    return Function::template holds<T>(x, y) &&
           round(to, Function::of(visible_scalars<T>(x), visible_scalars<T>(y), y[0]), has_zero(x) | has_zero(y));
  };
  if (!Function::has_simple(to, x, y) && !is_found())
    put(to, [&](FloatLimits limits) { return Function::exact(complex(x), complex(y), limits); });
}
template <class Function, class T> void each(T *to, const T *a, const T *b, size_t count) {
  const Block<T, T, T> compute = HLOKIT_IS_FALLBACK ? nullptr : compute_block<T, Function>;
  each(to, count, compute, one<Function, T>, a, b);
}

} // namespace

namespace HLOKIT_VARIANT {

#define HLOKIT_DEFINE_COMPLEX1(name, Class, part)                                                                    \
  static constexpr Function1<float> name##_near = {                                                                  \
      name##_of<Near>, block_of<float, name##_of<NearInBlock>, Exponent::part>(), complex_exact::name, Exponent::part};  \
  static constexpr Function1<double> name##_ball = {                                                                 \
      name##_of<Ball>, block_of<double, name##_of<BallInBlock>, Exponent::part>(), complex_exact::name, Exponent::part}; \
  void complex_##name(float *to, const float *a, const float *, size_t count) { each(to, a, count, name##_near); }   \
  void complex_##name(double *to, const double *a, const double *, size_t count) { each(to, a, count, name##_ball); }
#define HLOKIT_DEFINE_COMPLEX2(name, Class, part)                                                                    \
  void complex_##name(float *to, const float *a, const float *b, size_t count) { each<Complex##Class>(to, a, b, count); } \
  void complex_##name(double *to, const double *a, const double *b, size_t count) { each<Complex##Class>(to, a, b, count); }
#define HLOKIT_DEFINE_COMPLEX(name, Class, operands, part, pole) HLOKIT_DEFINE_COMPLEX##operands(name, Class, part)
HLOKIT_COMPLEX_FUNCTIONS(HLOKIT_DEFINE_COMPLEX)

} // namespace HLOKIT_VARIANT

} // namespace hlokit::functions
