// hlokit._kernels.Body, combine, reduce and top_k.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/elements/type_names.h"
#include "kernels/regions/combine.h"
#include "kernels/regions/top_k.h"
#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/programs.h"
#include "python/kernels/without_lock.h"
#include "vm/pointwise/kernel_choice.h"
#include "vm/regions/regions.h"
#include "vm/regions/running.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

using regions::Body;
using vm::ProgramError;

// Contiguous memory of `count` items. Throws ProgramError unless the array has it and is aligned.
Array items(nb::handle object, size_t item_size, size_t count, bool is_writable) {
  Array array(object, PyBUF_ND | PyBUF_C_CONTIGUOUS | (is_writable ? PyBUF_WRITABLE : 0));
  if (array.item_size() != item_size || array.bytes() != item_size * count)
    throw ProgramError("an array must have " + std::to_string(count) + " items of " + std::to_string(item_size) +
                       " bytes, got " + std::to_string(array.bytes()) + " bytes in items of " +
                       std::to_string(array.item_size()));
  if (!array.is_aligned())
    throw ProgramError("an array must be aligned to its items of " + std::to_string(item_size) + " bytes");
  return array;
}

// Throws ProgramError unless there is an array for each output, and inputs from `first` on have the sizes of the outputs.
void check_arrays(const Body &body, size_t first, const Items &arrays) {
  if (arrays.size() != body.output_count() || body.output_count() == 0)
    throw ProgramError("a body must have results, and get an array for each result, got " +
                       std::to_string(arrays.size()) + " arrays for " + std::to_string(body.output_count()) +
                       " results");
  for (size_t i = 0; i < body.output_count(); ++i)
    if (body.input_size(first + i) != body.output_size(i))
      throw ProgramError("input " + std::to_string(first + i) + " of a body must have the size of result " +
                         std::to_string(i) + ", " + std::to_string(body.output_size(i)) + " bytes, got " +
                         std::to_string(body.input_size(first + i)));
}

void check_pairs(const Body &body) {
  if (body.input_count() != 2 * body.output_count())
    throw ProgramError("a body must have two inputs for each result, got " + std::to_string(body.input_count()) +
                       " inputs for " + std::to_string(body.output_count()) + " results");
}

void scatter(const Body &body, nb::handle image, nb::handle result_sequence, nb::handle update_sequence,
             nb::handle indices, const std::string &index_type, const Components &components, size_t rows,
             size_t width) {
  const Items results(result_sequence), updates(update_sequence);
  check_pairs(body);
  check_arrays(body, 0, results);
  check_arrays(body, body.output_count(), updates);
  Array fixed = items(image, 8, body.register_count(), false);
  const IndexArrays index_arrays(indices, index_type);
  const regions::IndexVectors places = index_arrays.vectors(components);
  places.check(rows);
  std::vector<Array> arrays;
  std::vector<unsigned char *> to;
  std::vector<const unsigned char *> from;
  for (nb::handle result : results)
    to.push_back(arrays.emplace_back(items(result, body.output_size(to.size()), product(rows, width), true)).data());
  for (nb::handle update : updates) {
    const size_t size = product(places.count, width);
    from.push_back(arrays.emplace_back(items(update, body.output_size(from.size()), size, false)).data());
  }
  without_lock([&] { regions::scatter(body, fixed.data(), to, from, places, width); });
}

const regions::Combination &combination_of(const std::string &name, const std::string &type) {
  const regions::Combination *found = regions::find_combination(name, element_type(type));
  if (!found)
    throw ProgramError("there is no combination by " + name + " of " + type);
  return *found;
}

const regions::Combination &reduction_of(const std::string &name, const std::string &type) {
  const regions::Combination &combination = combination_of(name, type);
  if (!combination.reduce)
    throw ProgramError("there is no reduction by " + name);
  return combination;
}

bool has_combination(const std::string &name, const std::string &type) {
  return regions::find_combination(name, element_type(type)) != nullptr;
}

void combine(const std::string &name, const std::string &type, nb::handle result, nb::handle updates,
             nb::handle indices, const std::string &index_type, const Components &components, size_t rows,
             size_t width) {
  const regions::Combination &combination = combination_of(name, type);
  const IndexArrays index_arrays(indices, index_type);
  const regions::IndexVectors places = index_arrays.vectors(components);
  places.check(rows);
  Array to = items(result, combination.size, product(rows, width), true);
  Array from = items(updates, combination.size, product(places.count, width), false);
  without_lock([&] { regions::scatter(combination, to.data(), from.data(), places, width); });
}

void reduce_known(const std::string &name, const std::string &type, nb::handle operand, nb::handle init,
                  nb::handle result, const std::tuple<size_t, size_t, size_t> &shape, size_t threads) {
  const regions::Combination &combination = reduction_of(name, type);
  const auto [outer, size, inner] = shape;
  const size_t count = product(outer, inner);
  Array from = items(operand, combination.size, product(count, size), false);
  Array first = items(init, combination.size, 1, false);
  Array to = items(result, combination.size, count, true);
  without_lock([&] { regions::reduce(combination, {outer, size, inner}, from.data(), first.data(), to.data(), threads); });
}

void reduce_running(const std::string &name, const std::string &type, nb::handle operand, nb::handle init,
                    nb::handle result, const std::tuple<size_t, size_t, size_t> &shape, bool is_reverse, size_t threads) {
  const regions::Combination &combination = reduction_of(name, type);
  const auto [outer, size, inner] = shape;
  const size_t count = product(product(outer, inner), size);
  Array from = items(operand, combination.size, count, false);
  Array first = items(init, combination.size, 1, false);
  Array to = items(result, combination.size, count, true);
  const regions::Shape sizes{outer, size, inner};
  without_lock([&] {
    regions::reduce_running(combination, sizes, is_reverse, from.data(), first.data(), to.data(), threads);
  });
}

void combine_running(const std::string &name, const std::string &type, nb::handle operand, nb::handle result,
                     size_t rows, size_t width, size_t threads) {
  const ElementType element = element_type(type);
  const int opcode = vm::find_opcode(name, element, element);
  if (opcode < 0 || vm::opcodes().rows[opcode].arity != 2)
    throw ProgramError("there is no operation " + name + " of two " + type);
  const size_t size = size_of(element), part = alignment_of(element), count = product(product(rows, width), size / part);
  Array from = items(operand, part, count, false), to = items(result, part, count, true);
  if (from.overlaps(to))
    throw ProgramError("the result must not overlap the operand");
  const vm::Sweep sweep = vm::kernel_of(opcode).sweep;
  without_lock([&] { regions::combine_running(sweep, {rows, width, size}, from.data(), to.data(), threads); });
}

void top_k(const std::string &type, bool is_descending, bool is_total, nb::handle operand, nb::handle positions,
           size_t threads) {
  const regions::KeyOrder order{element_type(type), is_descending, is_total};
  Array from(operand, PyBUF_ND | PyBUF_C_CONTIGUOUS);
  Array to(positions, PyBUF_ND | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE);
  if (is_complex(order.type) || from.item_size() != size_of(order.type))
    throw ProgramError("the keys must be real numbers, with items of their size, got " + type + " in " +
                       std::to_string(from.item_size()) + " bytes");
  if (from.rank() != 2 || to.rank() != 2 || from.shape()[0] != to.shape()[0] || to.item_size() != 8 ||
      !to.is_aligned())
    throw ProgramError("positions must be aligned items of 8 bytes, in one row for each row of the operand");
  const std::vector<size_t> shape = from.shape();
  const size_t count = to.shape()[1];
  without_lock([&] { regions::top_k(order, from.data(), shape[0], shape[1], count,
                 reinterpret_cast<int64_t *>(to.data()), threads); });
}

void reduce(const Body &body, nb::handle image, nb::handle operand_sequence, nb::handle inits, nb::handle result_sequence,
            const std::tuple<size_t, size_t, size_t> &shape, size_t threads) {
  const Items operands(operand_sequence), results(result_sequence);
  check_pairs(body);
  check_arrays(body, 0, operands);
  check_arrays(body, body.output_count(), results);
  const auto [outer, size, inner] = shape;
  Array fixed = items(image, 8, body.register_count(), false);
  Array initial = items(inits, 8, body.output_count(), false);
  std::vector<Array> arrays;
  std::vector<unsigned char *> to;
  std::vector<const unsigned char *> from;
  const size_t count = product(outer, inner), total = product(count, size);
  for (nb::handle result : results)
    to.push_back(arrays.emplace_back(items(result, body.output_size(to.size()), count, true)).data());
  for (nb::handle operand : operands)
    from.push_back(arrays.emplace_back(items(operand, body.output_size(from.size()), total, false)).data());
  without_lock([&] { regions::reduce(body, fixed.data(), {outer, size, inner}, from, initial.data(), to, threads); });
}

// For each axis (size of the operands, size, stride and dilation of the windows, number of windows).
using Windows = std::vector<std::tuple<size_t, size_t, size_t, size_t, size_t>>;

// Those of C++, and the numbers of elements of an operand and of a result.
std::tuple<std::vector<regions::Windows>, size_t, size_t> checked(const Windows &windows) {
  std::vector<regions::Windows> axes;
  size_t padded = 1, count = 1;
  for (const auto &[whole, size, stride, dilation, number] : windows) {
    axes.push_back({whole, size, stride, dilation, number});
    padded = product(padded, whole), count = product(count, number);
  }
  return {std::move(axes), padded, count};
}

void reduce_known_windows(const std::string &name, const std::string &type, nb::handle operand, nb::handle init,
                          nb::handle result, const Windows &windows, size_t threads) {
  const regions::Combination &combination = reduction_of(name, type);
  const auto [axes, padded, count] = checked(windows);
  Array from = items(operand, combination.size, padded, false);
  Array first = items(init, combination.size, 1, false);
  Array to = items(result, combination.size, count, true);
  without_lock([&, &axes = axes] {
    regions::reduce_windows(combination, axes, from.data(), first.data(), to.data(), threads);
  });
}

void reduce_windows(const Body &body, nb::handle image, nb::handle operand_sequence, nb::handle inits,
                    nb::handle result_sequence, const Windows &windows, size_t threads) {
  const Items operands(operand_sequence), results(result_sequence);
  check_pairs(body);
  check_arrays(body, 0, operands);
  check_arrays(body, body.output_count(), results);
  Array fixed = items(image, 8, body.register_count(), false);
  Array initial = items(inits, 8, body.output_count(), false);
  const auto [axes, padded, count] = checked(windows);
  std::vector<Array> arrays;
  std::vector<unsigned char *> to;
  std::vector<const unsigned char *> from;
  for (nb::handle result : results)
    to.push_back(arrays.emplace_back(items(result, body.output_size(to.size()), count, true)).data());
  for (nb::handle operand : operands)
    from.push_back(arrays.emplace_back(items(operand, body.output_size(from.size()), padded, false)).data());
  without_lock([&, &axes = axes] {
    regions::reduce_windows(body, fixed.data(), axes, from, initial.data(), to, threads);
  });
}

void sort(const Body &body, nb::handle image, nb::handle operand_sequence, nb::handle order) {
  const Items operands(operand_sequence);
  if (body.output_count() != 1 || body.output_type(0) != ElementType::i1 ||
      body.input_count() != 2 * operands.size())
    throw ProgramError("a comparator must have two inputs for each operand, and one result of type i1");
  Array fixed = items(image, 8, body.register_count(), false);
  Array to(order, PyBUF_ND | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE);
  if (to.rank() != 2 || to.item_size() != 8 || !to.is_aligned())
    throw ProgramError("an order must be a matrix of aligned items of 8 bytes");
  std::vector<Array> arrays;
  std::vector<const unsigned char *> from;
  for (nb::handle operand : operands) {
    const size_t size = body.input_size(2 * from.size());
    if (body.input_size(2 * from.size() + 1) != size)
      throw ProgramError("both inputs of a comparator for operand " + std::to_string(from.size()) +
                         " must have the same size");
    from.push_back(arrays.emplace_back(items(operand, size, to.bytes() / 8, false)).data());
  }
  const std::vector<size_t> shape = to.shape();
  without_lock([&] { regions::sort(body, fixed.data(), from, shape[0], shape[1], reinterpret_cast<int64_t *>(to.data())); });
}

} // namespace

void bind_regions(nb::module_ &m) {
  nb::class_<Body>(m, "Body",
                   R"(The body of a region: straight-line code of pointwise operations on scalars.

Instructions are those of `Program`, without jumps; each register is written at most once. Registers that
are neither inputs nor written take their values from `image`: an item of 8 bytes for each register,
with the value in its first bytes.

Arrays are aligned and in row-major order; one that is written shares no memory with another. Arrays
that do not fit the body raise ValueError.)")
      .def("__init__",
           [](Body *self, const std::vector<std::string> &types, Code code,
              std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
             new (self) Body(types_of(types), program_of(std::move(code)), std::move(inputs), std::move(outputs));
           },
           "types"_a, "code"_a, "inputs"_a, "outputs"_a,
           "`types`: those of the registers. Raises ValueError for a malformed program.")
      .def("scatter", scatter, "image"_a, "results"_a, "updates"_a, "indices"_a, "index_type"_a, "components"_a,
           "rows"_a, "width"_a,
           nb::sig("def scatter(self, image: Buffer, results: Sequence[Buffer], updates: Sequence[Buffer], "
                   "indices: Buffer, index_type: str, components: Sequence[tuple[int, int]], rows: int, "
                   "width: int) -> None"),
           R"(Set `results[row]` to `body(results[row]..., updates[i]...)` for each index vector i in turn.

Results have `rows` rows of `width` elements, updates one row for each index vector. `indices` is an
array [component, vector] of any strides. Each component has an extent and a step: the row of a
vector is the sum of index * step. A vector with an index below 0 or not below its extent changes
nothing.)")
      .def("reduce", reduce, "image"_a, "operands"_a, "inits"_a, "results"_a, "shape"_a, "threads"_a = 1,
           nb::sig("def reduce(self, image: Buffer, operands: Sequence[Buffer], inits: Buffer, "
                   "results: Sequence[Buffer], shape: tuple[int, int, int], threads: int = 1) -> None"),
           R"(Reduce arrays [outer, size, inner] along `size`, which is not 0: `body(init..., tree...)`.

The tree combines neighbours in pairs until one value is left; a last value without a neighbour joins
at the end. `inits` has an item of 8 bytes for each operand.)")
      .def("reduce_windows", reduce_windows, "image"_a, "operands"_a, "inits"_a, "results"_a, "windows"_a,
           "threads"_a = 1,
           nb::sig("def reduce_windows(self, image: Buffer, operands: Sequence[Buffer], inits: Buffer, "
                   "results: Sequence[Buffer], windows: Sequence[tuple[int, int, int, int, int]], "
                   "threads: int = 1) -> None"),
           R"(Fold the values of each window of padded arrays from the left, starting with `inits`.

`windows` has, for each axis, the size of the operands; the size, stride and dilation of the windows;
and the number of windows.)")
      .def("sort", sort, "image"_a, "operands"_a, "order"_a,
           nb::sig("def sort(self, image: Buffer, operands: Sequence[Buffer], order: Buffer) -> None"),
           R"(Fill the rows of `order`, items of 8 bytes, with the stable order of the rows of the operands.

The body takes (lhs, rhs) of each operand in turn, and says whether the left element comes first.)");
  m.def("has_combination", has_combination, "name"_a, "type"_a,
        R"(Whether `combine`, `reduce` and its other forms have an operation, spelled as in StableHLO, for a type.

`combine` also has 'replace', which takes the second value, for unsigned integers.)");
  m.def("combine", combine, "name"_a, "type"_a, "result"_a, "updates"_a, "indices"_a, "index_type"_a,
        "components"_a, "rows"_a, "width"_a,
        nb::sig("def combine(name: str, type: str, result: Buffer, updates: Buffer, indices: Buffer, "
                "index_type: str, components: Sequence[tuple[int, int]], rows: int, width: int) -> None"),
        "Do what `Body.scatter` does, for one array and an operation of `has_combination`.");
  m.def("reduce", reduce_known, "name"_a, "type"_a, "operand"_a, "init"_a, "result"_a, "shape"_a, "threads"_a = 1,
        nb::sig("def reduce(name: str, type: str, operand: Buffer, init: Buffer, result: Buffer, "
                "shape: tuple[int, int, int], threads: int = 1) -> None"),
        R"(Reduce an array [outer, size, inner] along `size`, which is not 0, by an operation of `has_combination`.

Sums and products of floats accumulate in f64. Those of narrower floats are rounded once.)");
  m.def("reduce_running", reduce_running, "name"_a, "type"_a, "operand"_a, "init"_a, "result"_a, "shape"_a,
        "is_reverse"_a = false, "threads"_a = 1,
        nb::sig("def reduce_running(name: str, type: str, operand: Buffer, init: Buffer, result: Buffer, "
                "shape: tuple[int, int, int], is_reverse: bool = False, threads: int = 1) -> None"),
        R"(Fill an array [outer, size, inner] with the running reductions along `size`, from its end if `is_reverse`.

Sums and products accumulate as those of `reduce`, one value after the other.)");
  m.def("combine_running", combine_running, "name"_a, "type"_a, "operand"_a, "result"_a, "rows"_a, "width"_a,
        "threads"_a = 1,
        nb::sig("def combine_running(name: str, type: str, operand: Buffer, result: Buffer, rows: int, width: int, "
                "threads: int = 1) -> None"),
        R"(Fill an array [rows, width]: the first row is the operand's, each other one the row before it combined
with the operand's by a pointwise operation. Complex numbers are pairs of parts.

Raises ValueError for an unknown operation, and for arrays that overlap or have other sizes.)");
  m.def("reduce_windows", reduce_known_windows, "name"_a, "type"_a, "operand"_a, "init"_a, "result"_a, "windows"_a,
        "threads"_a = 1,
        nb::sig("def reduce_windows(name: str, type: str, operand: Buffer, init: Buffer, result: Buffer, "
                "windows: Sequence[tuple[int, int, int, int, int]], threads: int = 1) -> None"),
        "Do what `Body.reduce_windows` does, for one array and an operation of `has_combination`.");
  m.def("top_k", top_k, "type"_a, "is_descending"_a, "is_total"_a, "operand"_a, "positions"_a, "threads"_a = 1,
        nb::sig("def top_k(type: str, is_descending: bool, is_total: bool, operand: Buffer, positions: Buffer, "
                "threads: int = 1) -> None"),
        R"(Fill each row of `positions` with the positions of the first elements of the sorted row of `operand`.

Sorts are stable, by keys of this element type. `is_total`: by the total order of floats; otherwise -0
equals 0, and NaNs come last, also of descending keys. Items of `positions` have 8 bytes.)");
}

} // namespace hlokit
