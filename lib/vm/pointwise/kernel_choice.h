// The kernels that suit a processor. Apart from kernels.h, since files that are compiled once for each level of processor
// include no vectors and strings: see support/variants.h.
#pragma once

#include <cstddef>
#include <vector>

#include "support/cpu.h"
#include "vm/pointwise/kernels.h"

namespace hlokit::vm {

// The kernels for a level of processor, by opcode.
struct Kernels {
  std::vector<Kernel> of_opcodes;
  const Pair *pairs;
  size_t pair_count;
};
Kernels kernels_for(CpuLevel level);

// The kernels for this processor.
const Kernels &kernels();

// The kernel for this processor of an opcode that check_operation accepts.
const Kernel &kernel_of(int opcode);

} // namespace hlokit::vm
