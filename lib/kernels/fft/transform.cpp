#include "kernels/fft/transform.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <new>

#include "kernels/fft/kernels.h"
#include "support/should_stop.h"
#include "support/threads.h"

namespace hlokit::fft {
namespace {

// For half of the lanes, or fewer, shorter vectors are faster.
const Kernels &best_kernels(size_t count) {
  static const Kernels long_vectors = HLOKIT_BEST_VARIANT(kernels()), short_vectors = HLOKIT_BEST_VARIANT_TO_AVX2(kernels());
  return count > lanes / 2 ? long_vectors : short_vectors;
}

// Elements that a thread transforms at a time, at least: some 20 us.
constexpr size_t least_part = 1 << 13;
constexpr size_t alignment = 64;

// The memory of a thread, kept from transform to transform: a MB at most. Null if the system has none.
double *workspace(size_t length) {
  thread_local std::unique_ptr<double[]> memory;
  thread_local size_t size = 0;
  const size_t needed = 2 * workspace_size(length) + alignment / sizeof(double);
  if (needed > size) {
    size = 0;
    memory.reset(new (std::nothrow) double[needed]);
    if (!memory)
      return nullptr;
    size = needed;
  }
  const size_t beyond = reinterpret_cast<uintptr_t>(memory.get()) % alignment;
  return memory.get() + (alignment - beyond) % alignment / sizeof(double);
}

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

} // namespace

bool is_known(Kind kind, size_t length) {
  const bool is_half = kind == Kind::real || kind == Kind::inverse_real;
  if (length == 0 || length > most_length || (is_half && length % 2 != 0))
    return false;
  for (const size_t prime : {2, 3, 5, 7, 11, 13})
    while (length % prime == 0)
      length /= prime;
  return length == 1;
}

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
}

void run(const Plan &plan, const Lines &lines, size_t threads) {
  const bool is_real = plan.kind == Kind::real, is_to_real = plan.kind == Kind::inverse_real;
  const bool is_half = is_real || is_to_real;
  Batch batch{};
  batch.length = is_half ? plan.length / 2 : plan.length;
  batch.cosines = plan.cosines.data();
  batch.sines = plan.sines.data();
  batch.root_step = is_half ? 2 : 1;
  batch.from_f64 = lines.from_f64;
  batch.to_f64 = lines.to_f64;
  batch.is_inverse = plan.kind == Kind::inverse;
  batch.scale = batch.is_inverse || is_to_real ? 1 / double(plan.length) : 1;
  // Two neighbouring elements of a real line make up one complex number.
  batch.from_step = 2 * lines.inner;
  batch.from_imag = is_real ? lines.inner : 1;
  batch.to_step = 2 * lines.inner;
  batch.to_imag = is_to_real ? lines.inner : 1;
  const size_t from_size = (lines.from_f64 ? 8 : 4) * (is_real ? 1 : 2);
  const size_t to_size = (lines.to_f64 ? 8 : 4) * (is_to_real ? 1 : 2);
  const auto kernel = is_real ? &Kernels::real : is_to_real ? &Kernels::inverse_real : &Kernels::complex;

  const size_t count = lines.outer * lines.inner, batches = (count + lanes - 1) / lanes;
  if (count == 0)
    return;
  const size_t most_parts = std::max<size_t>(batches * plan.length * lanes / least_part, 1);
  const size_t at_a_time = (batches + most_parts - 1) / most_parts;
  std::atomic<bool> failed{false};
  in_parallel((batches + at_a_time - 1) / at_a_time, threads, [&](size_t part) {
    Batch mine = batch;
    mine.first = workspace(mine.length);
    if (!mine.first) {
      failed = true;
      return;
    }
    mine.second = mine.first + workspace_size(mine.length);
    for (size_t i = part * at_a_time; i < std::min((part + 1) * at_a_time, batches) && !should_stop(); ++i) {
      mine.count = std::min(lanes, count - i * lanes);
      for (size_t lane = 0; lane < mine.count; ++lane) {
        const size_t line = i * lanes + lane, outer = line / lines.inner, inner = line % lines.inner;
        mine.from[lane] = static_cast<const unsigned char *>(lines.from) +
                          (outer * plan.inputs() * lines.inner + inner) * from_size;
        mine.to[lane] =
            static_cast<unsigned char *>(lines.to) + (outer * plan.outputs() * lines.inner + inner) * to_size;
      }
      (best_kernels(mine.count).*kernel)(mine);
    }
  });
  if (failed)
    throw std::bad_alloc();
}

} // namespace hlokit::fft
