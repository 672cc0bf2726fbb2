#include "vm/fused/graph.h"

#include <utility>

namespace hlokit::vm::fused {

Graph::Graph(const Types &types)
    : types(types), levels(types.size(), Level::one), phases(types.size(), 0), writers(types.size(), none) {
  for (ElementType type : types)
    sizes.push_back(static_cast<uint8_t>(size_of(type)));
}

void Graph::add(Node node, Level level, size_t phase) {
  levels[node.to] = level;
  phases[node.to] = phase;
  writers[node.to] = static_cast<uint32_t>(nodes.size());
  nodes.push_back(std::move(node));
}

} // namespace hlokit::vm::fused
