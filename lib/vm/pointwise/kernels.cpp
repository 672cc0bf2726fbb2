// The kernels of the opcodes of real numbers on blocks of elements, and of pairs of operations.
//
// The kernels compute what the specification states, the same bits as the Python kernels: integers wrap, x / 0 has all
// bits set, x % 0 is x, shifts by the width or more give 0 or the sign, floats are IEEE-754's and rounded once an
// operation. Only signs and payloads of NaNs are unspecified.
//
// Compiled once for each level of processor: see the rules in support/variants.h. handlers.cpp has what vector
// instructions do not make faster.
#include "vm/pointwise/kernels.h"

#include "vm/pointwise/implementations.h"
#if !HLOKIT_IS_FALLBACK
#include "vm/pointwise/pairs.h"
#endif

namespace hlokit::vm {
namespace {

constexpr Kernel kernels_of_opcodes[] = {
#define HLOKIT_UNWRAP(...) __VA_ARGS__
#define HLOKIT_OPCODE(name, result, operands, cost, implementation) HLOKIT_UNWRAP implementation::kernel(),
#include "vm/opcodes.inc"
};

} // namespace

namespace HLOKIT_VARIANT {

KernelTable kernel_table() {
  KernelTable result{};
  result.kernels = kernels_of_opcodes;
  result.count = sizeof kernels_of_opcodes / sizeof *kernels_of_opcodes;
#if !HLOKIT_IS_FALLBACK
  result.pairs = pairs;
  result.pair_count = sizeof pairs / sizeof *pairs;
#endif
  return result;
}

} // namespace HLOKIT_VARIANT

} // namespace hlokit::vm
