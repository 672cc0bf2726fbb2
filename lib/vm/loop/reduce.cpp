// Reductions of a loop's arrays by the kernels of kernels/regions, and of short rows in registers.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/elements/arithmetic.h"
#include "kernels/elements/order_of_sums.h"
#include "kernels/regions/combine.h"
#include "support/compiler.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct ArrayReduction : Detail {
  RegisterRef to, from, init;
  const regions::Combination *combination;
  uint32_t scratch;
};

// Slabs of the operand, reduced where they are.
struct SlabReduction : ArrayReduction {
  regions::Slab slab;
  StridedCopy slabs; // where the slabs are in the operand (`from`) and in the partial results (`to`)
  size_t count;      // of results

  void run(unsigned char *registers) const {
    unsigned char *const partials = address_in(registers, scratch);
    slabs.each_line(partials, from.find(registers), [&](unsigned char *result, const unsigned char *values, size_t left,
                                                        ptrdiff_t result_stride, ptrdiff_t stride) {
      for (; left > 0; --left, result += result_stride, values += stride)
        combination->reduce(result, values, slab);
    });
    combination->finish(to.find(registers), partials, init.find(registers), count);
  }
};

// An operand of any strides, first copied into this shape.
struct CopiedReduction : ArrayReduction {
  regions::Shape shape;
  StridedCopy copy;

  void run(unsigned char *registers) const {
    unsigned char *const values = address_in(registers, scratch);
    copy.copy(values, from.find(registers));
    regions::reduce(*combination, shape, values, init.find(registers), to.find(registers), 1);
  }
};

// Rows of a few floats, each combined in registers of the processor, in the order of kernels/elements/order_of_sums.h.
constexpr size_t few_values = 256; // of all rows together; rows of up to `fixed_length` values may be many
constexpr size_t fixed_length = 8, side_by_side = 16;

struct ShortRows : Detail {
  RegisterRef to, from, init;
  StridedCopy kept; // where the rows begin (`from`), and where their results go (`to`)
  std::vector<ptrdiff_t> offsets; // of the values of a row, in bytes: no more than there are lanes
  Handler handler;
};

template <class T> T load(const unsigned char *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// The values `i`, `i + step` and so on of one row of `length`, combined. `at(i)`: value i.
template <class Op, size_t length, size_t step, class Get> HLOKIT_INLINE auto combined(const Get &at, size_t i) {
  if constexpr (step >= length) {
    return at(i);
  } else {
    const auto value = combined<Op, length, 2 * step>(at, i);
    return i + step < length ? Op::of(value, combined<Op, length, 2 * step>(at, i + step)) : value;
  }
}

// Rows of a length of up to `fixed_length`, whose values are at `offsets` in bytes.
template <class T, class Wide, class Op, size_t length>
HLOKIT_INLINE void reduce_rows(unsigned char *to, const unsigned char *from, size_t rows, ptrdiff_t to_stride,
                               ptrdiff_t from_stride, const ptrdiff_t *offsets, Wide first) {
  for (size_t row = 0; row < rows; ++row, to += to_stride, from += from_stride) {
    const auto result = static_cast<T>(
        Op::of(first, combined<Op, length, 1>([&](size_t i) { return static_cast<Wide>(load<T>(from + offsets[i])); }, 0)));
    std::memcpy(to, &result, sizeof result);
  }
}

// One row of any length.
template <class T, class Wide, class Op>
void reduce_row(unsigned char *to, const unsigned char *from, const std::vector<ptrdiff_t> &offsets, Wide first) {
  Wide lanes[sum_lanes];
  const size_t count = offsets.size();
  for (size_t i = 0; i < count; ++i)
    lanes[i] = static_cast<Wide>(load<T>(from + offsets[i]));
  size_t half = 1; // power of two below the count
  while (2 * half < count)
    half *= 2;
  for (size_t left = count; left > 1; left = half, half /= 2)
    for (size_t i = 0; i < left - half; ++i)
      lanes[i] = Op::of(lanes[i], lanes[i + half]);
  const auto result = static_cast<T>(Op::of(first, lanes[0]));
  std::memcpy(to, &result, sizeof result);
}

template <class T, class Wide, class Op, size_t length>
const DecodedInstruction *run_short_rows(const DecodedInstruction *at, unsigned char *registers) {
  const auto &rows = static_cast<const ShortRows &>(*at->detail);
  const auto first = static_cast<Wide>(load<T>(rows.init.find(registers)));
  rows.kept.each_line(
      rows.to.find(registers), rows.from.find(registers),
      [&](unsigned char *to, const unsigned char *from, size_t count, ptrdiff_t to_stride, ptrdiff_t from_stride) {
        if constexpr (length != 0)
          reduce_rows<T, Wide, Op, length>(to, from, count, to_stride, from_stride, rows.offsets.data(), first);
        else
          for (; count > 0; --count, to += to_stride, from += from_stride)
            reduce_row<T, Wide, Op>(to, from, rows.offsets, first);
      });
  return next(at, registers);
}

template <class T, class Wide, class Op, size_t length = fixed_length> Handler short_rows_of(size_t wanted) {
  if constexpr (length == 0)
    return run_short_rows<T, Wide, Op, 0>;
  else
    return wanted == length ? run_short_rows<T, Wide, Op, length> : short_rows_of<T, Wide, Op, length - 1>(wanted);
}

template <class T> Handler short_rows_of(const std::string &operation, size_t length) {
  if (operation == "add")
    return short_rows_of<T, double, Add<double>>(length);
  if (operation == "maximum")
    return short_rows_of<T, T, Maximum<T>>(length);
  if (operation == "minimum")
    return short_rows_of<T, T, Minimum<T>>(length);
  return nullptr;
}

// Null for other operations, long rows, many rows that are not very short, and many rows that the kernels combine in vectors:
// those whose values, or which themselves, are side by side.
std::unique_ptr<ShortRows> short_rows(const regions::Combination &combination, const StridedCopy &kept, std::vector<ptrdiff_t> offsets,
                                      size_t count) {
  const size_t length = offsets.size();
  if (length == 0 || count == 0 || (length > fixed_length && length * count > few_values))
    return nullptr;
  const size_t last = kept.rank - 1;
  const ptrdiff_t item = static_cast<ptrdiff_t>(kept.item), row = item * static_cast<ptrdiff_t>(length);
  const bool is_dense = length > 1 && length <= 4 && offsets[1] == item && offsets[length - 1] == row - item;
  if (kept.rank && kept.sizes[last] >= side_by_side && (kept.from[last] == item || (is_dense && kept.from[last] == row)))
    return nullptr;
  Handler handler = nullptr;
  if (combination.type == ElementType::f32)
    handler = short_rows_of<float>(combination.name, length);
  if (combination.type == ElementType::f64)
    handler = short_rows_of<double>(combination.name, length);
  if (!handler)
    return nullptr;
  auto result = std::make_unique<ShortRows>();
  result->kept = kept;
  result->offsets = std::move(offsets);
  result->handler = handler;
  return result;
}

// The distances of all elements of some dimensions from the first one, in bytes, in row-major order; none if there are more
// elements than lanes.
std::vector<ptrdiff_t> offsets_of(const Sizes &sizes, const Strides &strides, size_t rank, size_t item) {
  if (product(sizes, rank) > sum_lanes)
    return {};
  std::vector<ptrdiff_t> result{0};
  for (size_t i = 0; i < rank; ++i) {
    std::vector<ptrdiff_t> longer;
    for (ptrdiff_t outer : result)
      for (size_t j = 0; j < sizes[i]; ++j)
        longer.push_back(outer + static_cast<ptrdiff_t>(j) * static_cast<ptrdiff_t>(strides[i]) * static_cast<ptrdiff_t>(item));
    result = std::move(longer);
  }
  return result;
}

// The dimensions that an instruction keeps or reduces.
struct Dimensions {
  size_t rank = 0, count = 1; // count: of elements
  Sizes sizes{};
  Strides strides{};

  Dimensions() = default;
  explicit Dimensions(const fields::Axes<fields::ReducedAxis> &axes)
      : rank(axes.size()), sizes(sizes_of(axes)), strides(strides_of(axes, &fields::ReducedAxis::stride)) {
    count = product(sizes, rank);
  }
};

// Null if the kernels do not reduce these elements in place. `kept` leads from the values that are kept to their places in
// the result, and `reduced` from one reduced value to the next.
std::unique_ptr<SlabReduction> slab_reduction(const regions::Combination &combination, const StridedCopy &kept,
                                              const StridedCopy &reduced) {
  if (reduced.rank > 1)
    return nullptr;
  const auto item = static_cast<ptrdiff_t>(kept.item);
  const bool is_row = reduced.rank && reduced.from[0] == item;
  auto result = std::make_unique<SlabReduction>();
  result->slabs = kept;
  StridedCopy &slabs = result->slabs;
  regions::Slab &slab = result->slab;
  slab = {1, 0, 1, 0, 1};
  bool is_forward = true; // the strides of the kernels are not negative
  const auto take_dimension = [&](const StridedCopy &from, size_t dimension, size_t &size, size_t &stride) {
    size = from.sizes[dimension];
    stride = static_cast<size_t>(from.from[dimension] / item);
    is_forward = is_forward && from.from[dimension] >= 0;
  };
  if (reduced.rank)
    take_dimension(reduced, 0, slab.rows, slab.row_stride);
  if (slabs.rank && !is_row && slabs.from[slabs.rank - 1] == item)
    slab.width = slabs.sizes[--slabs.rank];
  if (slabs.rank)
    take_dimension(slabs, --slabs.rank, slab.outer, slab.outer_stride);
  if (!is_forward || (combination.is_sum && slab.rows > sum_block))
    return nullptr;
  for (size_t i = 0; i < slabs.rank; ++i)
    slabs.to[i] = slabs.to[i] / item * static_cast<ptrdiff_t>(combination.partial_size);
  return result;
}

std::unique_ptr<CopiedReduction> copied_reduction(const Dimensions &kept, const Dimensions &reduced, size_t item) {
  auto result = std::make_unique<CopiedReduction>();
  const auto least_stride = [](const Dimensions &dimensions) {
    int64_t least = most_elements;
    for (size_t i = 0; i < dimensions.rank; ++i)
      if (dimensions.sizes[i] > 1)
        least = std::min(least, std::abs(dimensions.strides[i]));
    return least;
  };
  // The copy has the order of the operand.
  const bool has_rows = least_stride(reduced) < least_stride(kept);
  if (has_rows)
    result->shape = {kept.count, reduced.count, 1};
  else
    result->shape = {1, reduced.count, kept.count};
  Dimensions all;
  for (const Dimensions *some : {has_rows ? &kept : &reduced, has_rows ? &reduced : &kept})
    for (size_t i = 0; i < some->rank; ++i, ++all.rank) {
      all.sizes[all.rank] = some->sizes[i];
      all.strides[all.rank] = some->strides[i];
    }
  result->copy = StridedCopy(all.rank, all.sizes, dense_strides(all.sizes, all.rank), all.strides, item);
  return result;
}

} // namespace

DecodedArrayOp decode_reduce(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::Reduction>(frame, instruction);
  const regions::Combination &combination = check_combination(frame.types, fields.operation, fields.to);
  const Dimensions kept(fields.kept), reduced(fields.reduced);
  Extent extent(fields.offset);
  extent.add(fields.kept, &fields::ReducedAxis::stride);
  extent.add(fields.reduced, &fields::ReducedAxis::stride);
  if (kept.rank + reduced.rank > most_dimensions)
    throw ProgramError("a reduction must have at most " + std::to_string(most_dimensions) + " dimensions, got " +
                       std::to_string(kept.rank + reduced.rank));
  check_count(frame, fields.to, kept.count);
  constexpr size_t most = size_t(1) << 18;
  if (kept.count > most || reduced.count > most || kept.count * reduced.count > most || reduced.count == 0)
    throw ProgramError("a reduction must take at most " + std::to_string(most) + " elements, and at least 1 for each result, got " +
                       std::to_string(kept.count) + " times " + std::to_string(reduced.count));
  if (kept.count == 0)
    return {return_to_loop, nullptr, 0, 0};
  extent.check(frame.count(fields.operand));

  const size_t item = size_of(frame.types[fields.to]);
  const auto made = [&](Handler handler, auto reduction, size_t scratch) {
    reduction->to = RegisterRef(frame, fields.to);
    reduction->from = RegisterRef(frame, fields.operand, fields.offset);
    reduction->init = RegisterRef(frame, fields.init);
    return DecodedArrayOp{handler, std::move(reduction), kept.count * (reduced.count + 1), scratch};
  };
  const auto by_kernel = [&](Handler handler, auto reduction, size_t scratch) {
    reduction->combination = &combination;
    reduction->scratch = frame.scratch();
    return made(handler, std::move(reduction), scratch);
  };
  const StridedCopy places(kept.rank, kept.sizes, dense_strides(kept.sizes, kept.rank), kept.strides, item);
  if (auto rows = short_rows(combination, places, offsets_of(reduced.sizes, reduced.strides, reduced.rank, item), kept.count)) {
    const Handler run = rows->handler;
    return made(run, std::move(rows), 0);
  }
  const StridedCopy values(reduced.rank, reduced.sizes, reduced.strides, reduced.strides, item);
  if (auto slabs = slab_reduction(combination, places, values)) {
    slabs->count = kept.count;
    return by_kernel(run_detail<SlabReduction>, std::move(slabs), kept.count * combination.partial_size);
  }
  return by_kernel(run_detail<CopiedReduction>, copied_reduction(kept, reduced, item), kept.count * reduced.count * item);
}

} // namespace hlokit::vm
