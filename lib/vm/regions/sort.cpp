// Sorting by a comparator.
#include <algorithm>

#include "support/should_stop.h"
#include "vm/regions/regions.h"

namespace hlokit::regions {

namespace {

class Sorter {
public:
  Sorter(const Body &body, const unsigned char *image, const std::vector<const unsigned char *> &operands)
      : scalars_(body, image), operands_(operands) {
    for (size_t i = 0; i < operands.size(); ++i)
      sizes_.push_back(body.input_size(2 * i));
  }

  // Writes the order of elements `first` to `first + size`, counted from `first`. `spare` has room for `size` numbers.
  void run(size_t first, size_t size, int64_t *order, int64_t *spare) {
    first_ = first;
    for (size_t start = 0; start < size && !should_end(); start += run_size)
      insert(order + start, start, std::min(run_size, size - start));
    int64_t *from = order, *to = spare;
    for (size_t run = run_size; run < size && !is_ended_; run *= 2) {
      for (size_t start = 0; start < size; start += 2 * run) {
        const size_t middle = std::min(start + run, size), end = std::min(middle + run, size);
        merge(from + start, from + middle, from + end, to + start);
      }
      std::swap(from, to);
    }
    if (from != order)
      std::copy(from, from + size, order);
  }

private:
  static constexpr size_t run_size = 8;

  // Asks from time to time: a comparison takes less time than the question.
  bool should_end() {
    if (!is_ended_ && ++steps_ % 4096 == 0)
      is_ended_ = should_stop();
    return is_ended_;
  }

  void load(int64_t element, size_t side) {
    for (size_t i = 0; i < sizes_.size(); ++i)
      scalars_.load(2 * i + side, operands_[i] + (first_ + static_cast<size_t>(element)) * sizes_[i]);
  }

  // Sorts a short run by insertion.
  void insert(int64_t *order, size_t start, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      const auto element = static_cast<int64_t>(start + i);
      load(element, 0);
      size_t at = i;
      for (; at > 0; --at) {
        load(order[at - 1], 1);
        scalars_.run();
        if (!scalars_.truth(0))
          break;
        order[at] = order[at - 1];
      }
      order[at] = element;
    }
  }

  // Merges two runs. Of equal elements those of the left run come first. Even with an inconsistent comparator, all
  // accesses stay within the runs.
  void merge(const int64_t *left, const int64_t *middle, const int64_t *end, int64_t *to) {
    const int64_t *right = middle;
    if (left != middle && right != end) {
      load(*left, 1);
      load(*right, 0);
      while (!should_end()) {
        scalars_.run();
        if (scalars_.truth(0)) {
          *to++ = *right++;
          if (right == end)
            break;
          load(*right, 0);
        } else {
          *to++ = *left++;
          if (left == middle)
            break;
          load(*left, 1);
        }
      }
    }
    to = std::copy(left, middle, to);
    std::copy(right, end, to);
  }

  ScalarEvaluator scalars_;
  const std::vector<const unsigned char *> &operands_;
  std::vector<size_t> sizes_;
  size_t first_ = 0, steps_ = 0;
  bool is_ended_ = false;
};

} // namespace

void sort(const Body &body, const unsigned char *image, const std::vector<const unsigned char *> &operands,
          size_t rows, size_t size, int64_t *order) {
  Sorter sorter(body, image, operands);
  std::vector<int64_t> spare(size);
  for (size_t row = 0; row < rows && !should_stop(); ++row)
    sorter.run(row * size, size, order + row * size, spare.data());
}

} // namespace hlokit::regions
