// Transforms of lines that are too long for the kernels.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "kernels/fft/passes.h"
#include "support/threads.h"

namespace hlokit::fft {
namespace {

// Elements that a thread takes at a time.
constexpr size_t piece = 1 << 12;

// Calls act(start, end) for pieces of the rows of a matrix.
template <class Act> void each_part(size_t rows, size_t columns, size_t threads, const Act &act) {
  const size_t part = std::max<size_t>(piece / columns, 1);
  in_parallel((rows + part - 1) / part, threads,
              [&](size_t i) { act(i * part, std::min((i + 1) * part, rows)); });
}

struct Number {
  double x, y;
};

// The transform of a real line from that of its even elements as real parts and its odd elements as imaginary parts.
template <class T> void separate(const Plan &plan, const double *numbers, void *to, size_t inner, size_t threads) {
  const size_t half = plan.complex_length();
  const auto number = [&](size_t k, size_t i) {
    const double *at = numbers + 2 * ((k == half ? 0 : k) * inner + i);
    return Number{at[0], at[1]};
  };
  each_part(half + 1, inner, threads, [&](size_t start, size_t end) {
    for (size_t k = start; k < end; ++k) {
      const double c = plan.cosines[k], s = plan.sines[k];
      for (size_t i = 0; i < inner; ++i) {
        const auto [x, y] = number(k, i);
        const auto [other_x, other_y] = number(half - k, i);
        const double even_x = 0.5 * (x + other_x), even_y = 0.5 * (y - other_y);
        const double odd_x = 0.5 * (x - other_x), odd_y = 0.5 * (y + other_y);
        // The first and the last number are real, also where infinities made NaN of the imaginary part.
        const bool is_real = k == 0 || k == half;
        const T parts[] = {static_cast<T>(even_x + (c * odd_y - s * odd_x)),
                           is_real ? T(0) : static_cast<T>(even_y - (c * odd_x + s * odd_y))};
        std::memcpy(static_cast<unsigned char *>(to) + (k * inner + i) * sizeof parts, parts, sizeof parts);
      }
    }
  });
}

// The inverse: the complex numbers whose inverse transform is the real line. The imaginary parts of the first and the last
// number are ignored.
template <class T> void join(const Plan &plan, const void *from, double *numbers, size_t inner, size_t threads) {
  const size_t half = plan.complex_length();
  const auto number = [&](size_t k, size_t i) {
    T parts[2];
    std::memcpy(parts, static_cast<const unsigned char *>(from) + (k * inner + i) * sizeof parts, sizeof parts);
    return Number{double(parts[0]), k == 0 || k == half ? 0 : double(parts[1])};
  };
  each_part(half, inner, threads, [&](size_t start, size_t end) {
    for (size_t k = start; k < end; ++k) {
      const double c = plan.cosines[k], s = plan.sines[k];
      for (size_t i = 0; i < inner; ++i) {
        const auto [x, y] = number(k, i);
        const auto [other_x, other_y] = number(half - k, i);
        const double even_x = x + other_x, even_y = y - other_y, odd_x = x - other_x, odd_y = y + other_y;
        double *to = numbers + 2 * (k * inner + i);
        to[0] = even_x - (c * odd_y + s * odd_x);
        to[1] = even_y + (c * odd_x - s * odd_y);
      }
    }
  });
}

} // namespace

bool transform_long(const Plan &plan, const Lines &lines, const void *from, void *to, size_t threads) {
  const Split &split = *plan.split;
  const size_t rows = split.of_columns.length, columns = split.of_rows.length, inner = lines.inner;
  const size_t size = 2 * rows * columns * inner;
  const auto memory = [](size_t count) { return std::unique_ptr<double[]>(new (std::nothrow) double[count]); };
  const std::unique_ptr<double[]> matrix = memory(size), halves = memory(plan.is_half() ? size : 1);
  if (!matrix || !halves)
    return false;
  // Elements of columns, and of rows whose results are columns, are apart from each other by whole rows.
  const auto numbers = [&](bool is_f64, size_t step) { return Layout{is_f64, 2 * inner, 2, 2 * step * inner, 1}; };
  const auto pairs = [&](bool is_f64, size_t step) { return Layout{is_f64, 2 * inner, 1, 2 * step * inner, inner}; };
  Pass of_columns{split.of_columns, plan.is_back(), 1, columns * inner, inner, from, matrix.get(),
                  numbers(lines.from_f64, columns), numbers(true, columns)};
  Pass of_rows{split.of_rows, plan.is_back(), plan.is_back() ? 1 / double(plan.length) : 1, rows * inner, inner, matrix.get(), to,
               {true, 2 * columns * inner, 2, 2 * inner, 1}, numbers(lines.to_f64, rows)};
  if (plan.kind == Kind::real) {
    of_columns.from_layout = pairs(lines.from_f64, columns);
    of_rows.to = halves.get(), of_rows.to_layout = numbers(true, rows);
  } else if (plan.kind == Kind::inverse_real) {
    (lines.from_f64 ? join<double> : join<float>)(plan, from, halves.get(), inner, threads);
    of_columns.from = halves.get(), of_columns.from_layout = numbers(true, columns);
    of_rows.to_layout = pairs(lines.to_f64, rows);
  }
  of_columns.turns = &split;
  if (!transform(of_columns, threads) || !transform(of_rows, threads))
    return false;
  if (plan.kind == Kind::real)
    (lines.to_f64 ? separate<double> : separate<float>)(plan, halves.get(), to, inner, threads);
  return true;
}

} // namespace hlokit::fft
