// Instructions of a Loop that change where it continues: jumps, calls and its end.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/instruction.h"
#include "vm/pointwise/kernels.h"

namespace hlokit::vm {

// `at` and `target` are indices into the decoded program; `work`: the time of the code between them, in instructions, which
// a backward jump takes from the budget.
DecodedInstruction decode_jump(const Instruction &instruction, size_t at, size_t target, size_t work);
// Stops for the caller to make the call of this number, and to continue at index `next`.
DecodedInstruction decode_stop(uint32_t number, size_t next);
DecodedInstruction decode_end();

// A word before the registers.
static inline int64_t &reserved_word(unsigned char *registers, size_t index) {
  return reinterpret_cast<int64_t *>(registers)[index];
}

} // namespace hlokit::vm
