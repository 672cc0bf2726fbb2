// hlokit._kernels.random_bits.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "kernels/random/bits.h"
#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/without_lock.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

void random_bits(const std::string &algorithm, nb::handle state, nb::handle next, nb::handle result,
                 const std::tuple<size_t, size_t, size_t> &sizes, size_t threads) {
  const auto check = [](bool is_right, const char *message) {
    if (!is_right)
      throw std::invalid_argument(message);
  };
  check(algorithm == "THREE_FRY" || algorithm == "PHILOX", "the algorithm must be THREE_FRY or PHILOX");
  const auto generator = algorithm == "PHILOX" ? random::Generator::philox : random::Generator::threefry;
  const Array from(state, PyBUF_ND | PyBUF_C_CONTIGUOUS), after(next, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS),
      to(result, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
  const size_t words = from.bytes() / 8, item = to.item_size();
  check(from.item_size() == 8 && after.item_size() == 8 && from.bytes() == after.bytes() && random::has_state(generator, words),
        "states must have two ui64, or three of PHILOX");
  const random::BitArray array{std::get<0>(sizes), std::get<1>(sizes), std::get<2>(sizes), item};
  check(item == 1 || item == 2 || item == 4 || item == 8, "random bits must have items of 1, 2, 4 or 8 bytes");
  check(to.bytes() == array.count() * item && from.is_aligned() && after.is_aligned() && to.is_aligned(),
        "arrays must be aligned, and the result must have the sizes");
  check(!from.overlaps(after) && !from.overlaps(to) && !after.overlaps(to), "results must share no memory");
  without_lock([&] { random::random_bits(generator, reinterpret_cast<const uint64_t *>(from.data()), words, array,
                      reinterpret_cast<uint64_t *>(after.data()), to.data(), threads); });
}

} // namespace

void bind_random(nb::module_ &m) {
  m.def("random_bits", random_bits, "algorithm"_a, "state"_a, "next_state"_a, "result"_a, "sizes"_a, "threads"_a = 1,
        nb::sig("def random_bits(algorithm: str, state: Buffer, next_state: Buffer, result: Buffer, "
                "sizes: tuple[int, int, int], threads: int = 1) -> None"),
        R"(Fill `result` with random bits, and `next_state` with the state after them.

`algorithm`: THREE_FRY or PHILOX. States have 2 ui64, the key and a counter; of PHILOX also 3. Items of
the result are the lowest bits of words, or two words. `sizes`: of the result before, along and after
the dimension in which the two words of a counter of THREE_FRY are neighbours.)");
}

} // namespace hlokit
