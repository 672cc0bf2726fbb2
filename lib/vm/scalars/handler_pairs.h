// Pairs of operations on scalars, which one handler computes.
#pragma once

#include <cstddef>
#include <vector>

#include "vm/instruction.h"
#include "vm/pointwise/kernels.h"

namespace hlokit::vm {

// Pairs neighbours of the code on scalars: the handler of an instruction also computes the one behind it, which reads its
// result, and goes on behind both. So the result goes from one to the other in a register of the processor, though it is
// stored nonetheless, and a jump may lead to either. The end of a loop that counts is three instructions.
class HandlerPairs {
public:
  // `instruction` is the last one of the code: its result is a scalar, or it is a conditional jump.
  void add(std::vector<DecodedInstruction> &code, const Instruction &instruction);

private:
  const Instruction *last_ = nullptr, *before_ = nullptr; // `before_`: the first one of the pair that ends with `last_`
  size_t place_ = 0;                                      // of the code of `last_`
};

} // namespace hlokit::vm
