// Operations on arrays with a body: scatter, reduce, reduce_window and sort. kernels/regions/combine.h has faster
// kernels for the most frequent bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/regions/combine.h"
#include "kernels/regions/index_vectors.h"
#include "vm/regions/body.h"

namespace hlokit::regions {

// results[row] = body(results[row]..., updates[i]...) for each index vector i in turn, for each element of rows of `width`.
// Index vectors outside of their extents change nothing.
void scatter(const Body &body, const unsigned char *image, const std::vector<unsigned char *> &results,
             const std::vector<const unsigned char *> &updates, const IndexVectors &indices, size_t width);

// results = body(init..., tree of operands...). The tree combines neighbours in pairs until one value is left; a last value
// without a neighbour joins at the end. `size` is not 0.
void reduce(const Body &body, const unsigned char *image, const Shape &shape,
            const std::vector<const unsigned char *> &operands, const unsigned char *inits,
            const std::vector<unsigned char *> &results, size_t threads);

// `count` windows along one axis of a padded array.
struct Windows {
  size_t padded, size, stride, dilation, count;
};

// results[window] = body(... body(body(init..., first value...), second value...)...): folds the values of each window from
// the left, in row-major order. Throws ProgramError for windows that leave the array.
void reduce_windows(const Body &body, const unsigned char *image, const std::vector<Windows> &axes,
                    const std::vector<const unsigned char *> &operands, const unsigned char *inits,
                    const std::vector<unsigned char *> &results, size_t threads);
void reduce_windows(const Combination &combination, const std::vector<Windows> &axes, const unsigned char *operand,
                    const unsigned char *init, unsigned char *result, size_t threads);

// The stable order of the elements of each of `rows` rows of `size` elements. body(lhs and rhs of each operand in turn)
// returns whether the left element comes first.
void sort(const Body &body, const unsigned char *image, const std::vector<const unsigned char *> &operands,
          size_t rows, size_t size, int64_t *order);

} // namespace hlokit::regions
