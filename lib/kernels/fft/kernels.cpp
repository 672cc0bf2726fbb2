// Fourier transforms of `lanes` rows ("lines") at a time: a vector holds the same element of neighbouring lines.
//
// Stockham's self-sorting algorithm, in steps of radix 4, 2 and odd primes: each step reads one half of the workspace
// in order, elements that are a fourth (a half, ...) of it apart, and writes them side by side into the other half.
// Sums and products round one by one, in an order that the length decides: every processor computes the same bits.
//
// Compiled once for each level of processor: see the rules in support/variants.h.
#include "kernels/fft/kernels.h"

#include <string.h>

#include "kernels/fft/lines.h"

namespace hlokit::fft {
namespace {

// Transforms ------------------------------------------------------------------------------------------

// One step of radix 4: `parts` times `beside` butterflies; the `beside` of one part have the same twiddle factors.
void step_of_four(Numbers from, Numbers to, size_t parts, size_t beside, const Batch &batch, size_t turn) {
  const size_t next = beside * from.stride, quarter = parts * next;
  for (size_t part = 0; part < parts; ++part) {
    const double c1 = batch.cosines[part * turn], s1 = batch.sines[part * turn];
    const double c2 = batch.cosines[2 * part * turn], s2 = batch.sines[2 * part * turn];
    const double c3 = batch.cosines[3 * part * turn], s3 = batch.sines[3 * part * turn];
    for (size_t place = 0; place < next; place += width) {
      const size_t at = part * next + place, to_at = 4 * part * next + place;
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
      if (part == 0) { // twiddle factors of 1
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

// One step of radix 2.
void step_of_two(Numbers from, Numbers to, size_t parts, size_t beside, const Batch &batch, size_t turn) {
  const size_t next = beside * from.stride, half = parts * next;
  for (size_t part = 0; part < parts; ++part) {
    const double c = batch.cosines[part * turn], s = batch.sines[part * turn];
    for (size_t place = 0; place < next; place += width) {
      const size_t at = part * next + place, to_at = 2 * part * next + place;
      Vector ax, ay, bx, by;
      load_pair(from, at, ax, ay);
      load_pair(from, half + at, bx, by);
      const Vector x = ax - bx, y = ay - by;
      store(to.real + to_at, ax + bx);
      store(to.imag + to_at, ay + by);
      store(to.real + to_at + next, part == 0 ? x : c * x + s * y);
      store(to.imag + to_at + next, part == 0 ? y : c * y - s * x);
    }
  }
}

// One step of an odd radix. The results j and radix - j have the same sums: elements k and radix - k, added, times
// cosines, and subtracted, times sines.
template <size_t radix>
void step_of_odd(Numbers from, Numbers to, size_t parts, size_t beside, const Batch &batch, size_t turn) {
  constexpr size_t half = radix / 2;
  const size_t next = beside * from.stride, distance = parts * next;
  const size_t radix_turn = batch.length * batch.root_step / radix; // of 2 pi / radix in the tables
  for (size_t part = 0; part < parts; ++part)
    for (size_t place = 0; place < next; place += width) {
      const size_t at = part * next + place, to_at = radix * part * next + place;
      Vector first_x, first_y, sum_x[half + 1], sum_y[half + 1], difference_x[half + 1], difference_y[half + 1];
      load_pair(from, at, first_x, first_y);
      Vector total_x = first_x, total_y = first_y;
      for (size_t k = 1; k <= half; ++k) {
        Vector ax, ay, bx, by;
        load_pair(from, at + k * distance, ax, ay);
        load_pair(from, at + (radix - k) * distance, bx, by);
        sum_x[k] = ax + bx;
        sum_y[k] = ay + by;
        difference_x[k] = ax - bx;
        difference_y[k] = ay - by;
        total_x = total_x + sum_x[k];
        total_y = total_y + sum_y[k];
      }
      store(to.real + to_at, total_x);
      store(to.imag + to_at, total_y);
      for (size_t j = 1; j <= half; ++j) {
        Vector even_x = first_x, even_y = first_y, odd_x, odd_y;
        for (size_t k = 1; k <= half; ++k) {
          const double c = batch.cosines[j * k % radix * radix_turn], s = batch.sines[j * k % radix * radix_turn];
          even_x = even_x + c * sum_x[k];
          even_y = even_y + c * sum_y[k];
          odd_x = k == 1 ? s * difference_x[k] : odd_x + s * difference_x[k];
          odd_y = k == 1 ? s * difference_y[k] : odd_y + s * difference_y[k];
        }
        const Vector x[] = {even_x + odd_y, even_x - odd_y}, y[] = {even_y - odd_x, even_y + odd_x};
        for (size_t side = 0; side < 2; ++side) {
          const size_t result = side == 0 ? j : radix - j;
          const double c = batch.cosines[result * part * turn], s = batch.sines[result * part * turn];
          store(to.real + to_at + result * next, c * x[side] + s * y[side]);
          store(to.imag + to_at + result * next, c * y[side] - s * x[side]);
        }
      }
    }
}

// Returns the half of the workspace that holds the result.
Numbers transform(const Batch &batch, Numbers from, Numbers to) {
  size_t beside = 1, turn = batch.root_step;
  for (size_t left = batch.length; left > 1;) {
    const size_t radix = radix_of(left);
    left /= radix;
    const auto step = radix == 4    ? step_of_four
                      : radix == 2  ? step_of_two
                      : radix == 3  ? step_of_odd<3>
                      : radix == 5  ? step_of_odd<5>
                      : radix == 7  ? step_of_odd<7>
                      : radix == 11 ? step_of_odd<11>
                                    : step_of_odd<13>;
    step(from, to, left, beside, batch, turn);
    beside *= radix;
    turn *= radix;
    const Numbers done = to;
    to = from;
    from = done;
  }
  return from;
}

// The inverse transform is the transform of numbers with real and imaginary parts exchanged.
Numbers exchanged(Numbers numbers, bool is_exchanged) {
  return is_exchanged ? Numbers{numbers.imag, numbers.real, numbers.stride} : numbers;
}

void turn(const Batch &batch, Numbers numbers) {
  for (size_t k = 1; k < batch.length; ++k) { // the first one by 1
    double cosines[lanes], sines[lanes];
    for (size_t lane = 0; lane < numbers.stride; ++lane) {
      const size_t root = k * batch.turn_step + batch.turn[lane < batch.count ? lane : 0];
      cosines[lane] = batch.turn_cosines[root];
      sines[lane] = batch.turn_sines[root];
    }
    for (size_t lane = 0; lane < numbers.stride; lane += width) {
      Vector x, y, c, s;
      load_pair(numbers, k * numbers.stride + lane, x, y);
      load(c, cosines + lane);
      load(s, sines + lane);
      store(numbers.real + k * numbers.stride + lane, c * x + s * y);
      store(numbers.imag + k * numbers.stride + lane, c * y - s * x);
    }
  }
}

void compute_complex(const Batch &batch) {
  const Numbers first = numbers(batch.first, batch.length, batch);
  const Numbers second = numbers(batch.second, batch.length, batch);
  read_all(batch, batch.length, exchanged(first, batch.is_inverse));
  const Numbers result = transform(batch, first, second);
  if (batch.turn_cosines)
    turn(batch, result);
  write_all(batch, batch.length, exchanged(result, batch.is_inverse));
}

// Takes even elements as real parts and odd elements as imaginary parts, and separates both in the result.
void compute_real(const Batch &batch) {
  const size_t half = batch.length, turn = batch.root_step / 2;
  const Numbers first = numbers(batch.first, half, batch), second = numbers(batch.second, half, batch);
  read_all(batch, half, first);
  const Numbers from = transform(batch, first, second);
  const Numbers to = from.real == first.real ? second : first;
  const size_t stride = from.stride;
  for (size_t k = 0; k <= half; ++k) {
    const double c = batch.cosines[k * turn], s = batch.sines[k * turn];
    for (size_t lane = 0; lane < stride; lane += width) {
      Vector x, y, other_x, other_y;
      load_pair(from, k % half * stride + lane, x, y);
      load_pair(from, (half - k) % half * stride + lane, other_x, other_y);
      const Vector even_x = 0.5 * (x + other_x), even_y = 0.5 * (y - other_y);
      const Vector odd_x = 0.5 * (x - other_x), odd_y = 0.5 * (y + other_y);
      store(to.real + k * stride + lane, even_x + (c * odd_y - s * odd_x));
      store(to.imag + k * stride + lane, even_y - (c * odd_x + s * odd_y));
    }
  }
  // The first and the last number of the result are real, also where infinities made NaN of the imaginary part.
  memset(to.imag, 0, stride * sizeof(double));
  memset(to.imag + half * stride, 0, stride * sizeof(double));
  write_all(batch, half + 1, to);
}

void compute_inverse_real(const Batch &batch) {
  const size_t half = batch.length, turn = batch.root_step / 2;
  const Numbers from = numbers(batch.first, half, batch), to = numbers(batch.second, half, batch);
  read_all(batch, half + 1, from);
  // The imaginary parts of the first and the last number are ignored.
  const size_t stride = from.stride;
  memset(from.imag, 0, stride * sizeof(double));
  memset(from.imag + half * stride, 0, stride * sizeof(double));
  for (size_t k = 0; k < half; ++k) {
    const double c = batch.cosines[k * turn], s = batch.sines[k * turn];
    for (size_t lane = 0; lane < stride; lane += width) {
      Vector x, y, other_x, other_y;
      load_pair(from, k * stride + lane, x, y);
      load_pair(from, (half - k) * stride + lane, other_x, other_y);
      const Vector even_x = x + other_x, even_y = y - other_y, odd_x = x - other_x, odd_y = y + other_y;
      // With real and imaginary parts exchanged, since the transform is an inverse one.
      store(to.imag + k * stride + lane, even_x - (c * odd_y + s * odd_x));
      store(to.real + k * stride + lane, even_y + (c * odd_x - s * odd_y));
    }
  }
  write_all(batch, half, exchanged(transform(batch, to, from), true));
}

} // namespace

namespace HLOKIT_VARIANT {

Kernels kernels() { return {compute_complex, compute_real, compute_inverse_real}; }

} // namespace HLOKIT_VARIANT

} // namespace hlokit::fft
