// hlokit._kernels.opcodes and the functions that look opcodes up; the level of the processor.
#include <nanobind/stl/string.h>

#include <cstring>
#include <string>

#include "kernels/elements/type_names.h"
#include "kernels/functions/exact.h"
#include "kernels/functions/functions.h"
#include "python/kernels/module.h"
#include "support/cpu.h"
#include "vm/instruction.h"
#include "vm/pointwise/kernel_choice.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// (number, name, result, operands) for each opcode.
nb::list listed_opcodes() {
  nb::list result;
  int number = 0;
  for (const vm::Opcode &row : vm::opcodes()) {
    nb::list operands;
    for (size_t i = 0; i < row.arity; ++i)
      operands.append(name_of(row.operands[i]));
    result.append(nb::make_tuple(number++, row.name, name_of(row.result), nb::tuple(operands)));
  }
  return result;
}

// name -> (opcode, record) for each opcode that is not a pointwise operation.
nb::dict listed_instructions() {
  nb::dict result;
#define HLOKIT_INSTRUCTION(name, Record) result[#name] = nb::make_tuple(vm::name, #Record);
#include "vm/instructions.inc"
  return result;
}

// record -> (name, kind) of each field.
nb::dict listed_fields() {
  nb::dict result;
#define HLOKIT_FIELD(Kind, name) fields.append(nb::make_tuple(#name, #Kind));
#define HLOKIT_FIELDS(Record, ...)                                                                                   \
  {                                                                                                                  \
    nb::list fields;                                                                                                 \
    __VA_ARGS__                                                                                                      \
    result[#Record] = fields;                                                                                        \
  }
#include "vm/instructions.inc"
  return result;
}

template <class T> T number_of(nb::handle object) {
  double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred())
    throw nb::python_error();
  return static_cast<T>(value);
}

// The function of Python's numbers that an opcode of one or two T computes.
template <class T> nb::object function_of(int number) {
  auto call = [handler = vm::kernel_of(number).handler](T a, T b) {
    unsigned char registers[24];
    std::memcpy(registers + 8, &a, sizeof a);
    std::memcpy(registers + 16, &b, sizeof b);
    const vm::DecodedInstruction code[] = {vm::instruction_of(handler, 0, 8, 16, 16), vm::instruction_of(vm::halt)};
    vm::run(code, registers);
    double result;
    std::memcpy(&result, registers, sizeof result);
    return result;
  };
  if (vm::opcodes().rows[number].arity == 1)
    return nb::cpp_function([call](nb::handle a) { return call(number_of<T>(a), 0); });
  return nb::cpp_function([call](nb::handle a, nb::handle b) { return call(number_of<T>(a), number_of<T>(b)); });
}

// The same for complex numbers with parts of type T.
template <class T> nb::object complex_function_of(int number) {
  auto call = [sweep = vm::kernel_of(number).sweep](nb::handle a, nb::handle b) {
    const nb::handle complex_type(reinterpret_cast<PyObject *>(&PyComplex_Type));
    T parts[3][2] = {};
    for (int i = 0; i < 2; ++i) {
      // The stable ABI has no PyComplex_AsCComplex.
      const nb::object value = complex_type(i == 0 ? a : b);
      parts[i][0] = static_cast<T>(PyComplex_RealAsDouble(value.ptr()));
      parts[i][1] = static_cast<T>(PyComplex_ImagAsDouble(value.ptr()));
    }
    sweep(parts[2], parts[0], parts[1], nullptr, 1);
    return nb::steal(PyComplex_FromDoubles(parts[2][0], parts[2][1]));
  };
  if (vm::opcodes().rows[number].arity == 1)
    return nb::cpp_function([call](nb::handle a) { return call(a, a); });
  return nb::cpp_function([call](nb::handle a, nb::handle b) { return call(a, b); });
}

// Other opcodes are arithmetic, which is cheaper, or take more operands.
bool is_function(const vm::Opcode &opcode) { return opcode.arity <= 2 && opcode.cost != 1; }

nb::object scalar_function(const std::string &name, const std::string &type) {
  const ElementType operand = element_type(type);
  const bool is_complex = operand == ElementType::c64 || operand == ElementType::c128;
  const bool is_float = operand == ElementType::f32 || operand == ElementType::f64;
  const int number = is_complex || is_float ? vm::find_opcode(name, is_float ? ElementType::f64 : operand, operand) : -1;
  if (number < 0 || !is_function(vm::opcodes().rows[number]))
    throw vm::ProgramError("there is no function " + name + " of " + type);
  switch (operand) {
  case ElementType::c64:
    return complex_function_of<float>(number);
  case ElementType::c128:
    return complex_function_of<double>(number);
  case ElementType::f32:
    return function_of<float>(number);
  default:
    return function_of<double>(number);
  }
}

double function_to_odd(const std::string &name, double x, double y) {
#define HLOKIT_TO_ODD(function, Class, operands, ...)                                                                \
  if (name == #function)                                                                                             \
    return functions::exact::function(HLOKIT_ARGUMENTS##operands, functions::to_odd);
  HLOKIT_FUNCTIONS(HLOKIT_TO_ODD)
  throw vm::ProgramError("there is no function " + name);
}

} // namespace

void bind_opcodes(nb::module_ &m) {
  m.def("cpu_level", [] { return cpu_level_names[static_cast<size_t>(cpu_level())]; },
        R"(The level of vector instructions that kernels use: 'baseline', 'avx2' or 'avx512'.

The environment variable HLOKIT_CPU lowers it. Raises ValueError if the variable names no level.)");
  m.def("opcodes", listed_opcodes, nb::sig("def opcodes() -> list[tuple[int, str, str, tuple[str, ...]]]"),
        R"(The opcodes of pointwise operations: (number, name, type of the result, types of the operands).

Types are spelled as in MLIR, names as in StableHLO; comparisons are 'LT', 'TOTALORDER LT' and so on.)");
  m.def("instructions", listed_instructions, nb::sig("def instructions() -> dict[str, tuple[int, str]]"),
        "The opcode, and the record of fields, of each other instruction: 'jump', 'move' and so on.");
  m.def("instruction_fields", listed_fields,
        nb::sig("def instruction_fields() -> dict[str, list[tuple[str, str]]]"),
        "The names and kinds of the fields of each record (lib/vm/instructions.inc).");
  m.def("find_operation",
        [](const std::string &name, const std::string &to, const std::string &operand) {
          return vm::find_opcode(name, element_type(to), element_type(operand));
        },
        "name"_a, "to"_a, "operand"_a,
        "The opcode of an operation, by the types of its result and of its last operand; -1 if there is none.");
  m.def("cost_of",
        [](size_t number) {
          if (number >= vm::opcodes().count)
            throw vm::ProgramError("there is no opcode " + std::to_string(number));
          return vm::opcodes().rows[number].cost;
        },
        "number"_a, "The cost of an element of a pointwise operation, by its opcode, in additions.");
  m.def("scalar_function", scalar_function, "name"_a, "type"_a = "f32",
        nb::sig("def scalar_function(name: str, type: str = 'f32') -> Callable[..., float | complex]"),
        R"(A function of one or two f64, of complex numbers, or of f32 in the f64 that its result is rounded from.

Raises ValueError for an unknown name.)");
  m.def("function_to_odd", function_to_odd, "name"_a, "x"_a, "y"_a = 0,
        R"(A function of one or two f64: the result itself if it is an f64, else of the two f64 around it the one
whose last bit is 1.

Rounded once more, to a narrower type, it gives what the result itself gives.

Raises ValueError for an unknown name.)");
}

} // namespace hlokit
