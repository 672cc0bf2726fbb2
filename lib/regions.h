// What operations with a region or with indices do to arrays: bodies applied at places, in trees and in
// comparisons, without Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bodies.h"
#include "combinations.h"
#include "index_vectors.h"

namespace hlokit::regions {

// Operations --------------------------------------------------------------------------------------------

// results[row] = body(results[row]..., updates[i]...) for each index vector i in turn, element by element of
// rows of `width`. Those outside change nothing.
void scatter(const Body &body, const unsigned char *image, const std::vector<unsigned char *> &results,
             const std::vector<const unsigned char *> &updates, const IndexVectors &indices, size_t width);

// An array [outer, size, inner] that is reduced along `size`.
struct Shape {
  size_t outer, size, inner;
};

// results = body(init..., tree of operands...): neighbours are combined in pairs until one value is left; a last
// value without a neighbour waits, and joins at the end. `size` is not 0.
void reduce(const Body &body, const unsigned char *image, const Shape &shape,
            const std::vector<const unsigned char *> &operands, const unsigned char *inits,
            const std::vector<unsigned char *> &results, size_t threads);

// Windows along one axis of an array that is padded already: `count` of them.
struct Windows {
  size_t padded, size, stride, dilation, count;
};

// results[window] = body(... body(body(init..., first value...), second value...)...): the values of each window
// from the left, its last axis varying fastest. Throws a ProgramError for windows that leave the array.
void reduce_windows(const Body &body, const unsigned char *image, const std::vector<Windows> &axes,
                    const std::vector<const unsigned char *> &operands, const unsigned char *inits,
                    const std::vector<unsigned char *> &results, size_t threads);

// The stable order of each of `rows` rows of `size` elements: body(lhs, rhs of each operand in turn) says
// whether the left element comes first.
void sort(const Body &body, const unsigned char *image, const std::vector<const unsigned char *> &operands,
          size_t rows, size_t size, int64_t *order);

// Known bodies, rows and extrema ------------------------------------------------------------------------

// The combination of a type by an operation; null if there is none.
const Combination *find_combination(std::string_view name, vm::Type type);

// result[row] = result[row] combined with updates[i] for each index vector i in turn, as `scatter` above.
void scatter(const Combination &combination, unsigned char *result, const unsigned char *updates,
             const IndexVectors &indices, size_t width);

// result = init combined with all values, in an order that depends on the shape only. Sums and products of f64
// are at least as accurate as pairwise ones; of other floats they are rounded once, from f64.
void reduce(const Combination &combination, const Shape &shape, const unsigned char *operand,
            const unsigned char *init, unsigned char *result, size_t threads);

// result[i] = operand[row of index vector i], where indices are clamped to their extents; rows of `row` bytes.
void gather(const unsigned char *operand, const IndexVectors &indices, size_t row, unsigned char *result,
            size_t threads);

// How bits are ordered: as integers, or as floats in total order.
enum class Order : uint8_t { is_unsigned, is_signed, is_float };

// positions[row] = those of the `k` greatest of `size` elements, the greatest first, and the first of equal
// ones first. `k` is at most `size`; elements have 1, 2, 4 or 8 bytes.
void top(Order order, size_t item_size, const unsigned char *operand, size_t rows, size_t size, size_t k,
         int64_t *positions, size_t threads);

} // namespace hlokit::regions
