// Sums, products, extrema and logic: separate loops for the most frequent reductions and updates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/elements/order_of_sums.h"
#include "kernels/elements/type.h"
#include "support/variants.h"

namespace hlokit::regions {

// The elements that a kernel reduces: [outer, rows, width], with strides, in elements, for `outer` and `rows`.
struct Slab {
  size_t outer, outer_stride, rows, row_stride, width;
};

// Neighbours that `Update::fold` folds at once, in bytes.
constexpr size_t fold_bytes = 32;

// Lines of elements: `count` lines, `between` elements apart. Each has `size` elements, at least one, `step` elements apart.
struct Lines {
  size_t count, between, size;
  ptrdiff_t step;
};

// An operation that combines two elements of a type, in either order, and its updates.
struct Update {
  const char *name; // of the operation; "replace" takes the second element
  ElementType type;
  size_t size; // of an element, in bytes

  // For each of `count` positions in order: result[place * width + j] is combined with updates[i * width + j]. Negative
  // places are left out.
  void (*scatter)(void *result, const int64_t *places, const void *updates, size_t count, size_t width);

  // result[i] = init combined with from[offset + i] for each of `count` offsets in turn, rounded each time; `size` results.
  void (*fold)(void *result, const void *from, const void *init, const size_t *offsets, size_t count, size_t size);

  // Each element of a line of `result` = init combined with the elements of `from` up to its place: sums and products of
  // floats in f64 and rounded once, those of f64 with their rounding errors. Both begin at the first element of the first line, and may
  // be the same.
  void (*run)(void *result, const void *from, const void *init, const Lines &lines);

  // The last step of a reduction: result[i] = the initial value combined with partials[i], rounded once.
  void (*finish)(void *result, const void *partials, const void *init, size_t count);
};

// A reduction computes partial results, [outer, width] for each slab: sums and products of floats in f64, all others in a
// type that holds them. "replace" has no reduction.
struct Reducing {
  size_t partial_size;
  bool is_sum; // a sum or product of floats, whose order matters
  void (*reduce)(void *partials, const void *from, const Slab &slab);
  void (*reduce_partials)(void *partials, const void *from, const Slab &slab); // of slabs of partial results
  // partials[j] = partials[j] combined with from[i * width + j], for each of `rows` rows in turn.
  void (*accumulate)(void *partials, const void *from, size_t rows, size_t width);
};

struct Combination : Update, Reducing {};

struct UpdateTable {
  const Update *begin;
  size_t count;
};
// Compiled up to AVX2, as are the reductions of the same operations and types, in the same order.
HLOKIT_DECLARE_VARIANTS(UpdateTable updates())
HLOKIT_DECLARE_VARIANTS(const Reducing *reductions())

} // namespace hlokit::regions
