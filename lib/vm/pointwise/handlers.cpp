// The handlers of the opcodes of real numbers, which compute scalars, and the sweeps of the opcodes that vector
// instructions do not make faster.
#include "vm/pointwise/implementations.h"

namespace hlokit::vm {
namespace {

constexpr Kernel scalars_of_opcodes[] = {
#define HLOKIT_UNWRAP(...) __VA_ARGS__
#define HLOKIT_OPCODE(name, result, operands, cost, implementation) HLOKIT_UNWRAP implementation::scalar(),
#include "vm/opcodes.inc"
};

} // namespace

const Kernel *scalar_kernels() { return scalars_of_opcodes; }

} // namespace hlokit::vm
