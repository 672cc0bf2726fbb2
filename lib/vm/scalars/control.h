// Instructions of a Loop that change where it continues: jumps, calls and its end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/instruction.h"
#include "vm/pointwise/kernels.h"

namespace hlokit::vm {

// The words before the registers of a run: the budget, the instruction to continue with (0 at first), and the reason why the
// run stopped.
namespace reserved_words {
constexpr size_t budget = 0, place = 1, reason = 2, count = 3;
}
// The reason why a run stopped: the program ended, the budget is spent, or the caller must make the call with this number.
namespace reasons {
constexpr int64_t ended = -1, spent = -2;
}

// A word before the registers.
static inline int64_t &reserved_word(unsigned char *registers, size_t index) {
  return reinterpret_cast<int64_t *>(registers)[index];
}
// The slot of a register, in bytes.
static inline uint32_t slot_of(uint32_t index) { return static_cast<uint32_t>(8 * (reserved_words::count + index)); }

// Where a jump leads. Backward jumps stop the run when the budget is spent, and store where to continue: `to` is the index
// of the target, `c` the cost of the jump.
static inline const DecodedInstruction *jump_from(const DecodedInstruction *at, unsigned char *registers) {
  if (at->jump <= 0 && (reserved_word(registers, reserved_words::budget) -= at->c) <= 0) {
    reserved_word(registers, reserved_words::place) = at->to;
    reserved_word(registers, reserved_words::reason) = reasons::spent;
    return nullptr;
  }
  return at + at->jump;
}

// `at` and `target` are indices into the decoded program; `work`: the time of the code between them, in instructions, which
// a backward jump takes from the budget.
DecodedInstruction decode_jump(const Instruction &instruction, size_t at, size_t target, size_t work);
// Stops for the caller to make the call of this number, and to continue at index `next`.
DecodedInstruction decode_stop(uint32_t number, size_t next);
DecodedInstruction decode_end();

} // namespace hlokit::vm
