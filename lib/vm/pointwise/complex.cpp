// The kernels of the opcodes of complex numbers, which only fused programs have: on blocks of pairs of parts.
//
// Parts of f32 are computed in f64, and rounded once more. Where products or squares of f64 leave the range of f64,
// their exponents are computed apart. Infinities and NaN are those of C99, Annex G.
//
// Compiled once for each level of processor: see the rules in support/variants.h.
#include "vm/pointwise/kernels.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/elements/scalars.h"
#include "kernels/complex/functions.h"
#include "kernels/functions/exact.h"
#include "vm/pointwise/element_operations.h"

namespace hlokit::vm {
namespace {

template <class T> struct Complex {
  T real, imag;
};

// The numbers in a block, which stays in the cache during the check for special values.
constexpr size_t complex_block = 256;

// Calls act(start, count) for blocks of numbers.
template <class Act> void each_block(size_t count, Act act) {
  for (size_t start = 0; start < count; start += complex_block)
    act(start, count - start < complex_block ? count - start : complex_block);
}

inline double with_sign(double size, double sign) { return copysign(size, sign); }
template <class T> inline bool is_nan(T value) { return value != value; }
template <class T> inline bool is_finite(T value) { return value - value == 0; }
template <class T> inline bool is_infinite(T value) { return !is_nan(value) && !is_finite(value); }
// Scales an infinity to +-1, a number to +-0 and a NaN to 0, whatever its sign: NaNs within a fused program may have either
// sign.
template <class T> inline T unit(T value) { return is_nan(value) ? 0 : with_sign(T(is_infinite(value) ? 1 : 0), value); }

template <class T> bool has_nan(const T *parts, size_t count) {
  int found = 0;
  for (size_t i = 0; i < count; ++i)
    found |= parts[i] != parts[i];
  return found != 0;
}

inline bool has_other_than_finite(const double *values, size_t count) {
  uint64_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, values + i, sizeof bits);
    found |= (~bits & 0x7FF0000000000000) == 0 ? uint64_t(1) : uint64_t(0);
  }
  return found != 0;
}

// Whether products of these numbers, and sums of the products, keep their precision. Numbers of f32 do, in f64.
inline bool are_moderate(const float *, size_t) { return true; }
inline bool are_moderate(const double *parts, size_t count) {
  // Zeros, and numbers between 2**-250 and 2**250.
  constexpr uint64_t least = uint64_t(1023 - 250) << 52, most = uint64_t(1023 + 250) << 52;
  uint64_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, parts + i, sizeof bits);
    bits &= ~uint64_t(0) >> 1;
    found |= (bits != 0 ? uint64_t(1) : uint64_t(0)) & (bits - least - 1 >= most - least - 1 ? uint64_t(1) : uint64_t(0));
  }
  return found == 0;
}

template <class T>
void store_parts(T *HLOKIT_RESTRICT to, const double *real, const double *imag, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    to[2 * i] = static_cast<T>(real[i]);
    to[2 * i + 1] = static_cast<T>(imag[i]);
  }
}

// Products --------------------------------------------------------------------------------------------

// The product, where both parts came out as NaN.
Complex<double> recovered_product(Complex<double> lhs, Complex<double> rhs) {
  const functions::Complex found =
      functions::complex_limit::recovered_product({lhs.real, lhs.imag}, {rhs.real, rhs.imag});
  return {found.real, found.imag};
}

bool is_finite(Complex<double> z) { return (z.real - z.real) + (z.imag - z.imag) == 0; }

// fraction * 2**exponent: the numbers that operations would give if exponents had no bounds.
struct Unbounded {
  double fraction;
  int exponent;
};
// a b + c d of finite numbers.
Unbounded sum_of_products(double a, double b, double c, double d) {
  int exponents[4];
  const double first = frexp(a, exponents) * frexp(b, exponents + 1);
  const double second = frexp(c, exponents + 2) * frexp(d, exponents + 3);
  const int left = exponents[0] + exponents[1], right = exponents[2] + exponents[3];
  const int exponent = first == 0 ? right : second == 0 || left > right ? left : right;
  return {ldexp(first, left - exponent) + ldexp(second, right - exponent), exponent};
}
double bounded(Unbounded x) { return ldexp(x.fraction, x.exponent); }
double quotient_of(Unbounded x, Unbounded y) { return ldexp(x.fraction / y.fraction, x.exponent - y.exponent); }

// Two loops: of a sum and a difference side by side, GCC 12 makes fused operations, which round less often, also with
// -ffp-contract=off.
template <class T>
HLOKIT_NOINLINE void products_of_block(double *HLOKIT_RESTRICT real, double *HLOKIT_RESTRICT imag, const T *a,
                                       const T *b, size_t size) {
  for (size_t i = 0; i < size; ++i)
    real[i] = double(a[2 * i]) * double(b[2 * i]) - double(a[2 * i + 1]) * double(b[2 * i + 1]);
  for (size_t i = 0; i < size; ++i)
    imag[i] = double(a[2 * i]) * double(b[2 * i + 1]) + double(a[2 * i + 1]) * double(b[2 * i]);
}
// A product with a part that is not finite: because an intermediate result overflowed, or an operand is infinite or
// NaN.
Complex<double> other_product(Complex<double> found, Complex<double> lhs, Complex<double> rhs) {
  if (is_finite(lhs) && is_finite(rhs)) {
    const double a = lhs.real, b = lhs.imag, c = rhs.real, d = rhs.imag;
    return {is_finite(found.real) ? found.real : bounded(sum_of_products(a, c, -b, d)),
            is_finite(found.imag) ? found.imag : bounded(sum_of_products(a, d, b, c))};
  }
  return is_nan(found.real) && is_nan(found.imag) ? recovered_product(lhs, rhs) : found;
}

template <class T> void product(void *to, const void *lhs, const void *rhs, const void *, size_t count) {
  T *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const T *a = static_cast<const T *>(lhs), *b = static_cast<const T *>(rhs);
  each_block(count, [&](size_t start, size_t size) {
    const T *x = a + 2 * start, *y = b + 2 * start;
    if constexpr (sizeof(T) < sizeof(double)) {
      // Products of f32 are exact in f64, so that fused operations would give the same result.
      T *HLOKIT_RESTRICT z = result + 2 * start;
      for (size_t i = 0; i < size; ++i) {
        const double first = x[2 * i], second = x[2 * i + 1], third = y[2 * i], fourth = y[2 * i + 1];
        z[2 * i] = static_cast<T>(first * third - second * fourth);
        z[2 * i + 1] = static_cast<T>(first * fourth + second * third);
      }
      if (!has_nan(z, 2 * size))
        return;
    }
    double real[complex_block], imag[complex_block];
    products_of_block(real, imag, x, y, size);
    if (has_other_than_finite(real, size) || has_other_than_finite(imag, size))
      for (size_t i = 0; i < size; ++i)
        if (!is_finite(real[i]) || !is_finite(imag[i])) {
          const Complex<double> found = other_product({real[i], imag[i]}, {double(x[2 * i]), double(x[2 * i + 1])},
                                                      {double(y[2 * i]), double(y[2 * i + 1])});
          real[i] = found.real;
          imag[i] = found.imag;
        }
    store_parts(result + 2 * start, real, imag, size);
  });
}

// Quotients -------------------------------------------------------------------------------------------

// The quotient (a + ib) / (c + id), where a part came out as NaN: infinities and zeros.
template <class T> Complex<T> recovered_quotient(Complex<T> found, T a, T b, T c, T d) {
  if (!is_nan(found.real) && !is_nan(found.imag))
    return found;
  const T infinity = T(HUGE_VAL);
  if (c == 0 && d == 0) {
    if (!is_nan(a) || !is_nan(b))
      return {with_sign(infinity, c) * a, with_sign(infinity, c) * b};
  } else if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {
    return {infinity * (unit(a) * c + unit(b) * d), infinity * (unit(b) * c - unit(a) * d)};
  } else if ((is_infinite(c) || is_infinite(d)) && is_finite(a) && is_finite(b)) {
    return {T(0) * (a * unit(c) + b * unit(d)), T(0) * (b * unit(c) - a * unit(d))};
  }
  return found;
}

template <class T>
HLOKIT_NOINLINE void quotients_of_block(double *HLOKIT_RESTRICT real, double *HLOKIT_RESTRICT imag, const T *a,
                                        const T *b, size_t size) {
  double norms[complex_block];
  for (size_t i = 0; i < size; ++i) {
    const double first = b[2 * i], second = b[2 * i + 1];
    norms[i] = first * first + second * second;
  }
  for (size_t i = 0; i < size; ++i)
    real[i] = (double(a[2 * i]) * double(b[2 * i]) + double(a[2 * i + 1]) * double(b[2 * i + 1])) / norms[i];
  for (size_t i = 0; i < size; ++i)
    imag[i] = (double(a[2 * i + 1]) * double(b[2 * i]) - double(a[2 * i]) * double(b[2 * i + 1])) / norms[i];
}
// Where squares or products may leave the range of f64, or an operand is not finite.
Complex<double> other_quotient(Complex<double> found, Complex<double> lhs, Complex<double> rhs) {
  const double a = lhs.real, b = lhs.imag, c = rhs.real, d = rhs.imag;
  if (is_finite(lhs) && is_finite(rhs) && (c != 0 || d != 0)) {
    const Unbounded norm = sum_of_products(c, c, d, d);
    return {quotient_of(sum_of_products(a, c, b, d), norm), quotient_of(sum_of_products(b, c, -a, d), norm)};
  }
  return recovered_quotient<double>(found, a, b, c, d);
}

template <class T> void quotient(void *to, const void *lhs, const void *rhs, const void *, size_t count) {
  T *result = static_cast<T *>(to);
  const T *a = static_cast<const T *>(lhs), *b = static_cast<const T *>(rhs);
  each_block(count, [&](size_t start, size_t size) {
    double real[complex_block], imag[complex_block];
    const T *x = a + 2 * start, *y = b + 2 * start;
    quotients_of_block(real, imag, x, y, size);
    if (!are_moderate(x, 2 * size) || !are_moderate(y, 2 * size) || has_nan(real, size) || has_nan(imag, size))
      for (size_t i = 0; i < size; ++i)
        if (!are_moderate(x + 2 * i, 2) || !are_moderate(y + 2 * i, 2) || is_nan(real[i]) || is_nan(imag[i])) {
          const Complex<double> found = other_quotient({real[i], imag[i]}, {double(x[2 * i]), double(x[2 * i + 1])},
                                                       {double(y[2 * i]), double(y[2 * i + 1])});
          real[i] = found.real;
          imag[i] = found.imag;
        }
    store_parts(result + 2 * start, real, imag, size);
  });
}

// Magnitudes ------------------------------------------------------------------------------------------

// The error of a product: exact where nothing overflows or is subnormal (Dekker).
HLOKIT_INLINE double product_error(double a, double b, double product) {
  const double scaled_a = a * 134217729.0, scaled_b = b * 134217729.0;
  const double a_high = scaled_a - (scaled_a - a), b_high = scaled_b - (scaled_b - b);
  const double a_low = a - a_high, b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

// The root of a sum of squares that are exact in f64.
HLOKIT_INLINE float magnitude_of(float x, float y) {
  const double real = x, imag = y;
  return static_cast<float>(sqrt(real * real + imag * imag));
}
// One step of Newton's method from the rounded root, with the exact sum of squares.
HLOKIT_INLINE double magnitude_of(double x, double y) {
  const double first = x * x, second = y * y, sum = first + second, part = sum - first;
  const double error = ((first - (sum - part)) + (second - part)) +
                       (product_error(x, x, first) + product_error(y, y, second));
  const double root = sqrt(sum), square = root * root;
  const double rest = ((sum - square) - product_error(root, root, square)) + error;
  return root + (sum == 0 ? 0 : rest / (2 * (sum == 0 ? 1 : root)));
}

// Magnitudes for which the formulas above are not valid.
inline float other_magnitude(float x, float y) { return is_infinite(x) || is_infinite(y) ? HUGE_VALF : NAN; }
inline double other_magnitude(double x, double y) { return functions::exact::magnitude(x, y); }

template <class T> void magnitude(void *to, const void *operand, const void *, const void *, size_t count) {
  T *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const T *parts = static_cast<const T *>(operand);
  each_block(count, [&](size_t start, size_t size) {
    for (size_t i = start; i < start + size; ++i)
      result[i] = magnitude_of(parts[2 * i], parts[2 * i + 1]);
    if (!has_nan(result + start, size) && are_moderate(parts + 2 * start, 2 * size))
      return;
    for (size_t i = start; i < start + size; ++i)
      if (is_nan(result[i]) || !are_moderate(parts + 2 * i, 2))
        result[i] = other_magnitude(parts[2 * i], parts[2 * i + 1]);
  });
}

// Parts -----------------------------------------------------------------------------------------------

template <class Op, class T> void parts1(void *to, const void *a, const void *, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<T *>(to);
  auto *first = static_cast<const T *>(a);
  for (size_t i = 0; i < 2 * count; ++i)
    result[i] = Op::of(first[i]);
}
template <class T> void parts_canonical(void *to, const void *a, const void *, const void *, size_t count) {
  make_canonical(static_cast<T *>(to), static_cast<const T *>(a), 2 * count);
}
template <class Op, class T> void parts2(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<T *>(to);
  auto *first = static_cast<const T *>(a);
  auto *second = static_cast<const T *>(b);
  for (size_t i = 0; i < 2 * count; ++i)
    result[i] = Op::of(first[i], second[i]);
}

// Complex numbers from real and imaginary parts.
template <class T> void from_parts(void *to, const void *lhs, const void *rhs, const void *, size_t count) {
  T *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const T *real = static_cast<const T *>(lhs), *imag = static_cast<const T *>(rhs);
  for (size_t i = 0; i < count; ++i) {
    result[2 * i] = real[i];
    result[2 * i + 1] = imag[i];
  }
}
template <class T> void from_real(void *to, const void *operand, const void *, const void *, size_t count) {
  T *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const T *real = static_cast<const T *>(operand);
  for (size_t i = 0; i < count; ++i) {
    result[2 * i] = real[i];
    result[2 * i + 1] = 0;
  }
}
template <class T, size_t which>
void part_of(void *to, const void *operand, const void *, const void *, size_t count) {
  T *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const T *parts = static_cast<const T *>(operand);
  for (size_t i = 0; i < count; ++i)
    result[i] = parts[2 * i + which];
}
template <class To, class T>
void convert_parts(void *to, const void *operand, const void *, const void *, size_t count) {
  To *HLOKIT_RESTRICT result = static_cast<To *>(to);
  const T *parts = static_cast<const T *>(operand);
  for (size_t i = 0; i < 2 * count; ++i)
    result[i] = static_cast<To>(parts[i]);
}

template <class T, bool wanted> void equal(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<uint8_t *>(to);
  const T *first = static_cast<const T *>(a), *second = static_cast<const T *>(b);
  for (size_t i = 0; i < count; ++i) {
    const bool are_reals_equal = first[2 * i] == second[2 * i], are_imags_equal = first[2 * i + 1] == second[2 * i + 1];
    result[i] = (are_reals_equal && are_imags_equal) == wanted;
  }
}
// Bits of numbers, in words of up to 8 bytes.
template <class T> void choose(void *to, const void *a, const void *b, const void *c, size_t count) {
  constexpr size_t words = 2 * sizeof(T) / sizeof(uint64_t);
  auto *HLOKIT_RESTRICT result = static_cast<unsigned char *>(to);
  auto *pred = static_cast<const uint8_t *>(a);
  auto *on_true = static_cast<const unsigned char *>(b), *on_false = static_cast<const unsigned char *>(c);
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i) {
    const uint64_t mask = 0 - static_cast<uint64_t>(pred[i]);
    uint64_t x[words], y[words];
    memcpy(x, on_true + i * sizeof x, sizeof x);
    memcpy(y, on_false + i * sizeof y, sizeof y);
    for (size_t word = 0; word < words; ++word)
      x[word] = (x[word] & mask) | (y[word] & ~mask);
    memcpy(result + i * sizeof x, x, sizeof x);
  }
}
template <class T> void copy(void *to, const void *from, const void *, const void *, size_t count) {
  memcpy(to, from, 2 * sizeof(T) * count);
}

// Functions -------------------------------------------------------------------------------------------

namespace complex_functions = functions::HLOKIT_VARIANT;

template <class T, void function(T *, const T *, const T *, size_t)>
void function_of(void *to, const void *a, const void *b, const void *, size_t count) {
  function(static_cast<T *>(to), static_cast<const T *>(a), static_cast<const T *>(b), count);
}

// Kernels of opcodes.inc ----------------------------------------------------------------------------------

template <Sweep sweep> struct Sweeping {
  static constexpr Kernel kernel() { return {nullptr, sweep}; }
};
template <class T, void function(T *, const T *, const T *, size_t)>
using ComplexFunction = Sweeping<function_of<T, function>>;
template <class Op, class T> using PartsUnary = Sweeping<parts1<Op, T>>;
template <class Op, class T> using PartsBinary = Sweeping<parts2<Op, T>>;

constexpr Kernel kernels_of_opcodes[] = {
#define HLOKIT_UNWRAP(...) __VA_ARGS__
#define HLOKIT_COMPLEX_OPCODE(name, result, operands, cost, implementation) HLOKIT_UNWRAP implementation::kernel(),
#include "vm/opcodes.inc"
};

} // namespace

namespace HLOKIT_VARIANT {

ComplexKernelTable complex_kernel_table() {
  return {kernels_of_opcodes, sizeof kernels_of_opcodes / sizeof *kernels_of_opcodes};
}

} // namespace HLOKIT_VARIANT

} // namespace hlokit::vm
