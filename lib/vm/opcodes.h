// The table of opcodes: names, types and costs of the pointwise operations, for the checker, for the kernels and for
// Python. opcodes.inc has the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/elements/type.h"

namespace hlokit::vm {

// A pointwise operation on elements of certain types. Its number is its position in the table.
struct Opcode {
  const char *name; // the name in StableHLO; comparisons are "LT", "TOTALORDER LT" and so on
  ElementType result;
  uint8_t cost; // of an element, in additions
  uint8_t arity;
  ElementType operands[3];

  template <class... Operands>
  constexpr Opcode(const char *name, ElementType result, uint8_t cost, Operands... operands)
      : name(name), result(result), cost(cost), arity(sizeof...(operands)), operands{operands...} {}
};

struct Opcodes {
  const Opcode *rows;
  size_t count;
  size_t real_count; // the rows from here on have complex numbers

  const Opcode *begin() const { return rows; }
  const Opcode *end() const { return rows + count; }
};

const Opcodes &opcodes();

// The number of an operation, by the types of its result and of its last operand; -1 if there is none.
int find_opcode(std::string_view name, ElementType result, ElementType operand);

// Opcodes that are not pointwise operations. Instructions of loops:
constexpr int jump = -1;        // to instruction `to`
constexpr int jump_if = -2;     // to instruction `to` if register `a`, an i1, is true
constexpr int jump_if_not = -3; // to instruction `to` if register `a` is false
// Instructions on arrays, which only loops have (vm/loop/arrays.h). `b` is the index of their numbers; of `reduce`,
// `dot` and `scan`, `c` is. In fused programs `reduce` combines the rows of `a` with the initial value `b`, and `c` is the
// opcode that combines two values.
constexpr int move = -4;
constexpr int read_windows = -5;
constexpr int write_windows = -6;
constexpr int reduce = -7;
constexpr int dot = -8;
// Stops a loop, which lets the caller compute: `b` is the index of its numbers.
constexpr int call = -9;
// A routine of LAPACK (kernels/linalg/routines.h): `b` is the index of its numbers.
constexpr int lapack = -10;
// A sort of arrays by keys: `b` is the index of its numbers.
constexpr int sort = -11;
// Running sums and other reductions.
constexpr int scan = -12;
// Fourier transforms along one dimension: `b` is the index of their numbers.
constexpr int fft = -14;
// Threefry-2x32 (kernels/random/threefry.h): `b` is the index of its numbers.
constexpr int threefry = -15;
// Generators of random bits (kernels/random/bits.h): `b` is the index of its numbers.
constexpr int random_bits = -16;
// Of fused programs: repeats the first operand, of a lower level, for every element.
constexpr int broadcast = -13;

} // namespace hlokit::vm
