// Compiled once for each level of processor: see the rules in support/variants.h.
#include "kernels/functions/functions.h"

#include <stddef.h>
#include <string.h>

#include <type_traits>

#include "kernels/functions/exact.h"
#include "kernels/functions/fast.h"
#include "kernels/functions/fast_special.h"
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
template <class Fast, double exact(double, double, Rounding)> double of_scalar(double x, double y) {
  if constexpr (std::is_same_v<Fast, Power>)
    if (is_rounded_once(y)) {
      double result;
      powers_rounded_once(&result, &x, y, 1);
      return result;
    }
  const Decision decision = decide(Fast::of(x, y));
  return decision.is_decided ? decision.result : exact(x, y, nearest_f64);
}

// The approximations of a block, and which of them are undecided.
template <class Fast, class... Operand>
HLOKIT_INLINE void decide_each(double *to, uint64_t *doubts, const Operand *...operands) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    Decision decision = decide(Fast::of(operands[i]...));
    to[i] = decision.result;
    doubts[i] = decision.is_decided ? 0 : 1;
  }
}

// Powers of two from their table. Compilers would look up one number after the other, for half of the time of an exponential.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
using Eight = double __attribute__((vector_size(64)));
using EightPlaces = int64_t __attribute__((vector_size(64)));

HLOKIT_INLINE void look_up(double *to, const uint64_t *places, const double (&table)[power_count]) {
  static_assert(power_count == 32);
  Eight parts[4];
  memcpy(parts, table, sizeof parts);
  for (size_t i = 0; i < block; i += 8) {
    EightPlaces place;
    memcpy(&place, places + i, sizeof place);
    const Eight first = __builtin_shuffle(parts[0], parts[1], place), second = __builtin_shuffle(parts[2], parts[3], place);
    const Eight found = (place & 16) != 0 ? second : first;
    memcpy(to + i, &found, sizeof found);
  }
}
#else
HLOKIT_INLINE void look_up(double *to, const uint64_t *places, const double (&table)[power_count]) {
  for (size_t i = 0; i < block; ++i)
    to[i] = table[places[i]];
}
#endif
template <class Fast> HLOKIT_INLINE void decide_powers(double *to, uint64_t *doubts, const double *x) {
  uint64_t places[block];
  double tables[block], tables_low[block];
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i)
    places[i] = place_of_power(Fast::exponent(x[i]));
  look_up(tables, places, powers);
  look_up(tables_low, places, powers_low);
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < block; ++i) {
    Decision decision = decide(Fast::from(x[i], power_of_e(Fast::exponent(x[i]), {tables[i], tables_low[i]})));
    to[i] = decision.result;
    doubts[i] = decision.is_decided ? 0 : 1;
  }
}

template <class Fast, auto exact, class... Operand> void of_block(double *to, const Operand *...operands) {
  uint64_t doubts[block], doubt = 0;
  if constexpr (std::is_base_of_v<OfPowerOfE<Fast>, Fast>)
    decide_powers<Fast>(to, doubts, operands...);
  else
    decide_each<Fast>(to, doubts, operands...);
  for (size_t i = 0; i < block; ++i)
    doubt |= doubts[i];
  if (doubt != 0)
    for (size_t i = 0; i < block; ++i)
      if (doubts[i] != 0)
        to[i] = exact(operands[i]..., nearest_f64);
}

// The last elements, and the first of them for those that a block has besides.
struct LastBlock {
  double values[block];

  LastBlock(const double *operand, size_t count) {
    for (size_t i = 0; i < block; ++i)
      values[i] = i < count ? operand[i] : operand[0];
  }
};

template <class Fast, auto exact, class... Operand> void of_each(double *to, size_t count, const Operand *...operands) {
  for (; count >= block; to += block, count -= block, ((operands += block), ...))
    of_block<Fast, exact>(to, operands...);
  if (count == 0)
    return;
  double results[block];
  of_block<Fast, exact>(results, LastBlock(operands, count).values...);
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
        to[i] = of_scalar<Power, exact::power>(a[i], y);
}

} // namespace

namespace HLOKIT_VARIANT {

#define HLOKIT_DEFINE_special(name, Class, operands)
#define HLOKIT_DEFINE_with(name, Class, operands, exact)                                                             \
  double name(HLOKIT_PARAMETERS##operands) { return of_scalar<Class, exact>(HLOKIT_ARGUMENTS##operands); }           \
  void name##_of_each(void *to, const void *a, [[maybe_unused]] const void *b, const void *, size_t count) {         \
    of_each<Class, exact>(static_cast<double *>(to), count, HLOKIT_ARRAYS##operands(a, b));                          \
  }
#define HLOKIT_DEFINE_fast(name, Class, operands) HLOKIT_DEFINE_with(name, Class, operands, exact::name)
#define HLOKIT_DEFINE_both(name, Class, operands) HLOKIT_DEFINE_with(name, Class, operands, special_##name)
#define HLOKIT_DEFINE_FUNCTION(name, Class, operands, formula, ...) HLOKIT_DEFINE_##formula(name, Class, operands)
HLOKIT_FUNCTIONS(HLOKIT_DEFINE_FUNCTION)

void power_with_one_exponent(void *to, const void *a, const void *b, const void *, size_t count) {
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
      power_of_each(result + i, x + i, exponents, nullptr, is_whole ? block : count - i);
  }
}

} // namespace HLOKIT_VARIANT

} // namespace hlokit::functions
