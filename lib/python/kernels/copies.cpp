// hlokit._kernels.copy and strided.
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <vector>

#include "kernels/copies.h"
#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/numpy.h"
#include "python/kernels/without_lock.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

bool copy(nb::handle operand, nb::handle result, size_t threads) {
  const Array from(operand, PyBUF_STRIDES), to(result, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
  const size_t size = from.item_size();
  if (to.item_size() != size || !to.has_shape(from.shape()))
    throw std::invalid_argument("the result must have the shape and the item size of the operand");
  std::vector<ptrdiff_t> strides;
  auto alignment = reinterpret_cast<uintptr_t>(from.data()) | reinterpret_cast<uintptr_t>(to.data());
  for (size_t i = 0; i < from.rank(); ++i) {
    strides.push_back(from.stride(i));
    alignment |= static_cast<uintptr_t>(from.stride(i));
  }
  if (!copies::is_supported(size, alignment))
    return false;
  if (from.overlaps(to))
    throw std::invalid_argument("the result must share no memory with the operand");
  const std::vector<size_t> shape = from.shape();
  without_lock([&] { copies::copy(to.data(), from.data(), shape, strides, size, threads); });
  return true;
}

} // namespace

void bind_copies(nb::module_ &m) {
  m.def("copy", copy, "operand"_a, "result"_a, "threads"_a = 1,
        nb::sig("def copy(operand: Buffer, result: Buffer, threads: int = 1) -> bool"),
        R"(Fill `result`, which is contiguous, with the elements of an array of any strides.

False, with nothing copied, if elements do not have 1, 2, 4 or 8 bytes, or are not aligned.)");
  m.def("strided", numpy::strided, "array"_a, "shape"_a, "strides"_a,
        nb::sig("def strided(array: Any, shape: Sequence[int], strides: Sequence[int]) -> Any"),
        R"(A read-only view of an array of NumPy, from its first element on. Strides are in bytes.

Raises ValueError if the view does not lie inside the array.)");
}

} // namespace hlokit
