#include "python/kernels/ports.h"
#include "support/copy_memory.h"

#include <algorithm>

namespace nb = nanobind;

namespace hlokit {
namespace {

constexpr intptr_t most_elements = intptr_t(1) << 28, most_dimensions = 32;

bool is_size(intptr_t number) { return number >= 0 && number <= most_elements; }

size_t elements_of(const numpy::Extents &shape) {
  intptr_t count = 1;
  for (intptr_t extent : shape)
    count = is_size(extent) && is_size(count) ? count * extent : most_elements + 1;
  return static_cast<size_t>(count);
}

std::string text_of(const numpy::Extents &shape) {
  std::string text = "[";
  for (intptr_t extent : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

void check_dtype(const Port &port, nb::handle dtype) {
  if (const size_t size = numpy::item_size(dtype); size != port.size)
    throw vm::ProgramError("a dtype must have the size of the elements of its register, " +
                           std::to_string(port.size) + " bytes, got " + std::to_string(size));
}

} // namespace

const unsigned char *Port::find(nb::handle value, unsigned char *scalar, Values &copies) const {
  if (is_scalar && shape.empty() && Py_TYPE(value.ptr()) == scalar_type) {
    numpy::read_scalar(value, size, scalar);
    return scalar;
  }
  numpy::Elements found{};
  bool is_array = numpy::is_array(value, found);
  if (!is_array || !found.is_row_major) {
    copies.push_back(numpy::copy_of(value));
    is_array = numpy::is_array(copies.back(), found);
  }
  if (!is_array || found.item_size != size || found.rank != shape.size() ||
      !std::equal(shape.begin(), shape.end(), found.shape))
    throw vm::ProgramError("a value must be an array of shape " + text_of(shape) + " with items of " +
                           std::to_string(size) + " bytes");
  return found.data;
}

bool Operand::fits(nb::handle operand, Values &copies) const {
  if (use != Use::known)
    return true;
  unsigned char word[8];
  return std::memcmp(find(operand, word, copies), value.data(), size) == 0;
}

bool Operand::read(nb::handle operand, unsigned char *memory, Values &copies) const {
  if (use != Use::read)
    return true;
  const unsigned char *elements = find(operand, memory + slot, copies);
  if (!is_scalar)
    point(memory, elements);
  else if (elements != memory + slot)
    std::memcpy(memory + slot, elements, size);
  return nans.size == 0 || !nans::has_other_nan(elements, count * size / nans.size, nans, 1);
}

nb::object Result::value(const unsigned char *elements) const {
  if (shape.empty())
    return numpy::scalar_of(elements, dtype);
  nb::object result = numpy::new_array(shape, dtype);
  copy_memory(numpy::data_of(result), elements, count * size);
  return result;
}

void Result::write(nb::handle value, unsigned char *memory) const {
  Values copies;
  unsigned char *to = elements(memory);
  const unsigned char *found = find(value, to, copies);
  if (found != to)
    copy_memory(to, found, count * size);
}

nb::object KernelOperand::value(unsigned char *memory, nb::handle owner) const {
  unsigned char *from = elements(memory) + offset;
  if (shape.empty())
    return numpy::scalar_of(from, dtype);
  if (!is_scalar)
    return numpy::array_over(from, shape, strides, dtype, owner);
  nb::object one = numpy::new_array({}, dtype);
  std::memcpy(numpy::data_of(one), from, size);
  return numpy::array_over(numpy::data_of(one), shape, strides, dtype, one);
}

void Call::make(size_t number, unsigned char *memory, nb::handle owner, nb::handle call) const {
  Values values;
  for (const KernelOperand &operand : operands) {
    nb::object value = operand.value(memory, owner);
    values.push_back(copies && !operand.shape.empty() ? numpy::copy_of(value) : std::move(value));
  }
  const nb::object made = call(number, tuple_of(std::move(values)));
  if (results.size() == 1)
    return results[0].write(made, memory);
  if (!PyTuple_Check(made.ptr()) || nb::len(made) != results.size())
    throw vm::ProgramError("a kernel must return a tuple of " + std::to_string(results.size()) + " results");
  for (size_t i = 0; i < results.size(); ++i)
    results[i].write(made[i], memory);
}

Port Registers::port(size_t index, const numpy::Extents &shape) const {
  if (index >= counts.size())
    throw vm::ProgramError("there is no register " + std::to_string(index));
  const bool is_scalar = counts[index] == vm::Loop::scalar;
  const size_t count = elements_of(shape);
  if (count != (is_scalar ? 1 : static_cast<size_t>(counts[index])) || shape.size() > most_dimensions)
    throw vm::ProgramError("a shape must have at most " + std::to_string(most_dimensions) +
                           " dimensions, and as many elements as its register, got " + text_of(shape));
  return {vm::Loop::slot(index), size_of(types[index]), count, is_scalar, shape, numpy::scalar_type_of(types[index])};
}

Operand Registers::operand(size_t index, const numpy::Extents &shape, nb::handle known) const {
  Operand result(port(index, shape));
  result.use = Operand::Use::read;
  if (nb::isinstance<nb::bytes>(known)) {
    const auto bytes = nb::borrow<nb::bytes>(known);
    result.use = Operand::Use::known;
    result.value.assign(bytes.c_str(), bytes.size());
    if (result.value.size() != result.size || result.count != 1)
      throw vm::ProgramError("a known operand must be one element with a value of " + std::to_string(result.size) +
                             " bytes");
  } else if (!known.is_none()) {
    const size_t size = is_complex(types[index]) ? result.size / 2 : result.size;
    result.nans = {size, nb::cast<uint64_t>(known[0]), nb::cast<uint64_t>(known[1])};
  }
  return result;
}

Result Registers::result(size_t index, const numpy::Extents &shape, nb::object dtype) const {
  Result result(port(index, shape));
  check_dtype(result, dtype);
  result.dtype = std::move(dtype);
  return result;
}

Port Registers::constant(size_t index, nb::handle array, unsigned char *memory) const {
  numpy::Elements found{};
  if (!numpy::is_array(array, found))
    throw vm::ProgramError("a constant must be an array of numbers or booleans");
  Port result = port(index, numpy::Extents(found.shape, found.shape + found.rank));
  if (!found.is_row_major || found.item_size != result.size)
    throw vm::ProgramError("a constant must be in row-major order, with items of " + std::to_string(result.size) +
                           " bytes, the size of its register");
  if (result.is_scalar)
    std::memcpy(memory + result.slot, found.data, result.size);
  else
    result.point(memory, found.data);
  return result;
}

KernelOperand Registers::kernel_operand(size_t index, const numpy::Extents &shape, intptr_t offset,
                                        const numpy::Extents &strides, nb::object dtype) const {
  const bool is_array = index < counts.size() && counts[index] != vm::Loop::scalar;
  KernelOperand result(port(index, is_array ? numpy::Extents{counts[index]} : numpy::Extents{}));
  if (!is_size(offset) || shape.size() != strides.size() || shape.size() > most_dimensions || !is_size(static_cast<intptr_t>(elements_of(shape))))
    throw vm::ProgramError("an operand of a kernel must have a stride for each dimension, at most " +
                           std::to_string(most_dimensions) + " dimensions, and at most " +
                           std::to_string(most_elements) + " elements");
  intptr_t first = offset, last = offset;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!is_size(shape[i]) || strides[i] > most_elements || strides[i] < -most_elements)
      throw vm::ProgramError("sizes and strides of an operand of a kernel must be at most " +
                             std::to_string(most_elements));
    (strides[i] < 0 ? first : last) += std::max<intptr_t>(shape[i] - 1, 0) * strides[i];
    result.strides.push_back(is_array ? strides[i] * static_cast<intptr_t>(result.size) : 0);
  }
  if (is_array && elements_of(shape) && (first < 0 || last >= static_cast<intptr_t>(result.count)))
    throw vm::ProgramError("an operand of a kernel must lie inside its array of " + std::to_string(result.count) +
                           " elements, got elements " + std::to_string(first) + " to " + std::to_string(last));
  check_dtype(result, dtype);
  result.offset = is_array ? offset * static_cast<ptrdiff_t>(result.size) : 0;
  result.shape = shape;
  result.dtype = std::move(dtype);
  return result;
}

nb::object tuple_of(Values values) {
  nb::object result = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  if (!result.is_valid())
    throw nb::python_error();
  for (size_t i = 0; i < values.size(); ++i)
    PyTuple_SetItem(result.ptr(), static_cast<Py_ssize_t>(i), values[i].release().ptr());
  return result;
}

} // namespace hlokit
