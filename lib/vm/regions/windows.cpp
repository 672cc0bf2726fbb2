// Windows, folded with a body.
#include <algorithm>
#include <string>

#include "vm/regions/regions.h"
#include "vm/regions/tiles.h"
#include "vm/strided_copy.h"

namespace hlokit::regions {

using vm::ProgramError;

namespace {

// Values of a window, at most.
constexpr size_t most_values = 1 << 12;

void check(const Windows &axis) {
  if (axis.padded == 0 || axis.size == 0 || axis.stride == 0 || axis.dilation == 0 || axis.count == 0)
    throw ProgramError("sizes, strides, dilations and counts of windows must be positive");
  const size_t last = axis.padded - 1;
  if (axis.count - 1 > last / axis.stride || axis.size - 1 > last / axis.dilation ||
      (axis.count - 1) * axis.stride + (axis.size - 1) * axis.dilation > last)
    throw ProgramError("windows must lie in the padded array");
}

// Folds a block of windows at a time: columns of a row of results, or several rows.
class Folder {
public:
  Folder(const Body &body, const unsigned char *image, const std::vector<Windows> &axes,
         const std::vector<size_t> &offsets, const std::vector<const unsigned char *> &operands,
         const unsigned char *inits, const std::vector<unsigned char *> &results)
      : blocks_(body, image), axes_(axes), offsets_(offsets), operands_(operands), results_(results) {
    for (size_t i = 0; i < results.size(); ++i) {
      sizes_.push_back(body.output_size(i));
      for (auto *buffers : {&inits_, &values_, &totals_[0], &totals_[1]})
        buffers->emplace_back(new unsigned char[8 * BlockEvaluator::most]);
      vm::fill(inits_[i].get(), inits + 8 * i, BlockEvaluator::most, sizes_[i]);
    }
    starts_.resize(BlockEvaluator::most);
  }

  void run(size_t row, size_t rows, size_t column, size_t columns) {
    for (size_t i = 0; i < rows; ++i)
      starts_[i] = start_of(row + i) + column * axes_.back().stride;
    const size_t count = rows * columns;
    for (size_t number = 0; number < offsets_.size(); ++number) {
      for (size_t i = 0; i < sizes_.size(); ++i) {
        const size_t size = sizes_[i];
        const unsigned char *from = operands_[i] + offsets_[number] * size;
        blocks_.bind(i, number ? totals_[number % 2][i].get() : inits_[i].get());
        if (rows == 1 && axes_.back().stride == 1) {
          blocks_.bind(sizes_.size() + i, from + starts_[0] * size);
        } else {
          const auto item = static_cast<ptrdiff_t>(size), stride = static_cast<ptrdiff_t>(axes_.back().stride) * item;
          const auto copy_row = vm::row_copier(size, item, stride);
          for (size_t j = 0; j < rows; ++j)
            copy_row(values_[i].get() + j * columns * size, from + starts_[j] * size, item, stride, columns);
          blocks_.bind(sizes_.size() + i, values_[i].get());
        }
        const bool is_last = number + 1 == offsets_.size();
        blocks_.put(i, is_last ? results_[i] + (row * axes_.back().count + column) * size
                               : totals_[(number + 1) % 2][i].get());
      }
      blocks_.run(count);
    }
  }

private:
  // The first element of the first window of a row of results.
  size_t start_of(size_t row) const {
    size_t start = 0, pitch = axes_.back().padded;
    for (size_t i = axes_.size() - 1; i-- > 0; pitch *= axes_[i].padded) {
      start += row % axes_[i].count * axes_[i].stride * pitch;
      row /= axes_[i].count;
    }
    return start;
  }

  BlockEvaluator blocks_;
  const std::vector<Windows> &axes_;
  const std::vector<size_t> &offsets_;
  const std::vector<const unsigned char *> &operands_;
  const std::vector<unsigned char *> &results_;
  std::vector<size_t> sizes_, starts_;
  std::vector<Bytes> inits_, values_, totals_[2];
};

} // namespace

void reduce_windows(const Body &body, const unsigned char *image, const std::vector<Windows> &axes,
                    const std::vector<const unsigned char *> &operands, const unsigned char *inits,
                    const std::vector<unsigned char *> &results, size_t threads) {
  if (axes.empty())
    throw ProgramError("windows must have an axis");
  // Offsets of the values of a window from its first element.
  std::vector<size_t> offsets{0};
  size_t rows = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    check(axes[i]);
    if (axes[i].size > most_values / offsets.size())
      throw ProgramError("a window must have at most " + std::to_string(most_values) + " values");
    std::vector<size_t> more;
    for (size_t offset : offsets)
      for (size_t j = 0; j < axes[i].size; ++j)
        more.push_back(offset * axes[i].padded + j * axes[i].dilation);
    offsets = std::move(more);
    rows *= i + 1 < axes.size() ? axes[i].count : 1;
  }
  const size_t width = axes.back().count;
  const Tiling tiles{rows, width, std::max<size_t>(BlockEvaluator::most / width, 1), std::min(width, BlockEvaluator::most)};
  run_by_tiles<Folder>(tiles, rows * width * offsets.size(), threads, body, image, axes, offsets, operands, inits, results);
}

} // namespace hlokit::regions
