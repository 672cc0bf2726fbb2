#include "fft.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <new>

#include "fft_kernels.h"
#include "threads.h"

namespace hlokit::fft {
namespace {

const Kernels &kernels() {
  static const Kernels chosen = [] {
    Kernels best = baseline_kernels();
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && avx2_kernels().complex)
      best = avx2_kernels();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && avx512_kernels().complex)
      best = avx512_kernels();
#endif
    return best;
  }();
  return chosen;
}

// Elements that a thread takes at a time: some 20 us.
constexpr size_t least_part = 1 << 13;
constexpr size_t alignment = 64;

// Memory of a thread, kept from transform to transform: a MB at most.
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

} // namespace

Plan::Plan(Kind kind_, size_t length_) : kind(kind_), length(length_), cosines(length_), sines(length_) {
  const double turn = 2 * 3.14159265358979323846 / double(length);
  for (size_t k = 0; k < length; ++k) {
    // From an eighth of the circle, where both are most precise: quarters are exact.
    const size_t quarter = 4 * k / length, rest = k % (length / 4);
    const bool is_upper = 8 * rest > length;
    const double angle = turn * double(is_upper ? length / 4 - rest : rest);
    const double c = is_upper ? std::sin(angle) : std::cos(angle), s = is_upper ? std::cos(angle) : std::sin(angle);
    cosines[k] = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
    sines[k] = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
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
  // Of real lines, two elements are a number.
  batch.from_step = 2 * lines.inner;
  batch.from_imag = is_real ? lines.inner : 1;
  batch.to_step = 2 * lines.inner;
  batch.to_imag = is_to_real ? lines.inner : 1;
  const size_t from_size = (lines.from_f64 ? 8 : 4) * (is_real ? 1 : 2);
  const size_t to_size = (lines.to_f64 ? 8 : 4) * (is_to_real ? 1 : 2);
  const Kernels &all = kernels();
  const auto kernel = is_real ? all.real : is_to_real ? all.inverse_real : all.complex;

  const size_t count = lines.outer * lines.inner, batches = (count + lanes - 1) / lanes;
  const size_t at_a_time = std::max<size_t>(least_part / (plan.length * lanes), 1);
  std::atomic<bool> failed{false};
  in_parallel((batches + at_a_time - 1) / at_a_time, threads, [&](size_t part) {
    Batch mine = batch;
    mine.first = workspace(mine.length);
    if (!mine.first) {
      failed = true;
      return;
    }
    mine.second = mine.first + workspace_size(mine.length);
    for (size_t i = part * at_a_time; i < std::min((part + 1) * at_a_time, batches); ++i) {
      mine.count = std::min(lanes, count - i * lanes);
      for (size_t lane = 0; lane < mine.count; ++lane) {
        const size_t line = i * lanes + lane, outer = line / lines.inner, inner = line % lines.inner;
        mine.from[lane] = static_cast<const unsigned char *>(lines.from) +
                          (outer * plan.inputs() * lines.inner + inner) * from_size;
        mine.to[lane] =
            static_cast<unsigned char *>(lines.to) + (outer * plan.outputs() * lines.inner + inner) * to_size;
      }
      kernel(mine);
    }
  });
  if (failed)
    throw std::bad_alloc();
}

} // namespace hlokit::fft
