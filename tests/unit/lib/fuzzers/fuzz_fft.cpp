// Random transforms of lib/kernels/fft/transform.h, in memory of exactly the required size. Fails if the sanitizers
// find an error, or if a result differs from the defining sum.
//
//   fuzz_fft ROUNDS SEED
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "kernels/fft/transform.h"

using namespace hlokit::fft;

namespace {

std::mt19937_64 engine;

size_t below(size_t limit) { return static_cast<size_t>(engine() % limit); }

// Parts of numbers, without alignment.
struct Parts {
  bool is_f64;
  std::unique_ptr<unsigned char[]> memory;
  unsigned char *data;

  Parts(bool is_f64, size_t count) : is_f64(is_f64) {
    const size_t offset = below(8);
    memory.reset(new unsigned char[offset + count * size()]);
    data = memory.get() + offset;
    for (size_t i = 0; i < count; ++i)
      put(i, double(below(2001)) / 1000 - 1);
  }
  size_t size() const { return is_f64 ? sizeof(double) : sizeof(float); }
  void put(size_t index, double value) {
    const float narrow = static_cast<float>(value);
    if (is_f64)
      memcpy(data + index * size(), &value, sizeof value);
    else
      memcpy(data + index * size(), &narrow, sizeof narrow);
  }
  double get(size_t index) const {
    float narrow;
    double value;
    if (is_f64)
      return memcpy(&value, data + index * size(), sizeof value), value;
    return memcpy(&narrow, data + index * size(), sizeof narrow), double(narrow);
  }
};

// The inputs of a line, completed to the full length of the transform.
std::vector<std::complex<double>> circle(const Plan &plan, const Parts &from, size_t first, size_t step) {
  std::vector<std::complex<double>> values(plan.length);
  for (size_t k = 0; k < plan.length; ++k) {
    if (plan.kind == Kind::real) {
      values[k] = from.get(first + k * step);
      continue;
    }
    const bool is_mirrored = plan.kind == Kind::inverse_real && k > plan.length / 2;
    const size_t place = 2 * (first + (is_mirrored ? plan.length - k : k) * step);
    const bool is_real = plan.kind == Kind::inverse_real && (k == 0 || k == plan.length / 2);
    const double imag = is_real ? 0 : from.get(place + 1);
    values[k] = {from.get(place), is_mirrored ? -imag : imag};
  }
  return values;
}

bool is_right(const Plan &plan, const Lines &lines, const Parts &from, const Parts &to) {
  const bool is_back = plan.kind == Kind::inverse || plan.kind == Kind::inverse_real;
  for (size_t line = 0; line < lines.outer * lines.inner; line += 1 + below(5)) {
    const size_t outer = line / lines.inner, inner = line % lines.inner;
    const auto values = circle(plan, from, outer * plan.inputs() * lines.inner + inner, lines.inner);
    for (size_t j = below(3); j < plan.outputs(); j += 1 + below(plan.length)) {
      std::complex<double> sum = 0;
      for (size_t k = 0; k < plan.length; ++k) {
        const double angle = 2 * 3.14159265358979323846 * double(j * k % plan.length) / double(plan.length);
        sum += values[k] * std::polar(1.0, is_back ? angle : -angle);
      }
      if (is_back)
        sum /= double(plan.length);
      const size_t place = outer * plan.outputs() * lines.inner + inner + j * lines.inner;
      const bool is_real = plan.kind == Kind::inverse_real;
      const std::complex<double> found =
          is_real ? to.get(place) : std::complex<double>(to.get(2 * place), to.get(2 * place + 1));
      const double scale = is_back ? 1 : double(plan.length);
      if (!(std::abs(found - (is_real ? sum.real() : sum)) <= scale * (to.is_f64 ? 1e-14 : 1e-7)))
        return false;
    }
  }
  return true;
}

} // namespace

int main(int count, char **arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 100;
  engine.seed(count > 2 ? static_cast<uint64_t>(std::atoll(arguments[2])) : 0);
  for (int round = 0; round < rounds; ++round) {
    const Kind kind = static_cast<Kind>(below(4));
    size_t length = 1 + below(below(8) ? 300 : 3 * most_length);
    while (!is_known(kind, length))
      ++length;
    const Plan plan(kind, length);
    Lines lines{below(below(2) ? 3 : 20), below(below(2) ? 3 : 20), nullptr, nullptr, below(2) == 0, below(2) == 0};
    const size_t all = lines.outer * lines.inner;
    const Parts from(lines.from_f64, all * plan.inputs() * (plan.kind == Kind::real ? 1 : 2));
    const Parts to(lines.to_f64, all * plan.outputs() * (plan.kind == Kind::inverse_real ? 1 : 2));
    lines.from = from.data;
    lines.to = to.data;
    run(plan, lines, 1 + below(3));
    if (!is_right(plan, lines, from, to)) {
      std::printf("round %d: kind %d of %zu, lines %zu x %zu\n", round, static_cast<int>(plan.kind), plan.length,
                  lines.outer, lines.inner);
      return 1;
    }
  }
}
