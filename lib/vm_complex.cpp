// What operations compute of complex numbers, their parts side by side: of arrays only, in chains.
//
// Those of f32 are computed in f64, quotients and magnitudes of f64 in long double where squares or products leave the
// range of f64; each part is then rounded once. Infinities and NaN are those of C99, Annex G, as in
// `ops/complex_functions.py`. Products of f64 are not here: NumPy rounds them once or twice, by the processor.
//
// Like vm_kernels.cpp this is compiled once more for AVX2 and for AVX-512, and so has nothing that objects share.
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "vm.h"
#include "vm_pointwise.h"
#include "vm_types.h"

#ifndef HLOKIT_VM_COMPLEX_OPERATIONS
#define HLOKIT_VM_COMPLEX_OPERATIONS baseline_complex_operations
#endif

namespace hlokit::vm {
namespace {

template <class T> struct Complex {
  T real, imag;
};

// Numbers at a time, which stay in the cache while they are looked at again.
constexpr size_t complex_block = 256;

// Calls act(start, count) for blocks of numbers.
template <class Act> void each_block(size_t count, Act act) {
  for (size_t start = 0; start < count; start += complex_block)
    act(start, count - start < complex_block ? count - start : complex_block);
}

inline double with_sign(double size, double sign) { return copysign(size, sign); }
inline long double with_sign(long double size, long double sign) { return copysignl(size, sign); }
template <class T> inline bool is_nan(T value) { return value != value; }
template <class T> inline bool is_finite(T value) { return value - value == 0; }
template <class T> inline bool is_infinite(T value) { return !is_nan(value) && !is_finite(value); }
// What an infinity is scaled down to: +-1, others to +-0.
template <class T> inline T unit(T value) { return with_sign(T(is_infinite(value) ? 1 : 0), value); }

template <class T> bool has_nan(const T *parts, size_t count) {
  int found = 0;
  for (size_t i = 0; i < count; ++i)
    found |= parts[i] != parts[i];
  return found != 0;
}

// Whether products of these, and sums of them, keep their precision: those of f32 are computed in f64.
inline bool are_moderate(const float *, size_t) { return true; }
inline bool are_moderate(const double *parts, size_t count) {
  // Zeros, and what lies between 2**-250 and 2**250.
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

// Products --------------------------------------------------------------------------------------------

// A factor where one of both is infinite.
inline double boxed(double part, bool is_infinite_one, bool is_other_infinite) {
  if (is_infinite_one)
    return unit(part);
  return is_other_infinite && is_nan(part) ? with_sign(0.0, part) : part;
}

// A product of which both parts came out as NaN.
Complex<double> recovered_product(Complex<double> lhs, Complex<double> rhs) {
  const bool first = is_infinite(lhs.real) || is_infinite(lhs.imag);
  const bool second = is_infinite(rhs.real) || is_infinite(rhs.imag);
  if (!first && !second)
    return {NAN, NAN};
  const double a = boxed(lhs.real, first, second), b = boxed(lhs.imag, first, second);
  const double c = boxed(rhs.real, second, first), d = boxed(rhs.imag, second, first);
  return {HUGE_VAL * (a * c - b * d), HUGE_VAL * (a * d + b * c)};
}

void product(void *to, const void *lhs, const void *rhs, const void *, size_t count) {
  float *HLOKIT_RESTRICT result = static_cast<float *>(to);
  const float *a = static_cast<const float *>(lhs), *b = static_cast<const float *>(rhs);
  each_block(count, [&](size_t start, size_t size) {
    const size_t stop = start + size;
    for (size_t i = start; i < stop; ++i) {
      const double real = a[2 * i], imag = a[2 * i + 1], other_real = b[2 * i], other_imag = b[2 * i + 1];
      result[2 * i] = static_cast<float>(real * other_real - imag * other_imag);
      result[2 * i + 1] = static_cast<float>(real * other_imag + imag * other_real);
    }
    if (!has_nan(result + 2 * start, 2 * size))
      return;
    for (size_t i = start; i < stop; ++i)
      if (is_nan(result[2 * i]) && is_nan(result[2 * i + 1])) {
        const Complex<double> found =
            recovered_product({double(a[2 * i]), double(a[2 * i + 1])}, {double(b[2 * i]), double(b[2 * i + 1])});
        result[2 * i] = static_cast<float>(found.real);
        result[2 * i + 1] = static_cast<float>(found.imag);
      }
  });
}

// Quotients -------------------------------------------------------------------------------------------

// Infinities and zeros where a part of (a + ib) / (c + id) came out as NaN.
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

Complex<double> wide_quotient(double lhs_real, double lhs_imag, double rhs_real, double rhs_imag) {
  const long double a = lhs_real, b = lhs_imag, c = rhs_real, d = rhs_imag;
  const long double norm = c * c + d * d;
  const Complex<long double> found{(a * c + b * d) / norm, (b * c - a * d) / norm};
  const Complex<long double> recovered = recovered_quotient(found, a, b, c, d);
  return {static_cast<double>(recovered.real), static_cast<double>(recovered.imag)};
}

template <class T> void quotient(void *to, const void *lhs, const void *rhs, const void *, size_t count) {
  T *result = static_cast<T *>(to);
  const T *a = static_cast<const T *>(lhs), *b = static_cast<const T *>(rhs);
  each_block(count, [&](size_t start, size_t size) {
    // A loop for each part: of a sum and a difference side by side GCC 12 makes a fused operation, which rounds less
    // often, whatever it is told.
    double norms[complex_block], real[complex_block], imag[complex_block];
    const T *x = a + 2 * start, *y = b + 2 * start;
    for (size_t i = 0; i < size; ++i) {
      const double first = y[2 * i], second = y[2 * i + 1];
      norms[i] = first * first + second * second;
    }
    for (size_t i = 0; i < size; ++i)
      real[i] = (double(x[2 * i]) * double(y[2 * i]) + double(x[2 * i + 1]) * double(y[2 * i + 1])) / norms[i];
    for (size_t i = 0; i < size; ++i)
      imag[i] = (double(x[2 * i + 1]) * double(y[2 * i]) - double(x[2 * i]) * double(y[2 * i + 1])) / norms[i];
    const bool is_moderate = are_moderate(x, 2 * size) && are_moderate(y, 2 * size);
    if (!is_moderate || has_nan(real, size) || has_nan(imag, size))
      for (size_t i = 0; i < size; ++i) {
        Complex<double> found{real[i], imag[i]};
        if (is_moderate || (are_moderate(x + 2 * i, 2) && are_moderate(y + 2 * i, 2)))
          found = recovered_quotient<double>(found, x[2 * i], x[2 * i + 1], y[2 * i], y[2 * i + 1]);
        else
          found = wide_quotient(x[2 * i], x[2 * i + 1], y[2 * i], y[2 * i + 1]);
        real[i] = found.real;
        imag[i] = found.imag;
      }
    for (size_t i = 0; i < size; ++i) {
      result[2 * (start + i)] = static_cast<T>(real[i]);
      result[2 * (start + i) + 1] = static_cast<T>(imag[i]);
    }
  });
}

// Magnitudes ------------------------------------------------------------------------------------------

// The error of a product is exact where nothing overflows or is subnormal (Dekker).
HLOKIT_INLINE double product_error(double a, double b, double product) {
  const double scaled_a = a * 134217729.0, scaled_b = b * 134217729.0;
  const double a_high = scaled_a - (scaled_a - a), b_high = scaled_b - (scaled_b - b);
  const double a_low = a - a_high, b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

// The root of squares that are exact in f64.
HLOKIT_INLINE float magnitude_of(float x, float y) {
  const double real = x, imag = y;
  return static_cast<float>(sqrt(real * real + imag * imag));
}
// One step of Newton's method from the rounded root, on the exact sum of squares.
HLOKIT_INLINE double magnitude_of(double x, double y) {
  const double first = x * x, second = y * y, sum = first + second, part = sum - first;
  const double error = ((first - (sum - part)) + (second - part)) +
                       (product_error(x, x, first) + product_error(y, y, second));
  const double root = sqrt(sum), square = root * root;
  const double rest = ((sum - square) - product_error(root, root, square)) + error;
  return root + (sum == 0 ? 0 : rest / (2 * (sum == 0 ? 1 : root)));
}

// Those that squares do not give.
inline float other_magnitude(float x, float y) { return is_infinite(x) || is_infinite(y) ? HUGE_VALF : NAN; }
inline double other_magnitude(double x, double y) {
  return static_cast<double>(hypotl(static_cast<long double>(x), static_cast<long double>(y)));
}

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
template <class Op, class T> void parts2(void *to, const void *a, const void *b, const void *, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<T *>(to);
  auto *first = static_cast<const T *>(a);
  auto *second = static_cast<const T *>(b);
  for (size_t i = 0; i < 2 * count; ++i)
    result[i] = Op::of(first[i], second[i]);
}

// Of real and imaginary parts, as they are.
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
    const bool is_equal = (first[2 * i] == second[2 * i]) & (first[2 * i + 1] == second[2 * i + 1]);
    result[i] = is_equal == wanted;
  }
}
template <class T> void choose(void *to, const void *a, const void *b, const void *c, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<Bits<T> *>(to);
  auto *pred = static_cast<const uint8_t *>(a);
  auto *on_true = static_cast<const Bits<T> *>(b), *on_false = static_cast<const Bits<T> *>(c);
  for (size_t i = 0; i < count; ++i) {
    const Bits<T> mask = static_cast<Bits<T>>(0 - static_cast<Bits<T>>(pred[i]));
    for (size_t j = 2 * i; j < 2 * i + 2; ++j)
      result[j] = (on_true[j] & mask) | (on_false[j] & ~mask);
  }
}
template <class T> void copy(void *to, const void *from, const void *, const void *, size_t count) {
  memcpy(to, from, 2 * sizeof(T) * count);
}

// The table -------------------------------------------------------------------------------------------

#define ROW(name, to, operands, arity, cost, ...)                                                              \
  {name, Type::to, {HLOKIT_TYPES operands}, arity, nullptr, __VA_ARGS__, cost},
#define HLOKIT_TYPES(...) __VA_ARGS__
#define FOR_PARTS(complex, part, T)                                                                            \
  ROW("add", complex, (Type::complex, Type::complex), 2, 2, (parts2<Add<T>, T>))                               \
  ROW("subtract", complex, (Type::complex, Type::complex), 2, 2, (parts2<Subtract<T>, T>))                     \
  ROW("negate", complex, (Type::complex), 1, 2, (parts1<Negate<T>, T>))                                        \
  ROW("abs", part, (Type::complex), 1, 16, magnitude<T>)                                                       \
  ROW("real", part, (Type::complex), 1, 1, (part_of<T, 0>))                                                    \
  ROW("imag", part, (Type::complex), 1, 1, (part_of<T, 1>))                                                    \
  ROW("complex", complex, (Type::part, Type::part), 2, 2, from_parts<T>)                                       \
  ROW("EQ", i1, (Type::complex, Type::complex), 2, 2, (equal<T, true>))                                        \
  ROW("NE", i1, (Type::complex, Type::complex), 2, 2, (equal<T, false>))                                       \
  ROW("select", complex, (Type::i1, Type::complex, Type::complex), 3, 2, choose<T>)                            \
  ROW("convert", complex, (Type::complex), 1, 2, copy<T>)                                                      \
  ROW("convert", complex, (Type::part), 1, 2, from_real<T>)                                                    \
  ROW("convert", part, (Type::complex), 1, 1, (part_of<T, 0>))

const Operation table[] = {
    // clang-format off
    FOR_PARTS(c64, f32, float) FOR_PARTS(c128, f64, double)
    ROW("convert", c128, (Type::c64), 1, 2, (convert_parts<double, float>))
    ROW("convert", c64, (Type::c128), 1, 2, (convert_parts<float, double>))
    ROW("multiply", c64, (Type::c64, Type::c64), 2, 8, product)
    ROW("divide", c64, (Type::c64, Type::c64), 2, 16, quotient<float>)
#if LDBL_MAX_EXP > DBL_MAX_EXP
    ROW("divide", c128, (Type::c128, Type::c128), 2, 16, quotient<double>)
#endif
    // clang-format on
};

} // namespace

Operations HLOKIT_VM_COMPLEX_OPERATIONS() {
  Operations result;
  result.begin = table;
  result.count = sizeof table / sizeof *table;
  return result;
}

} // namespace hlokit::vm
