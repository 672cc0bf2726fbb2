// hlokit._kernels.Fft.
#include <nanobind/stl/string.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "kernels/fft/transform.h"
#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/without_lock.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

fft::Kind kind_of(const std::string &name) {
  constexpr const char *names[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  for (size_t i = 0; i < 4; ++i)
    if (name == names[i])
      return static_cast<fft::Kind>(i);
  throw std::invalid_argument("a transform must be FFT, IFFT, RFFT or IRFFT, got " + name);
}

fft::Plan plan_of(const std::string &kind, size_t length) {
  if (!fft::is_known(kind_of(kind), length))
    throw std::invalid_argument("there is no " + kind + " of length " + std::to_string(length));
  return {kind_of(kind), length};
}

class Fft {
public:
  Fft(const std::string &kind, size_t length) : plan_(plan_of(kind, length)) {}

  void run(nb::handle operand, nb::handle result, size_t threads) const {
    const Array from(operand, PyBUF_ND | PyBUF_C_CONTIGUOUS);
    const Array to(result, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
    check(from.rank() == 3 && to.rank() == 3, "operand and result must have 3 dimensions");
    const std::vector<size_t> inputs = from.shape(), outputs = to.shape();
    check(inputs[1] == plan_.inputs() && outputs[1] == plan_.outputs(),
          "the middle dimensions of operand and result must have the lengths of the transform");
    check(inputs[0] == outputs[0] && inputs[2] == outputs[2],
          "operand and result must have the same first and last dimension");
    const size_t from_parts = plan_.kind == fft::Kind::real ? 1 : 2;
    const size_t to_parts = plan_.kind == fft::Kind::inverse_real ? 1 : 2;
    const auto fits = [](size_t item, size_t parts) { return item == 4 * parts || item == 8 * parts; };
    check(fits(from.item_size(), from_parts) && fits(to.item_size(), to_parts),
          "elements must be f32, f64 or complex numbers of these, as the transform requires");
    check(!from.overlaps(to), "the result must share no memory with the operand");
    const fft::Lines lines{inputs[0], inputs[2], from.data(), to.data(), from.item_size() == 8 * from_parts,
                           to.item_size() == 8 * to_parts};
    without_lock([&] { fft::run(plan_, lines, threads); });
  }

private:
  static void check(bool is_right, const char *message) {
    if (!is_right)
      throw std::invalid_argument(message);
  }

  fft::Plan plan_;
};

} // namespace

void bind_fft(nb::module_ &m) {
  nb::class_<Fft>(m, "Fft",
                  R"(Fourier transforms of one length along the middle one of three dimensions, computed in f64.

Arrays are contiguous, of f32 or f64 or of complex numbers of these; results are rounded once.)")
      .def("__init__", [](Fft *self, const std::string &kind, size_t length) { new (self) Fft(kind, length); },
           "kind"_a, "length"_a,
           R"(`kind`: FFT, IFFT, RFFT or IRFFT. `length`: that of the real side, without prime factors above 13: up
to 262144, and for RFFT and IRFFT, whose lengths are even, twice as long.

Raises ValueError for other kinds and lengths.)")
      .def("run", &Fft::run, "operand"_a, "result"_a, "threads"_a = 1,
           nb::sig("def run(self, operand: Buffer, result: Buffer, threads: int = 1) -> None"),
           "Fill `result`, which has memory of its own. Uses up to `threads` threads for many lines.");
}

} // namespace hlokit
