// hlokit._kernels.copy, look_up, strided, gather and gather_windows.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/copies.h"
#include "kernels/elements/lookup.h"
#include "kernels/regions/gather.h"
#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/numpy.h"
#include "python/kernels/programs.h"
#include "python/kernels/without_lock.h"
#include "support/by_size.h"
#include "vm/regions/window_gather.h"

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

void gather(nb::handle operand, nb::handle indices, const std::string &index_type,
            const Components &components, size_t rows, nb::handle result, size_t threads, size_t groups, size_t slices) {
  const IndexArrays index_arrays(indices, index_type);
  const regions::IndexVectors places = index_arrays.vectors(components);
  if (groups == 0 || rows % groups || places.count % groups)
    throw vm::ProgramError("rows and index vectors must divide into groups, got " + std::to_string(rows) + " and " +
                       std::to_string(places.count) + " for " + std::to_string(groups));
  places.check(rows / groups);
  Array from(operand, PyBUF_ND | PyBUF_C_CONTIGUOUS);
  Array to(result, PyBUF_ND | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE);
  const size_t all = product(rows, slices), row = all ? from.bytes() / all : 0;
  if (row * all != from.bytes() || to.bytes() != product(product(places.count, slices), row))
    throw vm::ProgramError("a gather must have an operand of " + std::to_string(all) + " rows, and a result of " +
                       std::to_string(product(places.count, slices)) + " rows of the same size");
  const regions::Groups parts{std::max<size_t>(places.count / groups, 1), rows / groups, slices, rows};
  without_lock([&] { regions::gather(from.data(), places, parts, row, to.data(), threads); });
}

// The first `components` dimensions of `windows` are those of index vectors, the next ones those of batches; the others are
// those of a window.
void gather_windows(nb::handle windows, nb::handle indices, const std::string &index_type,
                    const std::vector<size_t> &components, const std::vector<size_t> &periods, nb::handle result,
                    size_t threads) {
  const Array from(windows, PyBUF_STRIDES);
  const IndexArrays vectors(indices, index_type);
  const Array to(result, PyBUF_ND | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE);
  const size_t moving = components.size() + periods.size(), item = from.item_size();
  if (from.rank() < moving || from.rank() - moving > vm::most_dimensions || !is_element_size(item) ||
      !from.has_whole_strides())
    throw vm::ProgramError("windows must have elements of 1, 2, 4, 8 or 16 bytes in whole strides, and at most " +
                           std::to_string(vm::most_dimensions) + " dimensions");
  if (from.is_empty())
    throw vm::ProgramError("there must be windows");
  regions::WindowPlaces places{vectors.count(), {}, {}};
  for (size_t component : components) {
    const size_t i = places.components.size();
    places.components.push_back({vectors.component(component, static_cast<int64_t>(from.extent(i))), from.stride(i)});
  }
  for (size_t period : periods) {
    const size_t i = places.components.size() + places.batches.size();
    places.batches.push_back({std::max<size_t>(period, 1), from.extent(i), from.stride(i)});
  }
  vm::Sizes sizes{};
  vm::Strides strides{};
  size_t bytes = item;
  for (size_t i = moving; i < from.rank(); ++i) {
    sizes[i - moving] = from.extent(i);
    strides[i - moving] = from.stride(i) / static_cast<ptrdiff_t>(item);
    bytes *= from.extent(i);
  }
  if (to.bytes() != product(places.count, bytes))
    throw vm::ProgramError("the result must have a window for each index vector");
  const vm::StridedCopy window(from.rank() - moving, sizes, vm::dense_strides(sizes, from.rank() - moving), strides, item);
  without_lock([&] { regions::gather_windows(places, {from.data(), window, bytes}, to.data(), threads); });
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
  m.def("gather", gather, "operand"_a, "indices"_a, "index_type"_a, "components"_a, "rows"_a, "result"_a,
        "threads"_a = 1, "groups"_a = 1, "slices"_a = 1,
        nb::sig("def gather(operand: Buffer, indices: Buffer | tuple[Buffer, ...], index_type: str, "
                "components: Sequence[tuple[int, int]], rows: int, result: Buffer, threads: int = 1, "
                "groups: int = 1, slices: int = 1) -> None"),
        R"(Set row i of `result` to the row of `operand` of index vector i.

Index vectors are those of `Body.scatter`, or a tuple of their components, with indices clamped to their
extents. Rows and index vectors divide into `groups` equal parts: the vectors of a part select among the
rows of the same part. The operand and the result consist of `slices` parts of this kind, for which the
index vectors are the same.)");
  m.def("gather_windows", gather_windows, "windows"_a, "indices"_a, "index_type"_a, "components"_a, "periods"_a,
        "result"_a, "threads"_a = 1,
        nb::sig("def gather_windows(windows: Buffer, indices: Buffer | tuple[Buffer, ...], index_type: str, "
                "components: Sequence[int], periods: Sequence[int], result: Buffer, threads: int = 1) -> None"),
        R"(Set window i of `result`, an array [vector, window], to the window of index vector i.

`windows` has all windows: its first dimensions are the positions of a window, the others those of the
elements of a window. `indices` are those of `gather`. Each position is the index that
`components` names, clamped, or the number of the vector divided by one of `periods`, modulo the size.)");
}

} // namespace hlokit
