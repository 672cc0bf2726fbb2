// Windows, folded with a body.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "support/copy_memory.h"
#include "support/threads.h"
#include "vm/regions/regions.h"

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

template <size_t size>
void copy_strided(unsigned char *to, const unsigned char *from, size_t stride, size_t count) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * size, from + i * stride * size, size);
}

void copy_row(unsigned char *to, const unsigned char *from, size_t stride, size_t count, size_t size) {
  if (stride == 1) {
    copy_memory(to, from, count * size);
    return;
  }
  switch (size) {
  case 1:
    return copy_strided<1>(to, from, stride, count);
  case 2:
    return copy_strided<2>(to, from, stride, count);
  case 4:
    return copy_strided<4>(to, from, stride, count);
  default:
    return copy_strided<8>(to, from, stride, count);
  }
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
      for (size_t j = 0; j < BlockEvaluator::most; ++j)
        std::memcpy(inits_[i].get() + j * sizes_[i], inits + 8 * i, sizes_[i]);
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
          for (size_t j = 0; j < rows; ++j)
            copy_row(values_[i].get() + j * columns * size, from + starts_[j] * size, axes_.back().stride, columns,
                     size);
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
  for (size_t i = 0; i < axes.size(); ++i)
    check(axes[i]);
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].size > most_values / offsets.size())
      throw ProgramError("a window must have at most " + std::to_string(most_values) + " values");
    std::vector<size_t> more;
    for (size_t offset : offsets)
      for (size_t j = 0; j < axes[i].size; ++j)
        more.push_back((offset * axes[i].padded) + j * axes[i].dilation);
    offsets = std::move(more);
    rows *= i + 1 < axes.size() ? axes[i].count : 1;
  }
  const size_t width = axes.back().count;
  const size_t columns = std::min(width, BlockEvaluator::most), at_once = std::max<size_t>(BlockEvaluator::most / width, 1);
  const size_t column_parts = (width + columns - 1) / columns;
  const size_t parts = (rows + at_once - 1) / at_once * column_parts;
  constexpr size_t least = 1 << 16;
  const size_t size = rows * width * offsets.size();
  const size_t workers = std::clamp<size_t>(std::min(size / least, parts), 1, std::max<size_t>(threads, 1));
  std::vector<std::unique_ptr<Folder>> folders;
  for (size_t i = 0; i < workers; ++i)
    folders.emplace_back(new Folder(body, image, axes, offsets, operands, inits, results));
  std::atomic<size_t> next{0};
  in_parallel(workers, workers, [&](size_t worker) {
    for (size_t part = next.fetch_add(1); part < parts; part = next.fetch_add(1)) {
      const size_t row = part / column_parts * at_once, column = part % column_parts * columns;
      folders[worker]->run(row, std::min(at_once, rows - row), column, std::min(columns, width - column));
    }
  });
}

} // namespace hlokit::regions
