// Fourier transforms of `lanes` lines at once: a vector has the same element of each.
//
// Steps sort themselves (Stockham): each reads one half of the workspace in order, four elements that are a quarter
// of it apart, and writes them side by side into the other.
//
// This file is compiled several times, for different processors. Nothing here may therefore be shared between
// objects: all is internal, and nothing inline of the standard library is called.
#include "fft_kernels.h"

#include <stdint.h>
#include <string.h>

#include "inlining.h"

#ifndef HLOKIT_FFT_KERNELS
#define HLOKIT_FFT_KERNELS baseline_kernels
#endif

namespace hlokit::fft {
namespace {

// An element of each line.
#if defined(__GNUC__)
typedef double Vector __attribute__((vector_size(lanes * sizeof(double))));
#else
struct Vector {
  double values[lanes];
};
#define HLOKIT_EACH(expression)                                                                                \
  Vector result;                                                                                               \
  for (size_t i = 0; i < lanes; ++i)                                                                           \
    result.values[i] = expression;                                                                             \
  return result;
inline Vector operator+(const Vector &a, const Vector &b) { HLOKIT_EACH(a.values[i] + b.values[i]) }
inline Vector operator-(const Vector &a, const Vector &b) { HLOKIT_EACH(a.values[i] - b.values[i]) }
inline Vector operator*(double a, const Vector &b) { HLOKIT_EACH(a * b.values[i]) }
#endif

// Not as a result: compilers warn of vectors that are wider than the processor's.
HLOKIT_INLINE void load(Vector &to, const double *from) { memcpy(&to, from, sizeof to); }
HLOKIT_INLINE void store(double *to, const Vector &value) { memcpy(to, &value, sizeof value); }

// Real parts, and imaginary ones behind them.
struct Numbers {
  double *real, *imag;
};

Numbers numbers(double *memory, size_t length) { return {memory, memory + (length + 1) * lanes}; }

HLOKIT_INLINE void load_pair(Numbers from, size_t at, Vector &real, Vector &imag) {
  load(real, from.real + at);
  load(imag, from.imag + at);
}

// Memory ----------------------------------------------------------------------------------------------

template <class T> T part_at(const void *from, size_t index) {
  T value;
  memcpy(&value, static_cast<const unsigned char *>(from) + index * sizeof(T), sizeof value);
  return value;
}

template <class T> void put_part(void *to, size_t index, double value) {
  const T rounded = static_cast<T>(value);
  memcpy(static_cast<unsigned char *>(to) + index * sizeof(T), &rounded, sizeof rounded);
}

// Whether lines lie side by side.
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
    for (size_t k = 0; k < count; ++k) {
      T parts[2 * lanes];
      memcpy(parts, static_cast<const unsigned char *>(batch.from[0]) + k * step * sizeof(T), sizeof parts);
      for (size_t lane = 0; lane < lanes; ++lane) {
        real[k * lanes + lane] = parts[2 * lane];
        imag[k * lanes + lane] = parts[2 * lane + 1];
      }
    }
    return;
  }
  // A few elements of each line at a time, so that what is written stays in the cache.
  for (size_t start = 0; start < count; start += lanes)
    for (size_t lane = 0; lane < lanes; ++lane) {
      const void *from = batch.from[lane < batch.count ? lane : batch.count - 1];
      const size_t stop = count - start < lanes ? count : start + lanes;
      for (size_t k = start; k < stop; ++k) {
        real[k * lanes + lane] = part_at<T>(from, k * step);
        imag[k * lanes + lane] = part_at<T>(from, k * step + batch.from_imag);
      }
    }
}

template <class T> void write(const Batch &batch, size_t count, Numbers from) {
  const double *real = from.real, *imag = from.imag;
  const size_t step = batch.to_step;
  if (batch.to_imag == 1 && is_beside<T>(batch.to, batch.count)) {
    for (size_t k = 0; k < count; ++k) {
      T parts[2 * lanes];
      for (size_t lane = 0; lane < lanes; ++lane) {
        parts[2 * lane] = static_cast<T>(real[k * lanes + lane] * batch.scale);
        parts[2 * lane + 1] = static_cast<T>(imag[k * lanes + lane] * batch.scale);
      }
      memcpy(static_cast<unsigned char *>(batch.to[0]) + k * step * sizeof(T), parts, sizeof parts);
    }
    return;
  }
  for (size_t start = 0; start < count; start += lanes)
    for (size_t lane = 0; lane < batch.count; ++lane) {
      const size_t stop = count - start < lanes ? count : start + lanes;
      for (size_t k = start; k < stop; ++k) {
        put_part<T>(batch.to[lane], k * step, real[k * lanes + lane] * batch.scale);
        put_part<T>(batch.to[lane], k * step + batch.to_imag, imag[k * lanes + lane] * batch.scale);
      }
    }
}

void read_all(const Batch &batch, size_t count, Numbers to) {
  (batch.from_f64 ? read<double> : read<float>)(batch, count, to);
}

void write_all(const Batch &batch, size_t count, Numbers from) {
  (batch.to_f64 ? write<double> : write<float>)(batch, count, from);
}

// Transforms ------------------------------------------------------------------------------------------

// One step: `parts` transforms of four numbers each, `beside` of which have the same factors.
void step_of_four(Numbers from, Numbers to, size_t parts, size_t beside, const Batch &batch, size_t turn) {
  const size_t quarter = parts * beside * lanes;
  for (size_t part = 0; part < parts; ++part) {
    const double c1 = batch.cosines[part * turn], s1 = batch.sines[part * turn];
    const double c2 = batch.cosines[2 * part * turn], s2 = batch.sines[2 * part * turn];
    const double c3 = batch.cosines[3 * part * turn], s3 = batch.sines[3 * part * turn];
    for (size_t place = 0; place < beside; ++place) {
      const size_t at = (part * beside + place) * lanes, to_at = (4 * part * beside + place) * lanes;
      const size_t next = beside * lanes;
      const double *x = from.real + at, *y = from.imag + at;
      Vector ax, bx, cx, dx, ay, by, cy, dy;
      load(ax, x);
      load(bx, x + quarter);
      load(cx, x + 2 * quarter);
      load(dx, x + 3 * quarter);
      load(ay, y);
      load(by, y + quarter);
      load(cy, y + 2 * quarter);
      load(dy, y + 3 * quarter);
      const Vector sum_x = ax + cx, other_x = bx + dx, difference_x = ax - cx, turned_y = bx - dx;
      const Vector sum_y = ay + cy, other_y = by + dy, difference_y = ay - cy, turned_x = by - dy;
      const Vector second_x = sum_x - other_x, second_y = sum_y - other_y;
      const Vector first_x = difference_x + turned_x, first_y = difference_y - turned_y;
      const Vector third_x = difference_x - turned_x, third_y = difference_y + turned_y;
      double *to_x = to.real + to_at, *to_y = to.imag + to_at;
      store(to_x, sum_x + other_x);
      store(to_y, sum_y + other_y);
      if (part == 0) { // factors of 1
        store(to_x + next, first_x);
        store(to_y + next, first_y);
        store(to_x + 2 * next, second_x);
        store(to_y + 2 * next, second_y);
        store(to_x + 3 * next, third_x);
        store(to_y + 3 * next, third_y);
        continue;
      }
      store(to_x + next, c1 * first_x + s1 * first_y);
      store(to_y + next, c1 * first_y - s1 * first_x);
      store(to_x + 2 * next, c2 * second_x + s2 * second_y);
      store(to_y + 2 * next, c2 * second_y - s2 * second_x);
      store(to_x + 3 * next, c3 * third_x + s3 * third_y);
      store(to_y + 3 * next, c3 * third_y - s3 * third_x);
    }
  }
}

// Of real or of imaginary parts.
void step_of_two(const double *from, double *to, size_t beside) {
  double *HLOKIT_RESTRICT result = to;
  const size_t half = beside * lanes;
  for (size_t i = 0; i < half; ++i) {
    const double a = from[i], b = from[half + i];
    result[i] = a + b;
    result[half + i] = a - b;
  }
}

// Gives where the result is.
Numbers transform(const Batch &batch, Numbers from, Numbers to) {
  size_t beside = 1, turn = batch.root_step;
  for (size_t left = batch.length; left > 1;) {
    if (left == 2) {
      step_of_two(from.real, to.real, beside);
      step_of_two(from.imag, to.imag, beside);
      left = 1;
    } else {
      left /= 4;
      step_of_four(from, to, left, beside, batch, turn);
      beside *= 4;
      turn *= 4;
    }
    const Numbers done = to;
    to = from;
    from = done;
  }
  return from;
}

// The inverse is the transform of numbers whose parts change places.
Numbers turned(Numbers numbers, bool is_turned) {
  return is_turned ? Numbers{numbers.imag, numbers.real} : numbers;
}

void compute_complex(const Batch &batch) {
  const Numbers first = numbers(batch.first, batch.length), second = numbers(batch.second, batch.length);
  read_all(batch, batch.length, turned(first, batch.is_inverse));
  write_all(batch, batch.length, turned(transform(batch, first, second), batch.is_inverse));
}

// Of even elements as real and odd ones as imaginary parts, which are told apart in the result.
void compute_real(const Batch &batch) {
  const size_t half = batch.length, turn = batch.root_step / 2;
  const Numbers first = numbers(batch.first, half), second = numbers(batch.second, half);
  read_all(batch, half, first);
  const Numbers from = transform(batch, first, second);
  const Numbers to = from.real == first.real ? second : first;
  for (size_t k = 0; k <= half; ++k) {
    const double c = batch.cosines[k * turn], s = batch.sines[k * turn];
    const size_t here = k % half * lanes, there = (half - k) % half * lanes;
    Vector x, y, other_x, other_y;
    load_pair(from, here, x, y);
    load_pair(from, there, other_x, other_y);
    const Vector even_x = 0.5 * (x + other_x), even_y = 0.5 * (y - other_y);
    const Vector odd_x = 0.5 * (x - other_x), odd_y = 0.5 * (y + other_y);
    store(to.real + k * lanes, even_x + (c * odd_y - s * odd_x));
    store(to.imag + k * lanes, even_y - (c * odd_x + s * odd_y));
  }
  // These are real, whatever infinities have done.
  memset(to.imag, 0, lanes * sizeof(double));
  memset(to.imag + half * lanes, 0, lanes * sizeof(double));
  write_all(batch, half + 1, to);
}

void compute_inverse_real(const Batch &batch) {
  const size_t half = batch.length, turn = batch.root_step / 2;
  const Numbers from = numbers(batch.first, half), to = numbers(batch.second, half);
  read_all(batch, half + 1, from);
  // What must be real is taken as such.
  memset(from.imag, 0, lanes * sizeof(double));
  memset(from.imag + half * lanes, 0, lanes * sizeof(double));
  for (size_t k = 0; k < half; ++k) {
    const double c = batch.cosines[k * turn], s = batch.sines[k * turn];
    const size_t here = k * lanes, there = (half - k) * lanes;
    Vector x, y, other_x, other_y;
    load_pair(from, here, x, y);
    load_pair(from, there, other_x, other_y);
    const Vector even_x = x + other_x, even_y = y - other_y, odd_x = x - other_x, odd_y = y + other_y;
    // The transform is that of parts that have changed places.
    store(to.imag + here, even_x - (c * odd_y + s * odd_x));
    store(to.real + here, even_y + (c * odd_x - s * odd_y));
  }
  write_all(batch, half, turned(transform(batch, to, from), true));
}

} // namespace

Kernels HLOKIT_FFT_KERNELS() { return {compute_complex, compute_real, compute_inverse_real}; }

} // namespace hlokit::fft
