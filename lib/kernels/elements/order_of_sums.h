// The order in which floats are added (and multiplied).
#pragma once

#include <cstddef>

namespace hlokit {

// THE ORDER OF A SUM of floats is a function of the number of its values alone: not of layouts, other dimensions,
// threads or the processor. Blocks of `sum_block` values are sums of lanes: lane l adds the values l, l + sum_lanes and
// so on, one by one. Lanes are added in halves: l and l + sum_lanes / 2, then l and l + sum_lanes / 4, and so on.
// Blocks are added in pairs of neighbours, pairs in pairs, and so on; a last sum without a neighbour is carried to the
// next step. All additions are in f64; then the initial value is added on the left, and the total is rounded once.
constexpr size_t sum_block = 1024, sum_lanes = 64;

} // namespace hlokit
