// The instructions of an HloComputationProto, as far as their ids decide about what they compute.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bytecode/protobuf.h"

namespace hlokit {

// An instruction. What an instruction computes is in the fields before and after those that refer to others.
struct HloInstruction {
  std::string_view name; // empty if it is among the fields
  std::string_view before, after;
  uint64_t id = 0;
  std::vector<uint64_t> operands, called;
};

struct HloComputation {
  uint64_t id = 0, root = 0;
  std::vector<HloInstruction> instructions;
};

// The computation in a message, whose bytes the result refers to. Throws `MalformedMessage`.
HloComputation read_hlo_computation(std::string_view message);

} // namespace hlokit
