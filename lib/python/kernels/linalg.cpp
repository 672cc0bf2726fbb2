// hlokit._kernels.lapack.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

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

// The bytes of an element, by the first letter of a shape.
size_t item_of(char letter, ElementType type) {
  const size_t size = size_of(type);
  switch (letter) {
  case 'T':
  case 't':
    return size;
  case 'R':
  case 'r':
    return is_complex(type) ? size / 2 : size;
  case 'C':
    return is_complex(type) ? size : 2 * size;
  default:
    return sizeof(int32_t);
  }
}

void lapack(const std::string &name, const std::string &type_name, const std::vector<nb::object> &objects,
            const std::vector<int32_t> &options, size_t threads) {
  const linalg::Routine *routine = linalg::find_routine(name);
  check(routine, "there is no routine " + name);
  const ElementType type = element_type(type_name);
  const bool is_narrow = type == ElementType::f32 || type == ElementType::c64;
  check((is_narrow && routine->has_narrow) || type == ElementType::f64 || type == ElementType::c128,
        name + " has no kernel for " + type_name);
  check(options.size() == routine->options, name + " has " + std::to_string(routine->options) + " options");
  std::vector<Array> arrays;
  arrays.reserve(objects.size());
  linalg::Stacks stacks{};
  linalg::Call call{};
  std::copy(options.begin(), options.end(), call.options);
  bool is_known[26] = {};
  size_t number = 0;
  const char *shape = routine->shapes;
  while (*shape) {
    check(number < objects.size(), name + " has more arrays");
    arrays.emplace_back(objects[number], *shape >= 'a' ? readable : writable);
    const Array &array = arrays.back();
    const size_t item = item_of(*shape++, type);
    check(array.item_size() == item && array.is_aligned(std::min<size_t>(item, 8)) && array.rank() > 0,
          "arrays must be aligned stacks of the types of " + name);
    if (number == 0)
      stacks.count = array.extent(0);
    check(array.extent(0) == stacks.count, "arrays must be stacks of one length");
    size_t dimension = 1, elements = 1;
    for (; *shape && *shape != ' '; ++shape, ++dimension) {
      check(dimension < array.rank(), "arrays must have the shapes of " + name);
      size_t &size = call.sizes.of[*shape - 'a'];
      const size_t extent = array.extent(dimension);
      if (*shape == 'k')
        check(extent == std::min(call.sizes['m'], call.sizes['n']), "arrays must have the shapes of " + name);
      else
        check(!is_known[*shape - 'a'] || size == extent, "arrays must have the shapes of " + name);
      is_known[*shape - 'a'] = true;
      size = extent;
      elements *= extent;
      check(extent <= INT32_MAX, "sizes must be counted in 32 bits");
    }
    check(dimension == array.rank(), "arrays must have the shapes of " + name);
    stacks.arrays[number] = array.data();
    stacks.strides[number] = elements * item;
    for (size_t other = 0; other < number; ++other)
      check(!array.overlaps(arrays[other]), "arrays must be apart");
    ++number;
    shape += *shape == ' ';
  }
  check(number == objects.size(), name + " has fewer arrays");
  check(!routine->fits || routine->fits(call), "sizes and options of " + name + " must go together");
  nb::gil_scoped_release released;
  linalg::run(*routine, type, stacks, call, std::max<size_t>(threads, 1));
}

} // namespace

void bind_linalg(nb::module_ &m) {
  m.def("lapack", lapack, "routine"_a, "type"_a, "arrays"_a, "options"_a, "threads"_a = 1,
        nb::sig("def lapack(routine: str, type: str, arrays: Sequence[Buffer], options: Sequence[int], threads: int = 1) "
                "-> None"),
        R"(A routine of LAPACK on stacks of matrices in row-major order, whose results take the place of operands.

`type`: that of the matrices. `arrays`: contiguous, with the stack as first dimension; their shapes and
the options are those of lib/kernels/linalg/routines.cpp. No result depends on the processor, on threads
or on the other matrices. Raises ValueError for arrays and options that the routine does not take.)");
}

} // namespace hlokit
