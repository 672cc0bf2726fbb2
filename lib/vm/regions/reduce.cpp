// Reductions with a body.
#include <algorithm>
#include <array>
#include <cstring>

#include "support/by_size.h"
#include "support/compiler.h"
#include "vm/regions/regions.h"
#include "vm/regions/tiles.h"
#include "vm/strided_copy.h"

namespace hlokit::regions {

using vm::ProgramError;

namespace {

// Copies 2 * `pairs` rows of `bytes` bytes, the even ones to one place and the odd ones to another.
void split(const unsigned char *from, size_t pairs, size_t bytes, unsigned char *even, unsigned char *odd) {
  const auto split_rows = [&](auto size) {
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < pairs; ++i) {
      std::memcpy(even + i * size, from + 2 * i * size, size);
      std::memcpy(odd + i * size, from + (2 * i + 1) * size, size);
    }
  };
  if (is_element_size(bytes))
    by_size(bytes, split_rows);
  else
    split_rows(bytes);
}

// Reduces some columns of some slices [size, inner] of arrays [outer, size, inner] at a time. A chunk of 2^k values becomes
// one value, a node at level k. Two nodes of a level become a node of the next level, like carries in a binary counter.
class Tree {
public:
  // The number of elements that are reduced at a time.
  static constexpr size_t most = 2 * BlockEvaluator::most;

  Tree(const Body &body, const unsigned char *image, const Shape &shape,
       const std::vector<const unsigned char *> &operands, const unsigned char *inits,
       const std::vector<unsigned char *> &results)
      : blocks_(body, image), shape_(shape), operands_(operands), inits_(inits), results_(results) {
    for (size_t i = 0; i < results.size(); ++i) {
      sizes_.push_back(body.output_size(i));
      even_.emplace_back(new unsigned char[8 * BlockEvaluator::most]);
      odd_.emplace_back(new unsigned char[8 * BlockEvaluator::most]);
      values_.emplace_back(new unsigned char[8 * most]);
    }
    size_t levels = 2;
    while (shape.size >> (levels - 2))
      ++levels;
    nodes_.resize(levels);
    for (auto &level : nodes_)
      for (auto &side : level)
        for (size_t i = 0; i < results.size(); ++i)
          side.emplace_back(new unsigned char[8 * BlockEvaluator::most]);
  }

  // The numbers of columns and slices that are reduced at a time. Several slices are reduced together only with all
  // their columns.
  static size_t columns(const Shape &shape) { return std::min(shape.inner, BlockEvaluator::most); }
  static size_t slices(const Shape &shape) {
    const size_t few = BlockEvaluator::most / 16, values = std::min(shape.size, few) * shape.inner;
    return std::max<size_t>(BlockEvaluator::most / values, 1);
  }

  void run(size_t first, size_t slices, size_t column, size_t columns) {
    first_ = first, slices_ = slices, column_ = column, columns_ = columns;
    width_ = slices * columns;
    filled_.assign(nodes_.size(), false);
    size_t level = 0;
    while ((width_ << (level + 1)) <= most && (size_t(2) << level) <= shape_.size)
      ++level;
    for (size_t at = 0; at < shape_.size; at += size_t(1) << level) {
      while ((size_t(1) << level) > shape_.size - at)
        --level;
      add(at, level);
    }
    finish();
  }

private:
  using Values = std::vector<Bytes>;

  // Combines `count` values of two arrays each into a third.
  void combine(const Values &left, const Values &right, const Values &to, size_t count) {
    for (size_t i = 0; i < sizes_.size(); ++i) {
      blocks_.bind(i, left[i].get());
      blocks_.bind(sizes_.size() + i, right[i].get());
      blocks_.put(i, to[i].get());
    }
    blocks_.run(count);
  }

  // Values `at` to `at + 2^level` of all slices and columns.
  void add(size_t at, size_t level) {
    if (level == 0) {
      load(at, 1, [&](size_t slice, const unsigned char *from, size_t i, size_t bytes) {
        std::memcpy(node(0)[i].get() + slice * bytes, from, bytes);
      });
      return carry(0);
    }
    size_t pairs = size_t(1) << (level - 1);
    load(at, 2 * pairs, [&](size_t slice, const unsigned char *from, size_t i, size_t bytes) {
      split(from, pairs, bytes, even_[i].get() + slice * pairs * bytes, odd_[i].get() + slice * pairs * bytes);
    });
    for (; pairs > 1; pairs /= 2) {
      combine(even_, odd_, values_, pairs * width_);
      for (size_t i = 0; i < sizes_.size(); ++i)
        split(values_[i].get(), slices_ * pairs / 2, columns_ * sizes_[i], even_[i].get(), odd_[i].get());
    }
    combine(even_, odd_, node(level), width_);
    carry(level);
  }

  // Calls take(slice, values, array, bytes of a row) for `count` values in a row of each slice and array.
  template <class Take> void load(size_t at, size_t count, const Take &take) {
    for (size_t i = 0; i < sizes_.size(); ++i) {
      const size_t row = shape_.inner * sizes_[i], bytes = columns_ * sizes_[i];
      for (size_t slice = 0; slice < slices_; ++slice) {
        const unsigned char *from = operands_[i] + ((first_ + slice) * shape_.size + at) * row + column_ * sizes_[i];
        if (columns_ == shape_.inner || count == 1) {
          take(slice, from, i, bytes);
          continue;
        }
        for (size_t value = 0; value < count; ++value)
          std::memcpy(values_[i].get() + value * bytes, from + value * row, bytes);
        take(slice, values_[i].get(), i, bytes);
      }
    }
  }

  // The position of the next node of a level.
  const Values &node(size_t level) const { return nodes_[level][filled_[level]]; }

  // Combines the node that was just stored with the one before it, level by level.
  void carry(size_t level) {
    while (filled_[level]) {
      combine(nodes_[level][0], nodes_[level][1], node(level + 1), width_);
      filled_[level++] = false;
    }
    filled_[level] = true;
  }

  // Combines the remaining nodes, the largest first, and the initial values.
  void finish() {
    size_t level = nodes_.size();
    const Values *total = nullptr;
    while (level-- > 0)
      if (filled_[level]) {
        const Values *next = &nodes_[level][0];
        if (total) {
          const Values &to = total == &values_ ? even_ : values_;
          combine(*total, *next, to, width_);
          next = &to;
        }
        total = next;
      }
    for (size_t i = 0; i < sizes_.size(); ++i) {
      vm::fill(odd_[i].get(), inits_ + 8 * i, width_, sizes_[i]);
      blocks_.bind(i, odd_[i].get());
      blocks_.bind(sizes_.size() + i, (*total)[i].get());
      blocks_.put(i, results_[i] + (first_ * shape_.inner + column_) * sizes_[i]);
    }
    blocks_.run(width_);
  }

  BlockEvaluator blocks_;
  const Shape shape_;
  const std::vector<const unsigned char *> &operands_;
  const unsigned char *inits_;
  const std::vector<unsigned char *> &results_;
  std::vector<size_t> sizes_;
  Values even_, odd_, values_;
  std::vector<std::array<Values, 2>> nodes_; // of each level
  std::vector<bool> filled_;                 // whether a level has its first node
  size_t first_ = 0, slices_ = 0, column_ = 0, columns_ = 0, width_ = 0;
};

} // namespace

void reduce(const Body &body, const unsigned char *image, const Shape &shape,
            const std::vector<const unsigned char *> &operands, const unsigned char *inits,
            const std::vector<unsigned char *> &results, size_t threads) {
  if (shape.size == 0)
    throw ProgramError("there must be values to reduce, got a dimension of size 0");
  if (shape.outer == 0 || shape.inner == 0)
    return;
  const Tiling tiles{shape.outer, shape.inner, Tree::slices(shape), Tree::columns(shape)};
  const size_t values = shape.outer * shape.size * shape.inner;
  run_by_tiles<Tree>(tiles, values, threads, body, image, shape, operands, inits, results);
}

} // namespace hlokit::regions
