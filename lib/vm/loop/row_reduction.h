// Reductions of integers and booleans by the kernels of kernels/regions, which combine in any order. Part of reduce.cpp.
#pragma once

#include "kernels/regions/combinations.h"
#include "kernels/regions/combine.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct RowReduction : Detail {
  RegisterRef to, from, init;
  const regions::Combination *combination;
  regions::Slab slab;
  StridedCopy slabs; // where the slabs are in the operand (`from`) and in the result (`to`)
  size_t count;      // of results

  void run(unsigned char *registers) const {
    unsigned char *const result = to.find(registers);
    slabs.each_row(result, from.find(registers), [&](unsigned char *partials, const unsigned char *values, size_t) {
      combination->reduce(partials, values, slab);
    });
    combination->finish(result, result, init.find(registers), count);
  }
};

const DecodedInstruction *run_rows(const DecodedInstruction *at, unsigned char *registers) {
  static_cast<const RowReduction &>(*at->detail).run(registers);
  return next(at, registers);
}

// Null if the kernels do not combine these elements, or not with these strides. The partial results are of the same type. `kept` leads from the values that are kept to
// their places in the result, and `reduced` from one reduced value to the next.
std::unique_ptr<RowReduction> row_reduction(const Opcode &operation, const StridedCopy &kept, const StridedCopy &reduced,
                                            size_t count) {
  if (!is_integer(operation.result) || reduced.rank > 1 || count == 0)
    return nullptr;
  const regions::Combination *found = regions::find_combination(operation.name, operation.result);
  if (!found)
    return nullptr;
  const auto item = static_cast<ptrdiff_t>(kept.item);
  const bool is_row = reduced.rank && reduced.from[0] == item;
  auto result = std::make_unique<RowReduction>();
  result->combination = found;
  result->count = count;
  result->slabs = kept;
  StridedCopy &slabs = result->slabs;
  regions::Slab &slab = result->slab;
  slab = {1, 0, 1, 0, 1};
  // The strides of the kernels are not negative.
  const auto take_dimension = [&](size_t &size, size_t &stride) {
    const size_t last = --slabs.rank;
    size = slabs.sizes[last];
    stride = static_cast<size_t>(slabs.from[last] / item);
    return slabs.from[last] >= 0;
  };
  bool is_forward = !reduced.rank || reduced.from[0] >= 0;
  if (reduced.rank) {
    slab.rows = reduced.sizes[0];
    slab.row_stride = static_cast<size_t>(reduced.from[0] / item);
  }
  size_t one;
  if (slabs.rank && !is_row && slabs.from[slabs.rank - 1] == item)
    take_dimension(slab.width, one);
  if (slabs.rank)
    is_forward = take_dimension(slab.outer, slab.outer_stride) && is_forward;
  return is_forward ? std::move(result) : nullptr;
}

} // namespace
} // namespace hlokit::vm
