// Programs as a compiler produces them.
//
// Two engines run pointwise operations (vm/opcodes.h), after vm/verifier.h has verified the program:
//   - a Loop (vm/loop/loop.h) computes on scalars and on arrays of fixed sizes, and may jump: loops, with the calls in
//     them inlined;
//   - a FusedProgram (vm/fused/fused_program.h) computes arrays, and reductions of their rows, without jumps: one piece at a
//     time, which stays in the cache, so that only operands and results go through main memory.
// A Body (vm/regions/body.h) is the computation of a region, on scalars and without jumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <vector>

#include "vm/opcodes.h"

namespace hlokit::vm {

// A list of registers. A few need no memory of their own, so that programs decode fast.
class Registers {
public:
  Registers() = default;
  Registers(std::initializer_list<uint32_t> indices) : Registers(indices.begin(), indices.end()) {}
  template <class Iterator> Registers(Iterator first, Iterator last) {
    for (; first != last; ++first)
      push_back(*first);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const uint32_t *begin() const { return size_ <= few ? few_ : many_.data(); }
  const uint32_t *end() const { return begin() + size_; }
  uint32_t operator[](size_t i) const { return begin()[i]; }
  void clear() { size_ = 0; }
  void push_back(uint32_t index) {
    if (size_ < few) {
      few_[size_++] = index;
      return;
    }
    if (size_ == few)
      many_.assign(few_, few_ + few);
    many_.push_back(index);
    ++size_;
  }

private:
  static constexpr uint32_t few = 4;
  uint32_t few_[few] = {}, size_ = 0;
  std::vector<uint32_t> many_; // all, if they are more than a few
};
using Numbers = std::vector<int64_t>;

// A pointwise operation has one result and the operands of its opcode; the fields of others are those of instructions.inc.
struct Instruction {
  int opcode;
  Registers results, operands;
  Numbers numbers;
};

// A malformed program, or arrays that do not fit a program.
struct ProgramError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

inline bool is_jump(const Instruction &instruction) {
  return instruction.opcode <= jump && instruction.opcode >= jump_if_not;
}
// The target of a jump that has been verified.
inline size_t target_of(const Instruction &instruction) { return static_cast<size_t>(instruction.numbers[0]); }

} // namespace hlokit::vm
