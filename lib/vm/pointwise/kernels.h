// The kernels of pointwise operations: the implementation of each opcode.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/elements/type.h"
#include "support/variants.h"

namespace hlokit::vm {

struct DecodedInstruction;

// Computes an instruction, and returns the next one, or null where the machine stops. Handlers of operations on scalars
// call the handler of the next instruction themselves (direct threaded code): compilers make a jump of this tail call,
// which takes half the time of a return to a loop that calls the next handler. Where a compiler makes a call of it, the
// stack stays shallow nonetheless, since `return_to_loop` ends every row of `longest_row` instructions, as jumps do.
using Handler = const DecodedInstruction *(*)(const DecodedInstruction *at, unsigned char *registers);

// Computes `count` elements. `to` overlaps no operand; operands that the operation lacks are not read.
using Sweep = void (*)(void *to, const void *a, const void *b, const void *c, size_t count);

// The data of an instruction on arrays besides its registers.
struct Detail;

// An instruction as loops run it. Registers are offsets in bytes; `jump` is the distance to the target of a jump, in
// instructions, and `count` the number of elements of a sweep.
struct DecodedInstruction {
  Handler handler;
  uint32_t to, a, b, c;
  union {
    int32_t jump;
    uint32_t count;
  };
  union {
    const Detail *detail = nullptr;
    Sweep sweep;
  };
};

static inline DecodedInstruction instruction_of(Handler handler, uint32_t to = 0, uint32_t a = 0, uint32_t b = 0,
                                                 uint32_t c = 0) {
  DecodedInstruction result{};
  result.handler = handler;
  result.to = to;
  result.a = a;
  result.b = b;
  result.c = c;
  return result;
}

constexpr size_t longest_row = 64;
static inline const DecodedInstruction *return_to_loop(const DecodedInstruction *at, unsigned char *) { return at + 1; }
static inline const DecodedInstruction *halt(const DecodedInstruction *, unsigned char *) { return nullptr; }
static inline const DecodedInstruction *next(const DecodedInstruction *at, unsigned char *registers) {
  return at[1].handler(at + 1, registers);
}
// Runs code that ends with `halt`.
static inline void run(const DecodedInstruction *at, unsigned char *registers) {
  while (at)
    at = at->handler(at, registers);
}

// A sweep in which some operands are one element for all: those of the bits of `ones`.
struct BroadcastSweep {
  uint8_t ones = 0;
  Sweep sweep = nullptr;
};

// How to compute an opcode. Operations that only fused programs have no handler for scalars.
struct Kernel {
  Handler handler = nullptr;
  Sweep sweep = nullptr;
  BroadcastSweep broadcasts[2] = {};
};

// Two operations of a fused program in one sweep: the result of the inner operation is operand `place` of the outer one.
using PairSweep = void (*)(void *to, const void *const *operands, size_t count);
struct Pair {
  const char *inner, *outer;
  ElementType result, operand; // of the outer operation, and the last operand of the inner one
  uint8_t place;
  // By the bits of operands that are one element for all, where the operands of the inner operation come first, then the
  // others of the outer one. The sweep for 0 is never null.
  PairSweep sweeps[16];
};

// The handlers of the opcodes of real numbers, in order, and the sweeps of those that vector instructions do not make faster.
const Kernel *scalar_kernels();

// The kernels of a variant: the sweeps of the opcodes of real numbers, in order, and pairs. A variant lacks sweeps that it
// would not make faster than lower levels. All variants compute the same bits.
struct KernelTable {
  const Kernel *kernels;
  size_t count;
  const Pair *pairs;
  size_t pair_count;
};
HLOKIT_DECLARE_VARIANTS(KernelTable kernel_table())

// The kernels of the opcodes of complex numbers.
struct ComplexKernelTable {
  const Kernel *kernels;
  size_t count;
};
HLOKIT_DECLARE_VARIANTS(ComplexKernelTable complex_kernel_table())

} // namespace hlokit::vm
