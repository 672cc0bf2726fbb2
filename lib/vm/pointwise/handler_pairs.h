// Pairs of operations on scalars, which one handler computes.
#pragma once

#include <cstddef>
#include <vector>

#include "vm/instruction.h"
#include "vm/pointwise/kernels.h"

namespace hlokit::vm {

// Pairs neighbours of the code on scalars: the handler of an instruction also computes the one behind it, which reads its
// result, and goes on behind both. So the result goes from one to the other in a register of the processor, though it is
// stored nonetheless, and a jump may lead to either.
class HandlerPairs {
public:
  // `instruction`, whose result is a scalar, is the last one of the code.
  void add(std::vector<DecodedInstruction> &code, const Instruction &instruction);

private:
  const Instruction *last_ = nullptr; // that was added, unless it belongs to a pair
  size_t place_ = 0;                  // of its code
};

} // namespace hlokit::vm
