// hlokit._kernels.lapack.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/elements/type_names.h"
#include "kernels/linalg/routines.h"
#include "python/array.h"
#include "python/kernels/module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

constexpr int readable = PyBUF_ND | PyBUF_C_CONTIGUOUS, writable = readable | PyBUF_WRITABLE;

void check(bool is_right, const std::string &message) {
  if (!is_right)
    throw std::invalid_argument(message);
}

void lapack(const std::string &name, const std::string &type_name, const std::vector<nb::object> &objects,
            const std::vector<int32_t> &options, size_t threads) {
  const linalg::Routine *routine = linalg::find_routine(name);
  check(routine, "there is no routine " + name);
  const ElementType type = element_type(type_name);
  check(linalg::has_kernel(*routine, type), name + " has no kernel for " + type_name);
  check(options.size() == routine->options, name + " has " + std::to_string(routine->options) + " options");
  const std::vector<linalg::ArrayShape> shapes = linalg::shapes_of(*routine, type);
  check(objects.size() == shapes.size(), name + " has " + std::to_string(shapes.size()) + " arrays");
  std::vector<Array> arrays;
  arrays.reserve(objects.size());
  linalg::Stacks stacks{};
  linalg::Call call{};
  linalg::SizeTable table;
  std::copy(options.begin(), options.end(), call.options);
  for (size_t number = 0; number < shapes.size(); ++number) {
    const linalg::ArrayShape &shape = shapes[number];
    const Array &array = arrays.emplace_back(objects[number], shape.is_written ? writable : readable);
    const size_t item = size_of(shape.type);
    check(array.item_size() == item && array.is_aligned(std::min<size_t>(item, 8)) && array.rank() > 0,
          "arrays must be aligned stacks of the types of " + name);
    if (number == 0)
      stacks.count = array.extent(0);
    check(array.extent(0) == stacks.count, "arrays must be stacks of one length");
    check(array.rank() == shape.letters.size() + 1, "arrays must have the shapes of " + name);
    size_t elements = 1;
    for (size_t dimension = 1; dimension < array.rank(); ++dimension) {
      const size_t extent = array.extent(dimension);
      check(table.set(shape.letters[dimension - 1], extent), "arrays must have the shapes of " + name);
      check(extent <= INT32_MAX, "sizes must be counted in 32 bits");
      elements *= extent;
    }
    stacks.arrays[number] = array.data();
    stacks.strides[number] = elements * item;
    for (size_t other = 0; other < number; ++other)
      check(!array.overlaps(arrays[other]), "arrays must be apart");
  }
  call.sizes = table.sizes();
  check(!routine->fits || routine->fits(call), "sizes and options of " + name + " must go together");
  nb::gil_scoped_release released;
  linalg::run(*routine, type, stacks, call, std::max<size_t>(threads, 1));
}

nb::list lapack_routines() {
  nb::list result;
  for (size_t number = 0; const linalg::Routine *routine = linalg::routine_at(number); ++number)
    result.append(routine->name);
  return result;
}

} // namespace

void bind_linalg(nb::module_ &m) {
  m.def("lapack_routines", lapack_routines, nb::sig("def lapack_routines() -> list[str]"),
        "The names of the routines of `lapack`; the index is the number in programs.");
  m.def("lapack", lapack, "routine"_a, "type"_a, "arrays"_a, "options"_a, "threads"_a = 1,
        nb::sig("def lapack(routine: str, type: str, arrays: Sequence[Buffer], options: Sequence[int], threads: int = 1) "
                "-> None"),
        R"(A routine of LAPACK on stacks of matrices in row-major order, whose results take the place of operands.

`type`: that of the matrices. `arrays`: contiguous, with the stack as first dimension; their shapes and
the options are those of lib/kernels/linalg/routines.cpp. No result depends on the processor, on threads
or on the other matrices. Raises ValueError for arrays and options that the routine does not take.)");
}

} // namespace hlokit
