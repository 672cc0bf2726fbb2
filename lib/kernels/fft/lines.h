// Lines of a transform in memory and in vectors: a vector holds the same element of neighbouring lines. Part of kernels.cpp,
// with internal linkage.
#pragma once

#include <stdint.h>
#include <string.h>

#include "kernels/fft/kernels.h"
#include "support/compiler.h"
#include "support/conversions.h"
#include "support/shuffles.h"

namespace hlokit::fft {
namespace {

// The number of lines that a vector of the processor holds: compilers make slow code for wider vectors.
#if defined(__AVX512F__)
constexpr size_t width = 8;
#elif defined(__AVX__)
constexpr size_t width = 4;
#else
constexpr size_t width = 2;
#endif
static_assert(lanes % width == 0);

#if defined(HLOKIT_HAS_VECTORS)
typedef double Vector __attribute__((vector_size(width * sizeof(double))));
#else
struct Vector {
  double values[width];
};
#define HLOKIT_EACH(expression)                                                                                \
  Vector result;                                                                                               \
  for (size_t i = 0; i < width; ++i)                                                                           \
    result.values[i] = expression;                                                                             \
  return result;
inline Vector operator+(const Vector &a, const Vector &b) { HLOKIT_EACH(a.values[i] + b.values[i]) }
inline Vector operator-(const Vector &a, const Vector &b) { HLOKIT_EACH(a.values[i] - b.values[i]) }
inline Vector operator*(double a, const Vector &b) { HLOKIT_EACH(a * b.values[i]) }
inline Vector operator*(const Vector &a, const Vector &b) { HLOKIT_EACH(a.values[i] * b.values[i]) }
#endif

// By reference, since compilers warn of results that are wider than the vectors of the processor.
HLOKIT_INLINE void load(Vector &to, const double *from) { memcpy(&to, from, sizeof to); }
HLOKIT_INLINE void store(double *to, const Vector &value) { memcpy(to, &value, sizeof value); }

// Complex numbers: real parts, then imaginary parts. Neighbouring elements of a line are `stride` apart.
struct Numbers {
  double *real, *imag;
  size_t stride;
};

// Memory for the lines of a batch, in whole vectors.
Numbers numbers(double *memory, size_t length, const Batch &batch) {
  const size_t stride = (batch.count + width - 1) / width * width;
  return {memory, memory + (length + 1) * stride, stride};
}

HLOKIT_INLINE void load_pair(Numbers from, size_t at, Vector &real, Vector &imag) {
  load(real, from.real + at);
  load(imag, from.imag + at);
}

// Parts --------------------------------------------------------------------------------------------------

template <class T> T part_at(const void *from, size_t index) {
  T value;
  memcpy(&value, static_cast<const unsigned char *>(from) + index * sizeof(T), sizeof value);
  return value;
}

template <class T> void put_part(void *to, size_t index, double value) {
  const T rounded = static_cast<T>(value);
  memcpy(static_cast<unsigned char *>(to) + index * sizeof(T), &rounded, sizeof rounded);
}

// Squares -----------------------------------------------------------------------------------------------

// `width` lines and `width` of their parts: the real parts are rows of one half of the memory, the imaginary parts rows of the
// other. The functions return the number of elements that whole squares cover.
#if defined(HLOKIT_SHUFFLES)
template <class T> struct NarrowVector { typedef T type __attribute__((vector_size(width * sizeof(T)))); };

template <class T> HLOKIT_INLINE void load_parts(Vector &to, const void *from, size_t index) {
  typename NarrowVector<T>::type parts;
  memcpy(&parts, static_cast<const unsigned char *>(from) + index * sizeof(T), sizeof parts);
  convert(to, parts);
}
template <class T> HLOKIT_INLINE void store_parts(void *to, size_t index, const Vector &values) {
  typename NarrowVector<T>::type parts;
  convert(parts, values);
  memcpy(static_cast<unsigned char *>(to) + index * sizeof(T), &parts, sizeof parts);
}

// One element of lines that are neighbours in memory: real and imaginary parts take turns.
template <class T> HLOKIT_INLINE void read_neighbours(double *real, double *imag, const void *from, size_t index) {
  HLOKIT_UNROLL
  for (size_t lane = 0; lane < lanes; lane += width) {
    Vector one, other, even, odd;
    load_parts<T>(one, from, index + 2 * lane);
    load_parts<T>(other, from, index + 2 * lane + width);
    separate(even, odd, one, other);
    store(real + lane, even);
    store(imag + lane, odd);
  }
}
template <class T>
HLOKIT_INLINE void write_neighbours(void *to, size_t index, const double *real, const double *imag, double scale) {
  HLOKIT_UNROLL
  for (size_t lane = 0; lane < lanes; lane += width) {
    Vector x, y, one, other;
    load(x, real + lane);
    load(y, imag + lane);
    x = scale * x;
    y = scale * y;
    interleave(one, other, x, y);
    store_parts<T>(to, index + 2 * lane, one);
    store_parts<T>(to, index + 2 * lane + width, other);
  }
}

template <class T> size_t read_squares(const Batch &batch, size_t count, Numbers to) {
  const size_t whole = count - count % (width / 2);
  for (size_t lane = 0; lane < to.stride; lane += width) {
    const void *lines[width]; // after the last line the same again
    for (size_t i = 0; i < width; ++i)
      lines[i] = batch.from[lane + i < batch.count ? lane + i : batch.count - 1];
    for (size_t k = 0; k < whole; k += width / 2) {
      Vector rows[width];
      HLOKIT_UNROLL
      for (size_t i = 0; i < width; ++i)
        load_parts<T>(rows[i], lines[i], 2 * k);
      transpose(rows);
      HLOKIT_UNROLL
      for (size_t i = 0; i < width; ++i)
        store((i % 2 == 0 ? to.real : to.imag) + (k + i / 2) * to.stride + lane, rows[i]);
    }
  }
  return whole;
}

template <class T> size_t write_squares(const Batch &batch, size_t count, Numbers from) {
  const size_t whole = count - count % (width / 2);
  for (size_t lane = 0; lane < batch.count; lane += width)
    for (size_t k = 0; k < whole; k += width / 2) {
      Vector rows[width];
      HLOKIT_UNROLL
      for (size_t i = 0; i < width; ++i) {
        load(rows[i], (i % 2 == 0 ? from.real : from.imag) + (k + i / 2) * from.stride + lane);
        rows[i] = batch.scale * rows[i];
      }
      transpose(rows);
      HLOKIT_UNROLL
      for (size_t i = 0; i < width; ++i)
        if (lane + i < batch.count)
          store_parts<T>(batch.to[lane + i], 2 * k, rows[i]);
    }
  return whole;
}
#else
template <class T> void read_neighbours(double *real, double *imag, const void *from, size_t index) {
  for (size_t lane = 0; lane < lanes; ++lane) {
    real[lane] = part_at<T>(from, index + 2 * lane);
    imag[lane] = part_at<T>(from, index + 2 * lane + 1);
  }
}
template <class T> void write_neighbours(void *to, size_t index, const double *real, const double *imag, double scale) {
  for (size_t lane = 0; lane < lanes; ++lane) {
    put_part<T>(to, index + 2 * lane, real[lane] * scale);
    put_part<T>(to, index + 2 * lane + 1, imag[lane] * scale);
  }
}
template <class T> size_t read_squares(const Batch &, size_t, Numbers) { return 0; }
template <class T> size_t write_squares(const Batch &, size_t, Numbers) { return 0; }
#endif

// Lines -------------------------------------------------------------------------------------------------

// Whether the lines are neighbours in memory.
template <class T> bool is_beside(const void *const *lines, size_t count) {
  if (count != lanes)
    return false;
  for (size_t lane = 1; lane < lanes; ++lane)
    if (reinterpret_cast<uintptr_t>(lines[lane]) != reinterpret_cast<uintptr_t>(lines[0]) + lane * 2 * sizeof(T))
      return false;
  return true;
}

template <class T> void read(const Batch &batch, size_t count, Numbers to) {
  double *HLOKIT_RESTRICT real = to.real, *HLOKIT_RESTRICT imag = to.imag;
  const size_t step = batch.from_step;
  if (batch.from_imag == 1 && is_beside<T>(batch.from, batch.count)) {
    for (size_t k = 0; k < count; ++k)
      read_neighbours<T>(real + k * lanes, imag + k * lanes, batch.from[0], k * step);
    return;
  }
  // A few elements of each line at a time, so that the destination stays in the cache.
  const bool is_dense = step == 2 && batch.from_imag == 1;
  for (size_t start = is_dense ? read_squares<T>(batch, count, to) : 0; start < count; start += lanes)
    for (size_t lane = 0; lane < to.stride; ++lane) {
      const void *from = batch.from[lane < batch.count ? lane : batch.count - 1];
      const size_t stop = count - start < lanes ? count : start + lanes;
      for (size_t k = start; k < stop; ++k) {
        real[k * to.stride + lane] = part_at<T>(from, k * step);
        imag[k * to.stride + lane] = part_at<T>(from, k * step + batch.from_imag);
      }
    }
}

template <class T> void write(const Batch &batch, size_t count, Numbers from) {
  const double *real = from.real, *imag = from.imag;
  const size_t step = batch.to_step;
  if (batch.to_imag == 1 && is_beside<T>(batch.to, batch.count)) {
    for (size_t k = 0; k < count; ++k)
      write_neighbours<T>(batch.to[0], k * step, real + k * lanes, imag + k * lanes, batch.scale);
    return;
  }
  const bool is_dense = step == 2 && batch.to_imag == 1;
  for (size_t start = is_dense ? write_squares<T>(batch, count, from) : 0; start < count; start += lanes)
    for (size_t lane = 0; lane < batch.count; ++lane) {
      const size_t stop = count - start < lanes ? count : start + lanes;
      for (size_t k = start; k < stop; ++k) {
        put_part<T>(batch.to[lane], k * step, real[k * from.stride + lane] * batch.scale);
        put_part<T>(batch.to[lane], k * step + batch.to_imag, imag[k * from.stride + lane] * batch.scale);
      }
    }
}

void read_all(const Batch &batch, size_t count, Numbers to) {
  (batch.from_f64 ? read<double> : read<float>)(batch, count, to);
}

void write_all(const Batch &batch, size_t count, Numbers from) {
  (batch.to_f64 ? write<double> : write<float>)(batch, count, from);
}

} // namespace
} // namespace hlokit::fft
