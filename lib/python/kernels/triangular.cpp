// hlokit._kernels.solve_triangle and eliminate.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/linalg/triangular.h"
#include "python/array.h"
#include "python/kernels/module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

void check(bool is_right, const char *message) {
  if (!is_right)
    throw std::invalid_argument(message);
}

// Whether a type is f64, not f32. The name is needed, since an item of 8 bytes may also be a complex number.
bool is_double(const std::string &type) {
  check(type == "f32" || type == "f64", "the type must be f32 or f64");
  return type == "f64";
}

template <class T> linalg::Stack<T> stack_of(const Array &array) {
  check(array.rank() == 3 && array.item_size() == sizeof(T) && array.is_aligned(),
        "arrays must be aligned stacks of matrices of the type");
  const std::vector<size_t> shape = array.shape();
  return {reinterpret_cast<T *>(array.data()), shape[0], shape[1], shape[2]};
}

template <class T>
void solve(const Array &a, const Array &x, size_t start, size_t stop, size_t first, bool is_unit) {
  const auto from = stack_of<T>(a), to = stack_of<T>(x);
  check(start <= stop && stop <= std::min(from.rows, from.columns), "the triangle must be in its matrix");
  check(from.count == to.count && stop <= to.rows && first <= to.columns, "x must have rows for the triangle");
  if (a.overlaps(x))
    check(a.data() == x.data() && from.rows == to.rows && from.columns == to.columns && stop <= first,
          "x must be after the triangle if both are in one array");
  nb::gil_scoped_release released;
  linalg::solve(from, to, start, stop, first, is_unit);
}

template <class T>
void eliminate(const Array &matrices, size_t start, size_t stop, const Array &pivots, const Array &info) {
  const auto a = stack_of<T>(matrices);
  const size_t least = std::min(a.rows, a.columns);
  check(start <= stop && stop <= least, "columns must be those of the diagonal");
  check(pivots.has_shape({a.count, least}) && info.has_shape({a.count}), "pivots and info must be those of the stack");
  for (const Array *one : {&pivots, &info})
    check(one->item_size() == sizeof(int32_t) && one->is_aligned(), "pivots and info must be of i32");
  check(!matrices.overlaps(pivots) && !matrices.overlaps(info) && !pivots.overlaps(info), "arrays must be apart");
  check(a.rows <= INT32_MAX, "rows must be counted in 32 bits");
  const auto integers = [](const Array &array) { return reinterpret_cast<int32_t *>(array.data()); };
  nb::gil_scoped_release released;
  linalg::eliminate(a, start, stop, integers(pivots), integers(info));
}

constexpr int readable = PyBUF_ND | PyBUF_C_CONTIGUOUS, writable = readable | PyBUF_WRITABLE;

} // namespace

void bind_triangular(nb::module_ &m) {
  m.def(
      "solve_triangle",
      [](const std::string &type, nb::handle a, nb::handle x, size_t start, size_t stop, size_t first, bool is_unit) {
        const Array from(a, readable), to(x, writable);
        (is_double(type) ? solve<double> : solve<float>)(from, to, start, stop, first, is_unit);
      },
      "type"_a, "a"_a, "x"_a, "start"_a, "stop"_a, "first"_a, "is_unit"_a,
      nb::sig("def solve_triangle(type: str, a: Buffer, x: Buffer, start: int, stop: int, first: int, is_unit: bool) "
              "-> None"),
      R"(Solve L y = x in place: rows `start` to `stop` of x, from column `first` on.

L is the lower triangle of `a` in these rows and the columns of the same numbers; its diagonal is not
read if it `is_unit`. Both are contiguous stacks of matrices of f32 or f64; or one stack, with
stop <= first.)");
  m.def(
      "eliminate",
      [](const std::string &type, nb::handle a, size_t start, size_t stop, nb::handle pivots, nb::handle info) {
        const Array matrices(a, writable), swaps(pivots, writable), states(info, writable);
        (is_double(type) ? eliminate<double> : eliminate<float>)(matrices, start, stop, swaps, states);
      },
      "type"_a, "a"_a, "start"_a, "stop"_a, "pivots"_a, "info"_a,
      nb::sig("def eliminate(type: str, a: Buffer, start: int, stop: int, pivots: Buffer, info: Buffer) -> None"),
      R"(Factorise the panel of columns `start` to `stop` below the diagonal, with partial pivoting.

`a` is a contiguous stack of matrices of f32 or f64, whose whole rows are swapped. `pivots` is i32,
with min(rows, columns) elements for each matrix: the row that was swapped with each row, from 1 on.
`info` is i32 too, with one element for each matrix: where it is 0, it becomes the first column without
a pivot, counted from 1.)");
}

} // namespace hlokit
