#include <cmath>

#include "kernels/fft/transform.h"

namespace hlokit::fft {
namespace {

struct Point {
  double cosine, sine;
};

// The cosine and sine of pi / 4 times a fraction of at most 1, by the power series: results of C libraries depend on
// the processor.
Point point_at(size_t numerator, size_t denominator) {
  constexpr double high = 0x1.921fb54442d18p-1, low = 0x1.1a62633145c07p-55; // pi / 4
  const double times = double(numerator), divisor = double(denominator);
  const double product = high * times, x = product / divisor;
  // The rounding error of the angle x.
  const double rest = (std::fma(high, times, -product) + std::fma(-x, divisor, product) + low * times) / divisor;
  double one_less_cosine = 0, less_of_sine = 0; // 1 - cos(x), 1 - sin(x) / x
  for (int n = 19; n > 1; n -= 2) {
    one_less_cosine = x * x / ((n - 1) * (n - 2)) * (1 - one_less_cosine);
    less_of_sine = x * x / (n * (n - 1)) * (1 - less_of_sine);
  }
  return {1 - (one_less_cosine + rest * x), x + (rest * (1 - one_less_cosine) - x * less_of_sine)};
}

// The rows of a long line as a matrix: its greatest divisor up to the square root.
size_t rows_of(size_t length) {
  size_t rows = 1;
  for (size_t i = 2; i * i <= length; ++i)
    if (length % i == 0)
      rows = i;
  return rows;
}

Split split_of(size_t length, const Plan &plan) {
  const size_t rows = rows_of(length), columns = length / rows, step = plan.length / length;
  Split result{{Kind::forward, rows}, {Kind::forward, columns}, {}, {}};
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column) {
      result.cosines.push_back(plan.cosines[row * column * step]);
      result.sines.push_back(plan.sines[row * column * step]);
    }
  return result;
}

} // namespace

bool is_known(Kind kind, size_t length) {
  const bool is_half = kind == Kind::real || kind == Kind::inverse_real;
  if (length == 0 || length / (is_half ? 2 : 1) > longest || (is_half && length % 2 != 0))
    return false;
  for (const size_t prime : {2, 3, 5, 7, 11, 13})
    while (length % prime == 0)
      length /= prime;
  return length == 1;
}

Plan::Plan(Plan &&) noexcept = default;
Plan::~Plan() = default;

Plan::Plan(Kind kind_, size_t length_) : kind(kind_), length(length_), cosines(length_), sines(length_) {
  for (size_t k = 0; k < length; ++k) {
    // The angle from the nearest axis, at most an eighth of the circle: octants mirror each other.
    const size_t octant = 8 * k / length, rest = 8 * k % length;
    const Point point = point_at(octant % 2 == 0 ? rest : length - rest, length);
    const bool is_steep = (octant + 1) % 4 >= 2;
    const double c = is_steep ? point.sine : point.cosine, s = is_steep ? point.cosine : point.sine;
    cosines[k] = octant >= 2 && octant < 6 ? -c : c;
    sines[k] = octant >= 4 ? -s : s;
  }
  if (complex_length() > most_length)
    split = std::make_unique<Split>(split_of(complex_length(), *this));
}

} // namespace hlokit::fft
