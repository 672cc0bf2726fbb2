// Updates and reductions, also running ones, of arrays by a Combination.
#pragma once

#include <cstddef>
#include <string_view>

#include "kernels/regions/combinations.h"
#include "kernels/regions/index_vectors.h"

namespace hlokit::regions {

// An array [outer, size, inner] that is reduced along `size`.
struct Shape {
  size_t outer, size, inner;
};

// The combination of elements of a type by an operation; null if there is none.
const Combination *find_combination(std::string_view name, ElementType type);

// result[row] = result[row] combined with updates[i], for each index vector i in turn; rows have `width` elements. Index
// vectors outside of their extents change nothing.
void scatter(const Combination &combination, unsigned char *result, const unsigned char *updates,
             const IndexVectors &indices, size_t width);

// Combines the partial results of blocks, [outer, blocks, inner], in the order of a sum if it is one. Returns the results,
// [outer, inner]: in `partials` or in `spare`, which has room for half as many, rounded up for each `outer`.
unsigned char *combine_blocks(const Combination &combination, size_t outer, size_t blocks, size_t inner,
                              unsigned char *partials, unsigned char *spare);

// result = init combined with all values, in an order that depends on the shape only. Sums and products of f64 are at
// least as accurate as pairwise ones; those of other floats are accumulated in f64 and rounded once.
void reduce(const Combination &combination, const Shape &shape, const unsigned char *operand,
            const unsigned char *init, unsigned char *result, size_t threads);

// The running reduction along `size`, from its end if `is_reverse`: `Update::run` of all lines.
void reduce_running(const Combination &combination, const Shape &shape, bool is_reverse, const unsigned char *operand,
                    const unsigned char *init, unsigned char *result, size_t threads);

} // namespace hlokit::regions
