// Compiled once for each level of processor: see the rules in support/variants.h.
#include <math.h>
#include <stddef.h>

#include "kernels/functions/balls.h"
#include "kernels/functions/functions.h"
#include "kernels/functions/exact.h"

namespace hlokit::functions {
namespace {

// Operands outside of these ranges go to exact.h: an error that is NaN decides nothing.
constexpr Ball undecided = {0, 0, HUGE_VAL};
HLOKIT_INLINE bool is_usual(double size) { return (size > 0x1p-900) & (size < 0x1p900); }

Ball signed_by(const Ball &a, double sign) { return sign < 0 ? -a : a; }

struct Erf {
  static Ball of(double x) {
    const double size = magnitude(x);
    return is_usual(size) && size < 26 ? signed_by(erf_of(Ball{size, 0, 0}), x) : undecided;
  }
};
struct Erfc {
  static Ball of(double x) { return magnitude(x) < 26 ? erfc_of(Ball{x, 0, 0}) : undecided; }
};
struct ErfInverse {
  static Ball of(double x) {
    const double size = magnitude(x);
    return is_usual(size) && size < 1 ? signed_by(erf_inverse_of<Ball>(size, exact::approximate_erf_inv(size)), x)
                                      : undecided;
  }
};
struct LogGamma {
  static Ball of(double x) { return is_usual(magnitude(x)) && (x > 0 || rint(x) != x) ? lgamma_of<Ball>(x) : undecided; }
};
struct Digamma {
  static Ball of(double x) { return is_usual(magnitude(x)) && (x > 0 || rint(x) != x) ? digamma_of<Ball>(x) : undecided; }
};
struct BesselI1e {
  static Ball of(double x) {
    const double size = magnitude(x);
    return is_usual(size) ? signed_by(bessel_i1e_of<Ball>(size), x) : undecided;
  }
};
HLOKIT_INLINE bool is_usual_zeta(double x, double q) {
  return (x > 1) & (x < 1000) & (magnitude(q) < 0x1p50) & (q > 0 || (rint(q) != q && rint(x) == x)) && magnitude(q) > 0x1p-500;
}
struct Zeta {
  static Ball of(double x, double q) {
    return is_usual_zeta(x, q) ? zeta_of(x, q, Ball{0, 0, 0}) : undecided;
  }
};
struct Polygamma {
  static Ball of(double n, double x) {
    if (n == 0)
      return Digamma::of(x);
    return (n > 0) & (rint(n) == n) && is_usual_zeta(n + 1, x) ? polygamma_of<Ball>(n, x) : undecided;
  }
};

HLOKIT_INLINE Decision decided(const Ball &found) { return decide({found.high, found.low, found.error}); }

} // namespace

namespace HLOKIT_VARIANT {

#define HLOKIT_DEFINE_SPECIAL1(name, Fast, ...)                                                                        \
  double name(double x) {                                                                                              \
    const Decision decision = decided(Fast::of(x));                                                                    \
    return decision.is_decided ? decision.result : exact::name(x);                                                     \
  }                                                                                                                    \
  void name##_of_each(void *to, const void *a, const void *, const void *, size_t count) {                             \
    double *result = static_cast<double *>(to);                                                                        \
    const double *x = static_cast<const double *>(a);                                                                  \
    for (size_t i = 0; i < count; ++i)                                                                                 \
      result[i] = HLOKIT_VARIANT::name(x[i]);                                                                          \
  }
#define HLOKIT_DEFINE_SPECIAL2(name, Fast, ...)                                                                        \
  double name(double x, double y) {                                                                                    \
    const Decision decision = decided(Fast::of(x, y));                                                                 \
    return decision.is_decided ? decision.result : exact::name(x, y);                                                  \
  }                                                                                                                    \
  void name##_of_each(void *to, const void *a, const void *b, const void *, size_t count) {                            \
    double *result = static_cast<double *>(to);                                                                        \
    const double *x = static_cast<const double *>(a), *y = static_cast<const double *>(b);                             \
    for (size_t i = 0; i < count; ++i)                                                                                 \
      result[i] = HLOKIT_VARIANT::name(x[i], y[i]);                                                                    \
  }
HLOKIT_SPECIAL_FUNCTIONS1(HLOKIT_DEFINE_SPECIAL1)
HLOKIT_SPECIAL_FUNCTIONS2(HLOKIT_DEFINE_SPECIAL2)

} // namespace HLOKIT_VARIANT

} // namespace hlokit::functions
