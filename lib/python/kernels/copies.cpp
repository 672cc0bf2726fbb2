// hlokit._kernels.copy, look_up and strided.
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <vector>

#include "kernels/copies.h"
#include "kernels/elements/lookup.h"
#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/numpy.h"
#include "python/kernels/without_lock.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

bool copy(nb::handle operand, nb::handle result, size_t threads) {
  const Array from(operand, PyBUF_STRIDES), to(result, PyBUF_WRITABLE | PyBUF_STRIDES);
  const size_t size = from.item_size();
  if (to.item_size() != size || !to.has_shape(from.shape()))
    throw std::invalid_argument("the result must have the shape and the item size of the operand");
  std::vector<ptrdiff_t> read, written;
  auto alignment = reinterpret_cast<uintptr_t>(from.data()) | reinterpret_cast<uintptr_t>(to.data());
  for (size_t i = 0; i < from.rank(); ++i) {
    read.push_back(from.stride(i));
    written.push_back(to.stride(i));
    alignment |= static_cast<uintptr_t>(read[i] | written[i]);
  }
  if (!copies::is_supported(size, alignment) || !(to.is_empty() || to.has_distinct_elements()))
    return false;
  if (from.overlaps(to))
    throw std::invalid_argument("the result must share no memory with the operand");
  const std::vector<size_t> shape = from.shape();
  bool is_copied = false;
  without_lock([&] { is_copied = copies::copy({to.data(), written}, {from.data(), read}, shape, size, threads); });
  return is_copied;
}

void look_up(nb::handle table, nb::handle codes, nb::handle result) {
  const Array values(table, PyBUF_ND | PyBUF_C_CONTIGUOUS), from(codes, PyBUF_ND | PyBUF_C_CONTIGUOUS),
      to(result, PyBUF_WRITABLE | PyBUF_ND | PyBUF_C_CONTIGUOUS);
  const lookup::LookUp function = lookup::look_up_of(values.item_size(), from.item_size());
  if (values.bytes() != lookup::values_of(from.item_size()) * values.item_size())
    throw std::invalid_argument("the table must have a value for each code");
  if (to.item_size() != values.item_size() || !to.has_shape(from.shape()))
    throw std::invalid_argument("the result must have the shape of the codes and the item size of the table");
  const bool is_aligned = reinterpret_cast<uintptr_t>(values.data()) % values.item_size() == 0 &&
                          reinterpret_cast<uintptr_t>(from.data()) % from.item_size() == 0 &&
                          reinterpret_cast<uintptr_t>(to.data()) % to.item_size() == 0;
  if (!is_aligned || from.overlaps(to) || values.overlaps(to))
    throw std::invalid_argument("arrays must be aligned, and the result must share no memory with the others");
  const size_t count = from.bytes() / from.item_size();
  without_lock([&] { function(values.data(), from.data(), to.data(), count); });
}

} // namespace

void bind_copies(nb::module_ &m) {
  m.def("copy", copy, "operand"_a, "result"_a, "threads"_a = 1,
        nb::sig("def copy(operand: Buffer, result: Buffer, threads: int = 1) -> bool"),
        R"(Fill `result`, an array or a part of one, with the elements of an array of any strides.

False, with nothing copied, if elements do not have 1, 2, 4 or 8 bytes or are not aligned, or if
neighbours of the last dimension of `result` are no neighbours in memory.)");
  m.def("look_up", look_up, "table"_a, "codes"_a, "result"_a,
        nb::sig("def look_up(table: Buffer, codes: Buffer, result: Buffer) -> None"),
        R"(Fill `result` with the values of a table at the places that codes name. Arrays are contiguous.

Codes of 1 or 2 bytes are places themselves. Of 4 bytes, the upper half is the place, and its last bit
counts as set if a lower bit is; the table has 65,536 values, of 1, 2, 4 or 8 bytes.
Raises ValueError for arrays of other sizes, that are not aligned, or that share memory.)");
  m.def("strided", numpy::strided, "array"_a, "shape"_a, "strides"_a,
        nb::sig("def strided(array: Any, shape: Sequence[int], strides: Sequence[int]) -> Any"),
        R"(A read-only view of an array of NumPy, from its first element on. Strides are in bytes.

Raises ValueError if the view does not lie inside the array.)");
}

} // namespace hlokit
