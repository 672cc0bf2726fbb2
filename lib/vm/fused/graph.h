// The operations of a fused program: checked, but not yet in an order in which they run.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/regions/index_vectors.h"
#include "vm/fused/schedule.h"
#include "vm/verifier.h"

namespace hlokit::vm::fused {

// A checked instruction.
struct Node {
  Action::Kind kind;
  const Opcode *operation = nullptr;
  const Kernel *kernel = nullptr;
  const Pair *pair = nullptr;
  const regions::Combination *combination = nullptr, *of_operand = nullptr;
  std::vector<regions::IndexVectors::Component> components; // of a gather
  uint32_t to = 0;
  std::vector<uint32_t> operands;
  bool is_gone = false; // combined with another node, or unused
};

struct Graph {
  static constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

  explicit Graph(const Types &types);
  void add(Node node, Level level, size_t phase);

  const Types &types;
  // Of each register: its level, the phase that computes it, the size of an element, and the node that writes it.
  std::vector<Level> levels;
  std::vector<size_t> phases;
  std::vector<uint8_t> sizes;
  std::vector<uint32_t> writers;
  std::vector<Node> nodes;
  std::vector<uint32_t> outputs; // registers
};

// Combines pairs of nodes that run faster as one, and drops what no output needs. `columns`: the elements of a row.
void combine(Graph &graph, size_t columns);

} // namespace hlokit::vm::fused
