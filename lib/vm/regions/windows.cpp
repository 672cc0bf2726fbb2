// Windows, folded with a body or a combination.
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

// The places of windows, and of their values.
struct Places {
  const std::vector<Windows> &axes;
  std::vector<size_t> offsets{0}; // of the values of a window from its first element
  size_t rows = 1, width, stride; // of results; of windows in a row

  explicit Places(const std::vector<Windows> &windows) : axes(windows) {
    if (axes.empty())
      throw ProgramError("windows must have an axis");
    width = axes.back().count, stride = axes.back().stride;
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
  }

  // Tiles of results with at most this number of elements.
  Tiling tiles(size_t most) const { return {rows, width, std::max<size_t>(most / width, 1), std::min(width, most)}; }
  size_t values() const { return rows * width * offsets.size(); }

  // The first element of the first window of a row of results.
  size_t start_of(size_t row) const {
    size_t start = 0, pitch = axes.back().padded;
    for (size_t i = axes.size() - 1; i-- > 0; pitch *= axes[i].padded) {
      start += row % axes[i].count * axes[i].stride * pitch;
      row /= axes[i].count;
    }
    return start;
  }

  // Copies the elements at an offset from each of `columns` windows of some rows, which begin at `starts`.
  void gather(unsigned char *to, const unsigned char *from, size_t offset, const size_t *starts, size_t row_count,
              size_t columns, size_t size) const {
    const auto item = static_cast<ptrdiff_t>(size), step = static_cast<ptrdiff_t>(stride) * item;
    const auto copy_row = vm::row_copier(size, item, step);
    for (size_t j = 0; j < row_count; ++j)
      copy_row(to + j * columns * size, from + (starts[j] + offset) * size, item, step, columns);
  }
};

// Folds a block of windows at a time with a body: columns of a row of results, or several rows.
class BodyFolder {
public:
  BodyFolder(const Body &body, const unsigned char *image, const Places &places,
             const std::vector<const unsigned char *> &operands, const unsigned char *inits,
             const std::vector<unsigned char *> &results)
      : blocks_(body, image), places_(places), operands_(operands), results_(results) {
    for (size_t i = 0; i < results.size(); ++i) {
      sizes_.push_back(body.output_size(i));
      for (auto *buffers : {&inits_, &values_, &totals_[0], &totals_[1]})
        buffers->emplace_back(new unsigned char[8 * BlockEvaluator::most]);
      vm::fill(inits_[i].get(), inits + 8 * i, BlockEvaluator::most, sizes_[i]);
    }
  }

  void run(size_t row, size_t rows, size_t column, size_t columns) {
    size_t starts[BlockEvaluator::most];
    for (size_t i = 0; i < rows; ++i)
      starts[i] = places_.start_of(row + i) + column * places_.stride;
    for (size_t number = 0; number < places_.offsets.size(); ++number) {
      const size_t offset = places_.offsets[number];
      for (size_t i = 0; i < sizes_.size(); ++i) {
        const size_t size = sizes_[i];
        blocks_.bind(i, number ? totals_[number % 2][i].get() : inits_[i].get());
        if (rows == 1 && places_.stride == 1) {
          blocks_.bind(sizes_.size() + i, operands_[i] + (starts[0] + offset) * size);
        } else {
          places_.gather(values_[i].get(), operands_[i], offset, starts, rows, columns, size);
          blocks_.bind(sizes_.size() + i, values_[i].get());
        }
        const bool is_last = number + 1 == places_.offsets.size();
        blocks_.put(i, is_last ? results_[i] + (row * places_.width + column) * size : totals_[(number + 1) % 2][i].get());
      }
      blocks_.run(rows * columns);
    }
  }

private:
  BlockEvaluator blocks_;
  const Places &places_;
  const std::vector<const unsigned char *> &operands_;
  const std::vector<unsigned char *> &results_;
  std::vector<size_t> sizes_;
  std::vector<Bytes> inits_, values_, totals_[2];
};

// The same with a combination. Values that do not lie side by side in long rows are gathered first.
class CombinationFolder {
public:
  static constexpr size_t most = 512;

  CombinationFolder(const Combination &combination, const Places &places, const unsigned char *operand,
                    const unsigned char *init, unsigned char *result)
      : combination_(combination), places_(places), operand_(operand), init_(init), result_(result) {
    if (has_rows())
      return;
    for (size_t i = 0; i < places.offsets.size(); ++i)
      gathered_offsets_.push_back(i * most);
    gathered_.reset(new unsigned char[places.offsets.size() * most * combination.size]);
  }

  void run(size_t row, size_t rows, size_t column, size_t columns) {
    const size_t size = combination_.size;
    unsigned char *to = result_ + (row * places_.width + column) * size;
    size_t starts[most];
    for (size_t i = 0; i < rows; ++i)
      starts[i] = places_.start_of(row + i) + column * places_.stride;
    if (has_rows()) {
      for (size_t i = 0; i < rows; ++i)
        fold(to + i * columns * size, operand_ + starts[i] * size, places_.offsets, columns);
      return;
    }
    for (size_t i = 0; i < places_.offsets.size(); ++i)
      places_.gather(gathered_.get() + gathered_offsets_[i] * size, operand_, places_.offsets[i], starts, rows, columns, size);
    fold(to, gathered_.get(), gathered_offsets_, rows * columns);
  }

private:
  bool has_rows() const { return places_.stride == 1 && places_.width * combination_.size >= fold_bytes; }
  void fold(unsigned char *to, const unsigned char *from, const std::vector<size_t> &offsets, size_t size) const {
    combination_.fold(to, from, init_, offsets.data(), offsets.size(), size);
  }

  const Combination &combination_;
  const Places &places_;
  const unsigned char *operand_, *init_;
  unsigned char *result_;
  std::vector<size_t> gathered_offsets_;
  Bytes gathered_;
};

} // namespace

void reduce_windows(const Body &body, const unsigned char *image, const std::vector<Windows> &axes,
                    const std::vector<const unsigned char *> &operands, const unsigned char *inits,
                    const std::vector<unsigned char *> &results, size_t threads) {
  const Places places(axes);
  run_by_tiles<BodyFolder>(places.tiles(BlockEvaluator::most), places.values(), threads, body, image, places, operands,
                           inits, results);
}

void reduce_windows(const Combination &combination, const std::vector<Windows> &axes, const unsigned char *operand,
                    const unsigned char *init, unsigned char *result, size_t threads) {
  const Places places(axes);
  run_by_tiles<CombinationFolder>(places.tiles(CombinationFolder::most), places.values(), threads, combination, places,
                                  operand, init, result);
}

} // namespace hlokit::regions
