// What operations with a region or with indices do to arrays: bodies applied at places, in trees and in
// comparisons, without Python.
//
// Everything is checked when it is made or when a run begins: bodies as programs of vm.h are, index vectors by
// where the largest ones lead. No data can then do harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "combinations.h"
#include "vm.h"

namespace hlokit::regions {

using Bytes = std::unique_ptr<unsigned char[]>;

// Bodies ------------------------------------------------------------------------------------------------

// A straight line of pointwise operations on scalars. Registers are inputs, written once, or *fixed*: constants
// and captured values, which a run gets in an image of eight bytes a register.
class Body {
public:
  Body(const std::vector<vm::Type> &types, const std::vector<vm::Source> &sources,
       std::vector<uint32_t> inputs, std::vector<uint32_t> outputs);

  size_t register_count() const { return sizes_.size(); }
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }
  size_t input_size(size_t i) const { return sizes_[inputs_[i]]; }
  size_t output_size(size_t i) const { return sizes_[outputs_[i]]; }
  vm::Type output_type(size_t i) const { return types_[outputs_[i]]; }

private:
  friend class Blocks;
  friend class Scalars;
  struct Move {
    vm::Sweep sweep;
    uint32_t to, a, b, c;
  };

  std::vector<vm::Type> types_;
  std::vector<size_t> sizes_;
  std::vector<uint32_t> inputs_, outputs_;
  std::vector<bool> is_written_, is_fixed_;
  std::vector<Move> moves_;
  std::vector<vm::Instruction> code_;
};

// Evaluates a body on blocks of elements.
class Blocks {
public:
  static constexpr size_t most = 512;

  Blocks(const Body &body, const unsigned char *image);

  // The elements of an input. They stay where they are until the run.
  void bind(size_t input, const unsigned char *data) { at_[body_.inputs_[input]] = data; }
  // Where an output is to be put, apart from all that is bound.
  void put(size_t output, unsigned char *to) { results_[output] = to; }
  void run(size_t count); // at most `most`

private:
  const Body &body_;
  std::vector<const unsigned char *> at_; // of each register
  std::vector<unsigned char *> own_, results_;
  std::vector<bool> is_direct_; // outputs that operations write where they are to be put
  Bytes memory_;
};

// Evaluates a body on one element.
class Scalars {
public:
  Scalars(const Body &body, const unsigned char *image);

  void load(size_t input, const unsigned char *from);
  void run();
  void store(size_t output, unsigned char *to) const;
  bool truth(size_t output) const { return registers()[8 * body_.outputs_[output]] != 0; }

private:
  unsigned char *registers() const { return reinterpret_cast<unsigned char *>(words_.get()); }

  const Body &body_;
  std::unique_ptr<uint64_t[]> words_;
};

// Index vectors -----------------------------------------------------------------------------------------

// Integers that say which rows of an array are meant: the sum over components of index * step.
struct IndexVectors {
  struct Component {
    int64_t extent; // indices are from 0 to below this
    int64_t step;   // rows between neighbours
  };

  const unsigned char *data;
  vm::Type type; // an integer
  size_t count;
  ptrdiff_t stride, component_stride; // in bytes
  std::vector<Component> components;

  // Throws a ProgramError unless indices within the extents lead to rows below `rows`.
  void check(size_t rows) const;
  // The rows that vectors `start` to `start + count` mean; -1 for those that are not within the extents.
  void places(size_t start, size_t count, int64_t *to) const;
  // The same with indices clamped to the extents, of which none is 0.
  void clamped_places(size_t start, size_t count, int64_t *to) const;
};

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
