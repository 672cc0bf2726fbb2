// Combines operations of a fused program.
#include <algorithm>
#include <cstring>

#include "vm/fused/graph.h"

namespace hlokit::vm::fused {
namespace {

class Combiner {
public:
  Combiner(Graph &graph, size_t columns) : graph_(graph), columns_(columns), uses_(graph.types.size(), 0) {
    for (const Node &node : graph_.nodes)
      for (uint32_t operand : node.operands)
        ++uses_[operand];
    for (uint32_t output : graph_.outputs)
      ++uses_[output];
  }

  // The node that computes an operand, if it has the same level and phase, and nothing else reads its result.
  Node *inner_of(const Node &node, size_t place) {
    uint32_t operand = node.operands[place];
    if (graph_.writers[operand] == Graph::none || uses_[operand] != 1 || graph_.levels[operand] != graph_.levels[node.to] ||
        graph_.phases[operand] != graph_.phases[node.to])
      return nullptr;
    Node &inner = graph_.nodes[graph_.writers[operand]];
    return inner.kind == Action::Kind::sweep && !inner.is_gone ? &inner : nullptr;
  }

  static bool is_named(const Node *node, const char *name) {
    return node && std::strcmp(node->operation->name, name) == 0;
  }

  void pair_up() {
    for (Node &node : graph_.nodes) {
      if (node.kind != Action::Kind::sweep || node.is_gone || graph_.levels[node.to] != Level::full)
        continue;
      for (size_t place = 0; place < node.operands.size() && node.kind == Action::Kind::sweep; ++place)
        if (Node *inner = inner_of(node, place))
          make_pair(node, *inner, place);
      if (node.kind == Action::Kind::sweep && is_named(&node, "canonical_nan"))
        work_in_place(node);
    }
  }

  // Lets the preceding operation write to the register of the result, if NaNs are rare.
  void work_in_place(Node &node) {
    const uint32_t operand = node.operands[0];
    if (graph_.writers[operand] == Graph::none || uses_[operand] != 1 || graph_.levels[operand] != Level::full ||
        graph_.phases[operand] != graph_.phases[node.to])
      return;
    Node &before = graph_.nodes[graph_.writers[operand]];
    if (before.kind == Action::Kind::sweep || before.kind == Action::Kind::pair) {
      before.to = node.to;
      node.operands = {node.to};
    }
  }

  // Lets reductions of long rows read narrower floats that nothing else converts: the kernels of f32 widen them exactly.
  void widen_in_reductions() {
    for (Node &node : graph_.nodes) {
      const uint32_t operand = node.operands[0];
      if (node.kind != Action::Kind::reduce || graph_.writers[operand] == Graph::none || uses_[operand] != 1 ||
          columns_ < short_columns)
        continue;
      const Node &inner = graph_.nodes[graph_.writers[operand]];
      if (inner.kind != Action::Kind::sweep || inner.is_gone || !is_named(&inner, "convert") ||
          graph_.levels[inner.operands[0]] != Level::full || graph_.types[operand] != ElementType::f32)
        continue;
      const ElementType narrow = graph_.types[inner.operands[0]];
      if (narrow != ElementType::bf16 && narrow != ElementType::f16)
        continue;
      node.of_operand = regions::find_combination(node.combination->name, narrow);
      node.operands[0] = inner.operands[0];
    }
  }

  static void make_pair(Node &node, Node &inner, size_t place) {
    const Kernels &all = kernels();
    for (size_t i = 0; i < all.pair_count; ++i) {
      const Pair &pair = all.pairs[i];
      if (pair.place != place || pair.result != node.operation->result ||
          pair.operand != inner.operation->operands[inner.operation->arity - 1] ||
          std::strcmp(pair.inner, inner.operation->name) != 0 ||
          std::strcmp(pair.outer, node.operation->name) != 0)
        continue;
      std::vector<uint32_t> operands = inner.operands;
      for (size_t j = 0; j < node.operands.size(); ++j)
        if (j != place)
          operands.push_back(node.operands[j]);
      node.kind = Action::Kind::pair;
      node.pair = &pair;
      node.operands = std::move(operands);
      inner.is_gone = true;
      return;
    }
  }

  void drop_unused() {
    std::fill(uses_.begin(), uses_.end(), 0);
    for (uint32_t output : graph_.outputs)
      ++uses_[output];
    for (size_t i = graph_.nodes.size(); i-- > 0;) {
      graph_.nodes[i].is_gone = graph_.nodes[i].is_gone || uses_[graph_.nodes[i].to] == 0;
      if (!graph_.nodes[i].is_gone)
        for (uint32_t operand : graph_.nodes[i].operands)
          ++uses_[operand];
    }
  }

private:
  Graph &graph_;
  const size_t columns_;
  std::vector<uint32_t> uses_; // of registers
};

} // namespace

void combine(Graph &graph, size_t columns) {
  Combiner combiner(graph, columns);
  combiner.pair_up();
  combiner.widen_in_reductions();
  combiner.drop_unused();
}

} // namespace hlokit::vm::fused
