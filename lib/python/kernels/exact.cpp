// hlokit._kernels.ExactOperation.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/numpy.h"
#include "vm/exact/field.h"
#include "vm/exact/operation.h"
#include "vm/instruction.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// An operation on arrays of exact numbers.
class ExactOperation {
public:
  ExactOperation(const std::string &formula, int opcode, uint64_t salt, const std::string &power, nb::object dtype,
                 nb::object largest_degree, nb::object note)
      : operation_(exact::formula_of(formula), opcode, salt, exact::power_of(power)), dtype_(std::move(dtype)),
        largest_degree_(std::move(largest_degree)), note_(std::move(note)) {
    numpy::Elements degree{};
    if (!numpy::is_array(largest_degree_, degree) || degree.item_size != sizeof(double) || degree.rank != 1 ||
        degree.shape[0] != 1 || !degree.is_row_major)
      throw vm::ProgramError("the largest degree must be an array of one f64");
    if (numpy::item_size(dtype_) != (operation_.is_comparison() ? 1 : sizeof(exact::Number)))
      throw vm::ProgramError("the results must be exact numbers, or booleans of comparisons");
  }

  // None if the operands have other shapes than one shape and (), or are no arrays of exact real numbers.
  nb::object run(nb::args arguments) const {
    if (arguments.size() != operation_.arity())
      return nb::none();
    exact::Operands operands{{}, {}, 1};
    nb::object copies[2];
    numpy::Extents shape;
    for (size_t i = 0; i < operation_.arity(); ++i) {
      numpy::Elements elements{};
      copies[i] = numpy::is_scalar(arguments[i]) ? numpy::copy_of(arguments[i]) : nb::borrow(arguments[i]);
      if (!numpy::is_record_array(copies[i], sizeof(exact::Number), elements))
        return nb::none();
      if (!elements.is_row_major) {
        copies[i] = numpy::copy_of(copies[i]);
        elements.data = numpy::data_of(copies[i]);
      }
      operands.numbers[i] = reinterpret_cast<const exact::Number *>(elements.data);
      operands.is_one[i] = elements.rank == 0;
      numpy::Extents own(elements.shape, elements.shape + elements.rank);
      if (!own.empty() && !shape.empty() && own != shape)
        return nb::none();
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

private:
  exact::Operation operation_;
  nb::object dtype_, largest_degree_, note_;
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

void multiply_fields(nb::handle lhs, nb::handle rhs, nb::handle result) {
  const Array one(lhs, PyBUF_ND | PyBUF_C_CONTIGUOUS), other(rhs, PyBUF_ND | PyBUF_C_CONTIGUOUS),
      to(result, PyBUF_ND | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE);
  for (const Array *array : {&one, &other, &to})
    if (array->rank() != 3 || array->item_size() != sizeof(uint64_t) || array->extent(0) != to.extent(0))
      throw std::invalid_argument("matrices of numbers of the field must be stacks of one length, of u64");
  const size_t rows = to.extent(1), terms = one.extent(2), columns = to.extent(2);
  if (one.extent(1) != rows || other.extent(1) != terms || other.extent(2) != columns)
    throw std::invalid_argument("matrices of numbers of the field must fit each other");
  const auto *from = reinterpret_cast<const uint64_t *>(one.data()), *by = reinterpret_cast<const uint64_t *>(other.data());
  auto *matrix = reinterpret_cast<uint64_t *>(to.data());
  for (size_t i = 0; i < to.extent(0); ++i, from += rows * terms, by += terms * columns, matrix += rows * columns)
    exact::multiply_matrices(from, by, matrix, rows, terms, columns);
}

} // namespace

void bind_exact(nb::module_ &m) {
  m.def("digest", digest, "salt"_a, "words"_a, nb::sig("def digest(salt: int, words: Buffer) -> int"),
        "A pseudorandom number of the field modulo 2^61 - 1 that depends on all bytes of an array.");
  m.def("multiply_fields", multiply_fields, "lhs"_a, "rhs"_a, "result"_a,
        nb::sig("def multiply_fields(lhs: Buffer, rhs: Buffer, result: Buffer) -> None"),
        "Products of stacks of matrices of numbers of the field modulo 2^61 - 1.");
  nb::class_<ExactOperation>(m, "ExactOperation", R"(An element-wise operation on exact numbers.

The numbers are records of a float, a number of the field modulo 2^61 - 1, and a degree
(hlokit.tools.equal.rules.numbers). `formula` and `power` name what the operation does with numbers of the
field, `opcode` computes the floats, and `salt` tells functions apart. Calls raise `largest_degree`, an
array of one f64, to the degrees of operands of which the results are no polynomials, and call `note`
where they compare numbers that are equal but for rounding.)")
      .def(nb::init<const std::string &, int, uint64_t, const std::string &, nb::object, nb::object, nb::object>(),
           "formula"_a, "opcode"_a, "salt"_a, "power"_a, "dtype"_a, "largest_degree"_a, "note"_a,
           nb::sig("def __init__(self, formula: str, opcode: int, salt: int, power: str, dtype: Any, "
                   "largest_degree: Any, note: Callable[[], object]) -> None"),
           "`dtype`: that of the results. Raises ValueError if the opcode does not fit the formula.")
      .def("run", &ExactOperation::run, nb::sig("def run(self, *operands: Any) -> Any"),
           "The result; None if operands have neither one shape nor rank 0, or are not exact real numbers.");
}

} // namespace hlokit
