// hlokit._native.Fft: Fourier transforms of f32 (fft.h) for Python. Arrays come through the buffer protocol, and the
// interpreter's lock is released while it computes.
#include "bind_fft.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "bind_programs.h"
#include "fft.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

fft::Kind kind_of(const std::string &name) {
  constexpr const char *names[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  for (size_t i = 0; i < 4; ++i)
    if (name == names[i])
      return static_cast<fft::Kind>(i);
  throw std::invalid_argument("there is no transform " + name);
}

size_t checked(size_t length) {
  if (length < fft::least_length || length > fft::most_length || (length & (length - 1)) != 0)
    throw std::invalid_argument("the length must be a power of two from 4 to 4096, got " + std::to_string(length));
  return length;
}

class Fft {
public:
  Fft(const std::string &kind, size_t length) : plan_(kind_of(kind), checked(length)) {}

  void run(nb::handle operand, nb::handle result, size_t threads) const {
    const Array from(operand, PyBUF_ND | PyBUF_C_CONTIGUOUS);
    const Array to(result, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
    check(from.rank() == 3 && to.rank() == 3, "operand and result must have three dimensions");
    const std::vector<size_t> inputs = from.shape(), outputs = to.shape();
    check(inputs[1] == plan_.inputs() && outputs[1] == plan_.outputs(), "lines must have the length of the transform");
    check(inputs[0] == outputs[0] && inputs[2] == outputs[2], "operand and result must have as many lines");
    const size_t from_parts = plan_.kind == fft::Kind::real ? 1 : 2;
    const size_t to_parts = plan_.kind == fft::Kind::inverse_real ? 1 : 2;
    const auto fits = [](size_t item, size_t parts) { return item == 4 * parts || item == 8 * parts; };
    check(fits(from.item_size(), from_parts) && fits(to.item_size(), to_parts),
          "parts of elements must have 4 or 8 bytes");
    const auto first = reinterpret_cast<uintptr_t>(from.data()), other = reinterpret_cast<uintptr_t>(to.data());
    check(!from.size() || !to.size() || first + from.size() <= other || other + to.size() <= first,
          "a result must have memory of its own");
    const fft::Lines lines{inputs[0], inputs[2], from.data(), to.data(), from.item_size() == 8 * from_parts,
                           to.item_size() == 8 * to_parts};
    nb::gil_scoped_release released;
    fft::run(plan_, lines, threads);
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
                  R"(Fourier transforms of some length along the middle one of three dimensions, in f64.

Parts of elements are f32 or f64, rounded as they are written; arrays are contiguous.)")
      .def("__init__", [](Fft *self, const std::string &kind, size_t length) { new (self) Fft(kind, length); },
           "kind"_a, "length"_a,
           R"(`kind`: FFT, IFFT, RFFT or IRFFT. `length`: of the real side, a power of two from 4 to 4096.

Raises ValueError for others.)")
      .def("run", &Fft::run, "operand"_a, "result"_a, "threads"_a = 1,
           nb::sig("def run(self, operand: Buffer, result: Buffer, threads: int = 1) -> None"),
           "Fill `result`, which has memory of its own. Many lines take up to `threads` threads.");
}

} // namespace hlokit
