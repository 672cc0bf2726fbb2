// Complex numbers, side by side as their parts. For the kernels, and as internal as all of them.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "vm_types.h"

namespace hlokit::vm {
namespace {

// Numbers at a time, which stay in the cache while they are looked at again.
constexpr size_t complex_block = 256;

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

// Calls act(from, to) for blocks of numbers.
template <class Act> void each_block(size_t count, Act act) {
  for (size_t start = 0; start < count; start += complex_block)
    act(start, count - start < complex_block ? count : start + complex_block);
}

template <class T> bool product(void *to, const void *lhs, const void *rhs, size_t count) {
  T *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const T *a = static_cast<const T *>(lhs), *b = static_cast<const T *>(rhs);
  bool is_open = false;
  each_block(count, [&](size_t start, size_t stop) {
    for (size_t i = start; i < stop; ++i) {
      double real = a[2 * i], imag = a[2 * i + 1], other_real = b[2 * i], other_imag = b[2 * i + 1];
      result[2 * i] = static_cast<T>(real * other_real - imag * other_imag);
      result[2 * i + 1] = static_cast<T>(real * other_imag + imag * other_real);
    }
    is_open |= has_nan(result + 2 * start, 2 * (stop - start));
  });
  return is_open;
}

template <class T> bool quotient(void *to, const void *lhs, const void *rhs, size_t count) {
  T *result = static_cast<T *>(to);
  const T *a = static_cast<const T *>(lhs), *b = static_cast<const T *>(rhs);
  bool is_open = false;
  each_block(count, [&](size_t start, size_t stop) {
    // A loop for each part: of a sum and a difference side by side GCC 12 makes a fused operation, which rounds less
    // often, whatever it is told.
    double norms[complex_block], real[complex_block], imag[complex_block];
    const T *x = a + 2 * start, *y = b + 2 * start;
    const size_t size = stop - start;
    for (size_t i = 0; i < size; ++i) {
      const double first = y[2 * i], second = y[2 * i + 1];
      norms[i] = first * first + second * second;
    }
    for (size_t i = 0; i < size; ++i)
      real[i] = (double(x[2 * i]) * double(y[2 * i]) + double(x[2 * i + 1]) * double(y[2 * i + 1])) / norms[i];
    for (size_t i = 0; i < size; ++i)
      imag[i] = (double(x[2 * i + 1]) * double(y[2 * i]) - double(x[2 * i]) * double(y[2 * i + 1])) / norms[i];
    for (size_t i = 0; i < size; ++i) {
      result[2 * (start + i)] = static_cast<T>(real[i]);
      result[2 * (start + i) + 1] = static_cast<T>(imag[i]);
    }
    is_open |= has_nan(result + 2 * start, 2 * size) || !are_moderate(x, 2 * size) || !are_moderate(y, 2 * size);
  });
  return is_open;
}

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

template <class T> bool magnitude(void *to, const void *operand, const void *, size_t count) {
  T *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const T *parts = static_cast<const T *>(operand);
  bool is_open = false;
  each_block(count, [&](size_t start, size_t stop) {
    for (size_t i = start; i < stop; ++i)
      result[i] = magnitude_of(parts[2 * i], parts[2 * i + 1]);
    is_open |= has_nan(result + start, stop - start) || !are_moderate(parts + 2 * start, 2 * (stop - start));
  });
  return is_open;
}

// Of real and imaginary parts, as they are.
template <class T> bool from_parts(void *to, const void *lhs, const void *rhs, size_t count) {
  T *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const T *real = static_cast<const T *>(lhs), *imag = static_cast<const T *>(rhs);
  for (size_t i = 0; i < count; ++i) {
    result[2 * i] = real[i];
    result[2 * i + 1] = imag[i];
  }
  return false;
}

} // namespace
} // namespace hlokit::vm
