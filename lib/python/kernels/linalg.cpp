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
#include "python/kernels/without_lock.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

constexpr int readable = PyBUF_ND | PyBUF_C_CONTIGUOUS, writable = readable | PyBUF_WRITABLE;

[[noreturn]] void fail(const std::string &message) { throw std::invalid_argument(message); }

void lapack(const std::string &name, const std::string &type_name, const std::vector<nb::object> &objects,
            const std::vector<int32_t> &options, size_t threads) {
  const linalg::Routine *routine = linalg::find_routine(name);
  if (!routine)
    fail("there is no routine " + name);
  const ElementType type = element_type(type_name);
  if (!linalg::has_kernel(*routine, type))
    fail(name + " has no kernel for " + type_name);
  if (options.size() != routine->options)
    fail(name + " must get " + std::to_string(routine->options) + " options, got " + std::to_string(options.size()));
  const std::vector<linalg::ArrayShape> shapes = linalg::shapes_of(*routine, type);
  if (objects.size() != shapes.size())
    fail(name + " must get " + std::to_string(shapes.size()) + " arrays, got " + std::to_string(objects.size()));
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
    const auto array_name = [&] { return "array " + std::to_string(number) + " of " + name; };
    if (array.item_size() != item || !array.is_aligned(std::min<size_t>(item, 8)))
      fail(array_name() + " must be aligned, with items of " + std::to_string(item) + " bytes");
    if (array.rank() != shape.letters.size() + 1)
      fail(array_name() + " must have " + std::to_string(shape.letters.size() + 1) + " dimensions, got " +
           std::to_string(array.rank()));
    if (number == 0)
      stacks.count = array.extent(0);
    if (array.extent(0) != stacks.count)
      fail(array_name() + " must be a stack of as many as array 0, " + std::to_string(stacks.count) + ", got " +
           std::to_string(array.extent(0)));
    size_t elements = 1;
    for (size_t dimension = 1; dimension < array.rank(); ++dimension) {
      const size_t extent = array.extent(dimension);
      if (!table.set(shape.letters[dimension - 1], extent))
        fail("dimension " + std::to_string(dimension) + " of " + array_name() +
             " must have the same size as in the arrays before, got " + std::to_string(extent));
      if (extent > INT32_MAX)
        fail("a dimension of " + array_name() + " must be below 2**31, got " + std::to_string(extent));
      elements *= extent;
    }
    stacks.arrays[number] = array.data();
    stacks.strides[number] = elements * item;
    for (size_t other = 0; other < number; ++other)
      if ((shape.is_written || shapes[other].is_written) && array.overlaps(arrays[other]))
        fail(array_name() + " must share no memory with array " + std::to_string(other));
  }
  call.sizes = table.sizes();
  if (routine->fits && !routine->fits(call))
    fail("sizes and options of " + name + " must fit each other");
  without_lock([&] { linalg::run(*routine, type, stacks, call, std::max<size_t>(threads, 1)); });
}

nb::list lapack_routines() {
  nb::list result;
  for (size_t number = 0; const linalg::Routine *routine = linalg::routine_at(number); ++number)
    result.append(nb::make_tuple(routine->name, routine->shapes, routine->has_narrow));
  return result;
}

} // namespace

void bind_linalg(nb::module_ &m) {
  m.def("lapack_routines", lapack_routines, nb::sig("def lapack_routines() -> list[tuple[str, str, bool]]"),
        R"(The routines of `lapack`: (name, shapes, has_narrow); the index is the number in programs.

lib/kernels/linalg/routines.h explains the shapes. `has_narrow`: there are kernels for f32 and its pairs.)");
  m.def("lapack", lapack, "routine"_a, "type"_a, "arrays"_a, "options"_a, "threads"_a = 1,
        nb::sig("def lapack(routine: str, type: str, arrays: Sequence[Buffer], options: Sequence[int], threads: int = 1) "
                "-> None"),
        R"(A routine of LAPACK on stacks of matrices in row-major order, whose results take the place of operands.

`type`: that of the matrices. `arrays`: contiguous, with the stack as first dimension; their shapes and
the options are those of lib/kernels/linalg/routines.cpp. No result depends on the processor, on threads
or on the other matrices. Raises ValueError for arrays and options that the routine does not take.)");
}

} // namespace hlokit
