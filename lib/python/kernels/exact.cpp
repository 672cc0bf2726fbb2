// hlokit._kernels.ExactOperation.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/numpy.h"
#include "vm/exact/arrays.h"
#include "vm/exact/field.h"
#include "vm/exact/operation.h"
#include "vm/instruction.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// A record array in row-major order; null if the value has other elements.
nb::object records(nb::handle value, size_t size, numpy::Elements &elements) {
  nb::object array = nb::borrow(value);
  if (!numpy::is_record_array(array, size, elements)) {
    if (!numpy::is_scalar(value))
      return {};
    array = numpy::copy_of(value);
    if (!numpy::is_record_array(array, size, elements))
      return {};
  }
  if (!elements.is_row_major) {
    array = numpy::copy_of(array);
    numpy::is_record_array(array, size, elements);
  }
  return array;
}

// An operation on arrays of exact numbers.
class ExactOperation {
public:
  ExactOperation(const std::string &formula, int opcode, uint64_t salt, const std::string &power, nb::object dtype,
                 nb::object largest_degree, nb::object note, nb::object general)
      : operation_(exact::formula_of(formula), opcode, salt, exact::power_of(power)), dtype_(std::move(dtype)),
        largest_degree_(std::move(largest_degree)), note_(std::move(note)), general_(std::move(general)) {
    numpy::Elements degree{};
    if (!numpy::is_array(largest_degree_, degree) || degree.item_size != sizeof(double) || degree.rank != 1 ||
        degree.shape[0] != 1 || !degree.is_row_major)
      throw vm::ProgramError("the largest degree must be an array of one f64");
    if (numpy::item_size(dtype_) != (operation_.is_comparison() ? 1 : sizeof(exact::Number)))
      throw vm::ProgramError("the results must be exact numbers, or booleans of comparisons");
  }

  nb::object run(nb::args arguments) const {
    nb::object result = arguments.size() == operation_.arity() ? computed(arguments) : nb::object();
    return result.is_valid() ? result : nb::object(general_(*arguments));
  }

private:
  // Null if the operands have other shapes than one shape and (), or are no arrays of exact real numbers.
  nb::object computed(const nb::args &arguments) const {
    exact::Operands operands{{}, {}, 1};
    nb::object copies[2];
    numpy::Extents shape;
    for (size_t i = 0; i < operation_.arity(); ++i) {
      numpy::Elements elements{};
      copies[i] = records(arguments[i], sizeof(exact::Number), elements);
      if (!copies[i].is_valid())
        return {};
      operands.numbers[i] = reinterpret_cast<const exact::Number *>(elements.data);
      operands.is_one[i] = elements.rank == 0;
      numpy::Extents own(elements.shape, elements.shape + elements.rank);
      if (!own.empty() && !shape.empty() && own != shape)
        return {};
      shape = own.empty() ? shape : own;
    }
    for (const intptr_t extent : shape)
      operands.count *= static_cast<size_t>(extent);
    nb::object result = numpy::new_array(shape, dtype_);
    auto &degree = *reinterpret_cast<double *>(numpy::data_of(largest_degree_));
    if (operation_.apply(operands, numpy::data_of(result), degree))
      note_();
    return result;
  }

  exact::Operation operation_;
  nb::object dtype_, largest_degree_, note_, general_;
};

uint64_t digest(uint64_t salt, nb::handle words) {
  const Array array(words, PyBUF_ND | PyBUF_C_CONTIGUOUS);
  uint64_t state = salt;
  for (size_t i = 0; i < array.bytes(); i += sizeof state) {
    uint64_t word = 0;
    std::memcpy(&word, array.data() + i, std::min(sizeof word, array.bytes() - i));
    state = exact::mixed(state ^ word);
  }
  return exact::reduced(state);
}

// The elements of an array in row-major order, and its shape.
struct RowMajor {
  nb::object array;
  numpy::Elements elements{};
  numpy::Extents shape;
  size_t count = 1;

  explicit RowMajor(nb::handle value) : array(nb::borrow(value)) {
    if (!numpy::is_array(array, elements)) {
      array = numpy::copy_of(value);
      if (!numpy::is_array(array, elements))
        throw nb::type_error("numbers must be in an array");
    }
    if (!elements.is_row_major) {
      array = numpy::copy_of(array);
      elements.data = numpy::data_of(array);
    }
    shape.assign(elements.shape, elements.shape + elements.rank);
    for (const intptr_t extent : shape)
      count *= static_cast<size_t>(extent);
  }
};

// A new array of exact numbers for values, which `compute` writes.
template <class Compute> nb::object numbers_of(const RowMajor &values, nb::handle dtype, Compute compute) {
  if (numpy::item_size(dtype) != sizeof(exact::Number))
    throw std::invalid_argument("exact numbers must have the dtype of real ones");
  nb::object result = numpy::new_array(values.shape, dtype);
  compute(reinterpret_cast<exact::Number *>(numpy::data_of(result)));
  return result;
}

const double *doubles(const RowMajor &values) {
  if (values.elements.item_size != sizeof(double))
    throw std::invalid_argument("floats must be f64");
  return reinterpret_cast<const double *>(values.elements.data);
}

nb::object exact_floats(nb::handle array, nb::handle dtype) {
  const RowMajor values(array);
  return numbers_of(values, dtype, [&](exact::Number *to) { exact::embed_floats(doubles(values), to, values.count); });
}

nb::object exact_integers(nb::handle array, bool is_signed, nb::handle dtype) {
  const RowMajor values(array);
  return numbers_of(values, dtype, [&](exact::Number *to) {
    exact::embed_integers(values.elements.data, values.elements.item_size, is_signed, to, values.count);
  });
}

nb::object exact_places(nb::handle array, uint64_t state, nb::handle dtype) {
  const RowMajor values(array);
  return numbers_of(values, dtype,
                    [&](exact::Number *to) { exact::number_by_place(doubles(values), state, to, values.count); });
}

// Elements of any size: of `on_true` where the predicate holds. None if the operands have other shapes than one shape,
// or () for the predicate.
nb::object selected(nb::handle pred, nb::handle on_true, nb::handle on_false, nb::handle dtype) {
  const size_t size = numpy::item_size(dtype);
  numpy::Elements choices[2]{};
  const nb::object copies[2] = {records(on_true, size, choices[0]), records(on_false, size, choices[1])};
  if (!copies[0].is_valid() || !copies[1].is_valid())
    return nb::none();
  const RowMajor condition(pred);
  const numpy::Extents shape(choices[0].shape, choices[0].shape + choices[0].rank),
      other(choices[1].shape, choices[1].shape + choices[1].rank);
  if (shape != other || condition.elements.item_size != 1 || !(condition.shape.empty() || condition.shape == shape))
    return nb::none();
  if (condition.shape.empty())
    return copies[*condition.elements.data ? 0 : 1];
  nb::object result = numpy::new_array(shape, dtype);
  unsigned char *to = numpy::data_of(result);
  const unsigned char *sources[] = {choices[1].data, choices[0].data};
  if (size == sizeof(exact::Number))
    exact::select(condition.elements.data, sources, to, condition.count);
  else
    for (size_t i = 0; i < condition.count; ++i)
      std::memcpy(to + i * size, sources[condition.elements.data[i] != 0] + i * size, size);
  return result;
}

// None if the operands have other shapes than one shape and (), or if a float is not finite.
nb::object complex_result(const std::string &formula, nb::handle lhs, nb::handle rhs, nb::handle dtype) {
  numpy::Elements sides[2]{};
  const nb::object one = records(lhs, sizeof(exact::ComplexNumber), sides[0]),
                   other = records(rhs, sizeof(exact::ComplexNumber), sides[1]);
  if (!one.is_valid() || !other.is_valid() || numpy::item_size(dtype) != sizeof(exact::ComplexNumber))
    return nb::none();
  numpy::Extents shape;
  size_t count = 1;
  for (const numpy::Elements &side : sides) {
    const numpy::Extents own(side.shape, side.shape + side.rank);
    if (!own.empty() && !shape.empty() && own != shape)
      return nb::none();
    shape = own.empty() ? shape : own;
  }
  for (const intptr_t extent : shape)
    count *= static_cast<size_t>(extent);
  nb::object result = numpy::new_array(shape, dtype);
  const exact::ComplexNumber *const operands[2] = {reinterpret_cast<const exact::ComplexNumber *>(sides[0].data),
                                                   reinterpret_cast<const exact::ComplexNumber *>(sides[1].data)};
  auto *to = reinterpret_cast<exact::ComplexNumber *>(numpy::data_of(result));
  const bool is_one[2] = {sides[0].rank == 0, sides[1].rank == 0};
  return exact::compute_complex(exact::formula_of(formula), operands, is_one, to, count) ? result : nb::none();
}

// Makes arrays that repeat one record.
class RepeatedRecord {
public:
  RepeatedRecord(numpy::Extents shape, nb::object dtype) : shape_(std::move(shape)), dtype_(std::move(dtype)) {}

  nb::object run(nb::handle value) const {
    const size_t size = numpy::item_size(dtype_);
    numpy::Elements element{};
    const nb::object array = records(value, size, element);
    if (!array.is_valid() || element.rank != 0)
      throw nb::type_error("a value to repeat must be a record of the type of the result");
    nb::object result = numpy::new_array(shape_, dtype_);
    unsigned char *to = numpy::data_of(result);
    size_t count = 1;
    for (const intptr_t extent : shape_)
      count *= static_cast<size_t>(extent);
    for (size_t i = 0; i < count; ++i)
      std::memcpy(to + i * size, element.data, size);
    return result;
  }

private:
  numpy::Extents shape_;
  nb::object dtype_;
};

// Multiplies stacks of matrices of numbers of the field, or of exact numbers.
void multiply_stacks(nb::handle lhs, nb::handle rhs, nb::handle result) {
  const nb::handle handles[3] = {lhs, rhs, result};
  numpy::Elements stacks[3]{};
  for (size_t i = 0; i < 3; ++i) {
    const bool is_exact = numpy::is_record_array(handles[i], sizeof(exact::Number), stacks[i]) ||
                          numpy::is_record_array(handles[i], sizeof(exact::ComplexNumber), stacks[i]);
    if (!(is_exact || (numpy::is_array(handles[i], stacks[i]) && stacks[i].item_size == sizeof(uint64_t))) ||
        stacks[i].rank != 3 || !stacks[i].is_row_major || stacks[i].item_size != stacks[0].item_size ||
        stacks[i].shape[0] != stacks[0].shape[0])
      throw std::invalid_argument("matrices of numbers must be stacks of one length and type, in row-major order");
  }
  const intptr_t *one = stacks[0].shape, *other = stacks[1].shape, *to = stacks[2].shape;
  if (one[1] != to[1] || other[1] != one[2] || other[2] != to[2])
    throw std::invalid_argument("matrices of numbers must fit each other");
  const exact::Extents extents{static_cast<size_t>(to[1]), static_cast<size_t>(one[2]), static_cast<size_t>(to[2])};
  const auto multiply_all = [&](auto element) {
    using Element = decltype(element);
    auto *left = reinterpret_cast<const Element *>(stacks[0].data), *right = reinterpret_cast<const Element *>(stacks[1].data);
    auto *product = reinterpret_cast<Element *>(stacks[2].data);
    for (intptr_t i = 0; i < to[0]; ++i) {
      exact::multiply_matrices(left, right, product, extents);
      left += extents.rows * extents.terms, right += extents.terms * extents.columns;
      product += extents.rows * extents.columns;
    }
  };
  if (stacks[0].item_size == sizeof(uint64_t))
    multiply_all(uint64_t());
  else if (stacks[0].item_size == sizeof(exact::Number))
    multiply_all(exact::Number());
  else
    multiply_all(exact::ComplexNumber());
}

} // namespace

void bind_exact(nb::module_ &m) {
  m.def("digest", digest, "salt"_a, "words"_a, nb::sig("def digest(salt: int, words: Buffer) -> int"),
        "A pseudorandom number of the field modulo 2^61 - 1 that depends on all bytes of an array.");
  m.def("exact_floats", exact_floats, "values"_a, "dtype"_a,
        nb::sig("def exact_floats(values: Any, dtype: Any) -> Any"),
        "Exact numbers of floats (f64) that stand for themselves.");
  m.def("exact_integers", exact_integers, "values"_a, "is_signed"_a, "dtype"_a,
        nb::sig("def exact_integers(values: Any, is_signed: bool, dtype: Any) -> Any"), "Exact numbers of integers.");
  m.def("exact_places", exact_places, "values"_a, "state"_a, "dtype"_a,
        nb::sig("def exact_places(values: Any, state: int, dtype: Any) -> Any"),
        "Exact numbers of floats (f64), each a pseudorandom function of `state` and its place.");
  m.def("selected_records", selected, "pred"_a, "on_true"_a, "on_false"_a, "dtype"_a,
        nb::sig("def selected_records(pred: Any, on_true: Any, on_false: Any, dtype: Any) -> Any"),
        "Elements of `on_true` where `pred` holds, else of `on_false`. None if shapes do not fit.");
  m.def("complex_result", complex_result, "formula"_a, "lhs"_a, "rhs"_a, "dtype"_a,
        nb::sig("def complex_result(formula: str, lhs: Any, rhs: Any, dtype: Any) -> Any"),
        "`add`, `subtract`, `multiply` or `negate`. None if shapes do not fit, or if floats are not finite.");
  m.def("multiply_stacks", multiply_stacks, "lhs"_a, "rhs"_a, "result"_a,
        nb::sig("def multiply_stacks(lhs: Any, rhs: Any, result: Any) -> None"),
        "Products of stacks of matrices of numbers of the field modulo 2^61 - 1, or exact numbers.");
  nb::class_<RepeatedRecord>(m, "RepeatedRecord", "Makes arrays of a shape and dtype that repeat one record.")
      .def(nb::init<numpy::Extents, nb::object>(), "shape"_a, "dtype"_a,
           nb::sig("def __init__(self, shape: Sequence[int], dtype: Any) -> None"), "Records of any size.")
      .def("run", &RepeatedRecord::run, "value"_a, nb::sig("def run(self, value: Any) -> Any"), "The array.");
  nb::class_<ExactOperation>(m, "ExactOperation", R"(An element-wise operation on exact numbers.

The numbers are records of a float, a number of the field modulo 2^61 - 1, and a degree
(hlokit.tools.equal.rules.numbers). `formula` and `power` name what the operation does with numbers of the
field, `opcode` computes the floats, and `salt` tells functions apart. Calls raise `largest_degree`, an
array of one f64, to the degrees of operands of which the results are no polynomials, and call `note`
where they compare numbers that are equal but for rounding. `general` computes the rest: operands
that have neither one shape nor rank 0, or are not exact real numbers.)")
      .def(nb::init<const std::string &, int, uint64_t, const std::string &, nb::object, nb::object, nb::object,
                    nb::object>(),
           "formula"_a, "opcode"_a, "salt"_a, "power"_a, "dtype"_a, "largest_degree"_a, "note"_a,
           "general"_a,
           nb::sig("def __init__(self, formula: str, opcode: int, salt: int, power: str, dtype: Any, "
                   "largest_degree: Any, note: Callable[[], object], general: Callable[..., Any]) -> None"),
           "`dtype`: that of the results. Raises ValueError if the opcode does not fit the formula.")
      .def("run", &ExactOperation::run, nb::sig("def run(self, *operands: Any) -> Any"),
           "The result.");
}

} // namespace hlokit
