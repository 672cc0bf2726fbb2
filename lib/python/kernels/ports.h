// Ports between registers of a program and values of NumPy: operands, results, constants, and calls of kernels.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "kernels/nans/search.h"
#include "python/kernels/numpy.h"
#include "vm/loop/loop.h"

namespace hlokit {

using Values = std::vector<nanobind::object>;

// A register and the shape of its value.
struct Port {
  size_t slot = 0, size = 0; // of the register, of an element
  size_t count = 1;          // of elements
  bool is_scalar = true;     // the slot holds the element itself
  numpy::Extents shape;
  PyTypeObject *scalar_type = nullptr; // of NumPy's scalars

  unsigned char *elements(unsigned char *memory) const {
    unsigned char *result = memory + slot;
    if (!is_scalar)
      std::memcpy(&result, memory + slot, sizeof result);
    return result;
  }
  void point(unsigned char *memory, const unsigned char *elements) const {
    std::memcpy(memory + slot, &elements, sizeof elements);
  }
  // The elements of a value in the form of a register: the value's own elements, a copy in `copies`, or a scalar that
  // is copied to `scalar`. Throws for values of other shapes or sizes.
  const unsigned char *find(nanobind::handle value, unsigned char *scalar, Values &copies) const;
};

// An operand, and the properties that a run may assume.
struct Operand : Port {
  Operand() = default;
  explicit Operand(Port port) : Port(std::move(port)) {}

  enum class Use { none, read, known } use = Use::none;
  std::string value;            // if it is known
  nans::Format nans{0, 0, 0};   // if all NaNs are known; of size 0 if not

  // Whether a known operand has the known value.
  bool fits(nanobind::handle operand, Values &copies) const;
  // Sets the register. Returns false if an element is a NaN other than the known NaN.
  bool read(nanobind::handle operand, unsigned char *memory, Values &copies) const;
};

struct Result : Port {
  Result() = default;
  explicit Result(Port port) : Port(std::move(port)) {}

  nanobind::object dtype; // none: the result is an operand
  size_t operand = 0;

  // An array, or a scalar for rank 0, of these elements.
  nanobind::object value(const unsigned char *elements) const;
  // Copies the elements of a value to the register.
  void write(nanobind::handle value, unsigned char *memory) const;
};

// An operand of a kernel.
struct KernelOperand : Port {
  KernelOperand() = default;
  explicit KernelOperand(Port port) : Port(std::move(port)) {}

  nanobind::object dtype;
  ptrdiff_t offset = 0; // in bytes, as the strides
  numpy::Extents strides;

  nanobind::object value(unsigned char *memory, nanobind::handle owner) const;
};

// A call of a kernel.
struct Call {
  std::vector<KernelOperand> operands;
  std::vector<Result> results;
  bool copies = false; // the operands

  // `owner` owns all memory of the run.
  void make(size_t number, unsigned char *memory, nanobind::handle owner, nanobind::handle call) const;
};

// The registers of a program. Creates ports; throws for shapes that do not fit registers.
struct Registers {
  const std::vector<ElementType> &types;
  const std::vector<int64_t> &counts;

  Port port(size_t index, const numpy::Extents &shape) const;
  // `known`: None, the bytes of a scalar, or, for all its NaNs, the bits of the positive infinity and of the NaN.
  Operand operand(size_t index, const numpy::Extents &shape, nanobind::handle known) const;
  Result result(size_t index, const numpy::Extents &shape, nanobind::object dtype) const;
  // Copies the constant to a slot of `memory`.
  Port constant(size_t index, nanobind::handle array, unsigned char *memory) const;
  // Offset and strides count elements.
  KernelOperand kernel_operand(size_t index, const numpy::Extents &shape, intptr_t offset,
                               const numpy::Extents &strides, nanobind::object dtype) const;
};

nanobind::object tuple_of(Values values);

} // namespace hlokit
