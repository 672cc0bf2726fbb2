// Element-wise operations on exact numbers: floats with the numbers of a field for which they stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vm/pointwise/kernels.h"

namespace hlokit::exact {

// An element of an array of exact numbers, as tools/equal/rules/numbers.py defines them.
struct Number {
  double value;
  uint64_t residue;
  double degree; // a bound, as a polynomial in the unknown numbers
};

struct ComplexNumber {
  double value[2]; // real and imaginary part
  uint64_t residue;
  double degree;
  uint64_t imaginary;
};

enum class Formula {
  add,
  subtract,
  multiply,
  divide,
  negate,
  square,
  function,
  absolute,
  extremum,
  power,
  rounded,
  remainder,
  comparison
};
// Of functions that are roots: the power that undoes them.
enum class Power { none, square, cube, reciprocal_square };

// The formula or the power of this name. Throws vm::ProgramError if there is none.
Formula formula_of(std::string_view name);
Power power_of(std::string_view name);

// The operands of a call. An operand is one number for all elements if `is_one` is set.
struct Operands {
  const Number *numbers[2];
  bool is_one[2];
  size_t count; // of elements
};

class Operation {
public:
  // Of a pointwise operation of f64, by its opcode. `salt` tells functions apart. Throws vm::ProgramError if the opcode
  // has other types than the formula.
  Operation(Formula formula, int opcode, uint64_t salt, Power power);

  size_t arity() const { return arity_; }
  bool is_comparison() const { return formula_ == Formula::comparison; }

  // Computes numbers, or booleans if it is a comparison. Returns whether it compared numbers that are equal but for
  // rounding, or rounded a number that is an integer, or midway, but for rounding. Raises `largest_degree` to those of operands of which the results are no polynomials.
  bool apply(const Operands &operands, void *to, double &largest_degree) const;

private:
  struct Block;
  // The value of a function at operands that are 0 or 1, if it is a multiple of 1/2.
  struct Known {
    bool is_known = false;
    uint64_t residue = 0;
  };

  void number(const Block &block, size_t i, Number &result) const;
  uint64_t root(uint64_t operand, uint64_t residue, double value) const;
  bool settle(Block &block) const;
  void raise(const Number &base, const Number &exponent, Number &result) const;

  Formula formula_;
  Power power_;
  uint64_t salt_;
  size_t arity_;
  vm::Sweep sweep_;
  Known known_[4];
};

} // namespace hlokit::exact
