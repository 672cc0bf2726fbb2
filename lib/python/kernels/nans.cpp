// hlokit._kernels.canonical_nan and unify_nans.
#include "kernels/nans/search.h"

#include <stdexcept>
#include <string>

#include "python/array.h"
#include "python/kernels/module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// Fewer bytes are searched under the interpreter's lock: the search ends before another thread could run.
constexpr Py_ssize_t least_bytes = 1 << 16;

void check_size(size_t size) {
  if (size != 1 && size != 2 && size != 4 && size != 8)
    throw std::invalid_argument("floats must have 1, 2, 4 or 8 bytes, got " + std::to_string(size));
}

nb::object canonical_nan(size_t size, uint64_t infinity, uint64_t nan, size_t threads, nb::object other) {
  check_size(size);
  const nans::Format format{size, infinity, nan};
  return nb::cpp_function([format, threads, other](nb::object array) -> nb::object {
    Py_buffer view;
    if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_STRIDES) != 0) {
      PyErr_Clear();
      return other(array);
    }
    bool is_found = PyBuffer_IsContiguous(&view, 'A') == 0;
    if (!is_found) {
      const auto *floats = static_cast<const unsigned char *>(view.buf);
      const auto count = static_cast<size_t>(view.len) / format.size;
      if (view.len < least_bytes) {
        is_found = nans::has_other_nan(floats, count, format, 1);
      } else {
        nb::gil_scoped_release released;
        is_found = nans::has_other_nan(floats, count, format, threads);
      }
    }
    PyBuffer_Release(&view);
    return is_found ? other(array) : array;
  });
}

void unify_nans(nb::handle bits, uint64_t infinity, uint64_t nan, size_t threads) {
  const Array array(bits, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS);
  const nans::Format format{array.item_size(), infinity, nan};
  check_size(format.size);
  nb::gil_scoped_release released;
  nans::unify(array.data(), array.bytes() / format.size, format, threads);
}

} // namespace

void bind_nans(nb::module_ &m) {
  m.def("unify_nans", unify_nans, "bits"_a, "infinity"_a, "nan"_a, "threads"_a,
        nb::sig("def unify_nans(bits: Buffer, infinity: int, nan: int, threads: int) -> None"),
        R"(Gives all NaNs of an array the bits `nan`, in place.

The array is contiguous and has words of 1, 2, 4 or 8 bytes. One is a NaN if its bits without the sign
are greater than `infinity`. Raises ValueError for other sizes.)");
  m.def("canonical_nan", canonical_nan, "size"_a, "infinity"_a, "nan"_a, "threads"_a, "other"_a,
        nb::sig("def canonical_nan(size: int, infinity: int, nan: int, threads: int, other: Callable[[Any], Any]) -> "
                "Callable[[Any], Any]"),
        R"(A function that gives an array as it is if it is contiguous and the bits of all its NaNs are `nan`.

It gives `other` of any other array. Floats, or the parts of complex numbers, have `size` bytes: 1, 2, 4
or 8. One is a NaN if its bits without the sign are greater than `infinity`. Raises ValueError for other
sizes.)");
}

} // namespace hlokit
