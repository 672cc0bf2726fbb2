// Sums, products, extrema and logic: what regions mostly do, in loops of their own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm.h"

namespace hlokit::regions {

// Elements that a combination reads: size [outer, rows, width], of which `outer` and `rows` have strides, in
// elements.
struct Slab {
  size_t outer, outer_stride, rows, row_stride, width;
};

// A combination of two values of a type, in either order.
struct Combination {
  const char *name; // of the operation; "replace" for the second value, whatever it is
  vm::Type type;
  size_t size; // of an element, in bytes
  // result[place * width + j] = result[place * width + j] combined with updates[i * width + j], for each of
  // `count` places in turn. Places below 0 are left out.
  void (*scatter)(void *result, const int64_t *places, const void *updates, size_t count, size_t width);

  // Reductions are computed in partial results, [outer, width] of each slab: sums and products of floats in
  // f64, all others in a type that holds them. Null for "replace".
  size_t partial_size;
  bool rounds; // partial results have no more precision than the type
  void (*reduce)(void *partials, const void *from, const Slab &slab);
  void (*reduce_partials)(void *partials, const void *from, const Slab &slab); // from partials of slabs
  // result[i] = the initial value combined with partials[i], rounded once.
  void (*finish)(void *result, const void *partials, const void *init, size_t count);
};

struct Combinations {
  const Combination *begin;
  size_t count;
};

// The same table twice; the second for processors with AVX2, and empty if this was not built for such.
Combinations baseline_combinations();
Combinations avx2_combinations();

} // namespace hlokit::regions
