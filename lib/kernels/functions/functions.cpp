// Compiled once for each level of processor: see the rules in support/variants.h.
#include "kernels/functions/functions.h"

#include <stddef.h>
#include <string.h>

#include <type_traits>

#include "kernels/functions/exact.h"
#include "kernels/functions/fast.h"
#include "kernels/functions/short_powers.h"
#include "support/vectors.h"

namespace hlokit::functions {
namespace {

// Loops have a fixed length: the last elements are copied. Decisions in loops are not const: GCC 12 would keep them in memory
// and not vectorise.
constexpr size_t block = vector_block;

template <class Fast, double exact(double, Rounding)> double of_scalar(double x) {
  const Decision decision = decide(Fast::of(x));
  return decision.is_decided ? decision.result : exact(x, nearest_f64);
}
template <class Fast, double exact(double, double, Rounding)> double of_scalars(double x, double y) {
  if constexpr (std::is_same_v<Fast, Pow>)
    if (is_rounded_once(y)) {
      double result;
      powers_rounded_once(&result, &x, y, 1);
      return result;
    }
  const Decision decision = decide(Fast::of(x, y));
  return decision.is_decided ? decision.result : exact(x, y, nearest_f64);
}

template <class Fast, double exact(double, Rounding)> void of_block(double *to, const double *a) {
  uint64_t doubts[block], doubt = 0;
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    Decision decision = decide(Fast::of(a[i]));
    to[i] = decision.result;
    doubts[i] = decision.is_decided ? 0 : 1;
  }
  for (size_t i = 0; i < block; ++i)
    doubt |= doubts[i];
  if (doubt != 0)
    for (size_t i = 0; i < block; ++i)
      if (doubts[i] != 0)
        to[i] = exact(a[i], nearest_f64);
}
template <class Fast, double exact(double, double, Rounding)> void of_block(double *to, const double *a, const double *b) {
  uint64_t doubts[block], doubt = 0;
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    Decision decision = decide(Fast::of(a[i], b[i]));
    to[i] = decision.result;
    doubts[i] = decision.is_decided ? 0 : 1;
  }
  for (size_t i = 0; i < block; ++i)
    doubt |= doubts[i];
  if (doubt != 0)
    for (size_t i = 0; i < block; ++i)
      if (doubts[i] != 0)
        to[i] = exact(a[i], b[i], nearest_f64);
}

template <class Fast, double exact(double, Rounding)> void of_each(double *to, const double *a, size_t count) {
  for (; count >= block; to += block, a += block, count -= block)
    of_block<Fast, exact>(to, a);
  if (count == 0)
    return;
  double rest[block], results[block];
  for (size_t i = 0; i < block; ++i)
    rest[i] = i < count ? a[i] : a[0];
  of_block<Fast, exact>(results, rest);
  memcpy(to, results, count * sizeof *to);
}
template <class Fast, double exact(double, double, Rounding)>
void of_each(double *to, const double *a, const double *b, size_t count) {
  for (; count >= block; to += block, a += block, b += block, count -= block)
    of_block<Fast, exact>(to, a, b);
  if (count == 0)
    return;
  double rest[2][block], results[block];
  for (size_t i = 0; i < block; ++i) {
    rest[0][i] = i < count ? a[i] : a[0];
    rest[1][i] = i < count ? b[i] : b[0];
  }
  of_block<Fast, exact>(results, rest[0], rest[1]);
  memcpy(to, results, count * sizeof *to);
}

// Powers of a block with one exponent.
HLOKIT_NOINLINE void powers_of_block(double *HLOKIT_RESTRICT to, const double *a, double y) {
  uint64_t doubts[block], doubt = 0;
  short_powers(to, doubts, a, y);
  for (size_t i = 0; i < block; ++i)
    doubt |= doubts[i];
  if (doubt != 0)
    for (size_t i = 0; i < block; ++i)
      if (doubts[i] != 0)
        to[i] = of_scalars<Pow, exact::pow>(a[i], y);
}

} // namespace

namespace HLOKIT_VARIANT {

#define HLOKIT_DEFINE_FUNCTION1(name, Fast, ...)                                                                       \
  double name(double x) { return of_scalar<Fast, exact::name>(x); }                                                    \
  void name##_of_each(void *to, const void *a, const void *, const void *, size_t count) {                             \
    of_each<Fast, exact::name>(static_cast<double *>(to), static_cast<const double *>(a), count);                      \
  }
#define HLOKIT_DEFINE_FUNCTION2(name, Fast, ...)                                                                       \
  double name(double x, double y) { return of_scalars<Fast, exact::name>(x, y); }                                      \
  void name##_of_each(void *to, const void *a, const void *b, const void *, size_t count) {                            \
    of_each<Fast, exact::name>(static_cast<double *>(to), static_cast<const double *>(a),                              \
                               static_cast<const double *>(b), count);                                                 \
  }
HLOKIT_F64_FUNCTIONS1(HLOKIT_DEFINE_FUNCTION1)
HLOKIT_F64_FUNCTIONS2(HLOKIT_DEFINE_FUNCTION2)

void pow_with_one_exponent(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *result = static_cast<double *>(to);
  auto *x = static_cast<const double *>(a);
  const double y = *static_cast<const double *>(b);
  if (is_rounded_once(y))
    return powers_rounded_once(result, x, y, count);
  double exponents[block];
  for (size_t i = 0; i < block; ++i)
    exponents[i] = y;
  for (size_t i = 0; i < count; i += block) {
    const bool is_whole = count - i >= block;
    if (is_whole && is_short_exponent(y))
      powers_of_block(result + i, x + i, y);
    else
      pow_of_each(result + i, x + i, exponents, nullptr, is_whole ? block : count - i);
  }
}

} // namespace HLOKIT_VARIANT

} // namespace hlokit::functions
