#include "kernels/fft/transform.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>

#include "kernels/fft/kernels.h"
#include "kernels/fft/passes.h"
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

size_t part_size(bool is_f64) { return is_f64 ? sizeof(double) : sizeof(float); }

} // namespace

bool transform(const Pass &pass, size_t threads) {
  const Plan &plan = pass.plan;
  const Layout &from = pass.from_layout, &to = pass.to_layout;
  Batch batch{};
  batch.length = plan.complex_length();
  batch.cosines = plan.cosines.data();
  batch.sines = plan.sines.data();
  batch.root_step = plan.is_half() ? 2 : 1;
  batch.from_f64 = from.is_f64;
  batch.to_f64 = to.is_f64;
  batch.is_inverse = pass.is_back;
  batch.scale = pass.scale;
  batch.from_step = from.step;
  batch.from_imag = from.imag;
  batch.to_step = to.step;
  batch.to_imag = to.imag;
  if (pass.turns) {
    batch.turn_cosines = pass.turns->cosines.data();
    batch.turn_sines = pass.turns->sines.data();
    batch.turn_step = pass.turns->of_rows.length;
  }
  const auto kernel = plan.kind == Kind::real           ? &Kernels::real
                      : plan.kind == Kind::inverse_real ? &Kernels::inverse_real
                                                        : &Kernels::complex;
  const size_t batches = (pass.count + lanes - 1) / lanes;
  if (batches == 0)
    return true;
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
      mine.count = std::min(lanes, pass.count - i * lanes);
      for (size_t lane = 0; lane < mine.count; ++lane) {
        const size_t line = i * lanes + lane, group = line / pass.beside, place = line % pass.beside;
        mine.from[lane] = static_cast<const unsigned char *>(pass.from) +
                          (group * from.group + place * from.line) * part_size(from.is_f64);
        mine.to[lane] =
            static_cast<unsigned char *>(pass.to) + (group * to.group + place * to.line) * part_size(to.is_f64);
        mine.turn[lane] = group;
      }
      (best_kernels(mine.count).*kernel)(mine);
    }
  });
  return !failed;
}

void run(const Plan &plan, const Lines &lines, size_t threads) {
  const size_t inner = lines.inner, from_parts = plan.kind == Kind::real ? 1 : 2;
  const size_t to_parts = plan.kind == Kind::inverse_real ? 1 : 2;
  const size_t from_slice = plan.inputs() * inner * from_parts, to_slice = plan.outputs() * inner * to_parts;
  if (!plan.split) {
    // Two neighbouring elements of a real line make up one complex number.
    const Layout from{lines.from_f64, from_slice, from_parts, 2 * inner, plan.kind == Kind::real ? inner : 1};
    const Layout to{lines.to_f64, to_slice, to_parts, 2 * inner, plan.kind == Kind::inverse_real ? inner : 1};
    const double scale = plan.is_back() ? 1 / double(plan.length) : 1;
    if (!transform({plan, plan.kind == Kind::inverse, scale, lines.outer * inner, inner, lines.from, lines.to, from, to}, threads))
      throw std::bad_alloc();
    return;
  }
  // Threads share the slices, or each slice.
  const size_t slices = inner ? lines.outer : 0;
  const bool are_many = slices >= threads;
  std::atomic<bool> failed{false};
  in_parallel(slices, are_many ? threads : 1, [&](size_t i) {
    const auto *from = static_cast<const unsigned char *>(lines.from) + i * from_slice * part_size(lines.from_f64);
    auto *to = static_cast<unsigned char *>(lines.to) + i * to_slice * part_size(lines.to_f64);
    if (!transform_long(plan, lines, from, to, are_many ? 1 : threads))
      failed = true;
  });
  if (failed)
    throw std::bad_alloc();
}

} // namespace hlokit::fft
