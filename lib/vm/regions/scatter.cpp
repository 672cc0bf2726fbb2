// Scatters with a body.
#include <algorithm>
#include <cstring>

#include "support/by_size.h"
#include "support/should_stop.h"
#include "vm/regions/regions.h"

namespace hlokit::regions {

namespace {

// Finds runs of updates whose places differ. Places with the same hash count as equal.
class Distinct {
public:
  // The number of leading places of rows that differ from each other.
  size_t count(const int64_t *places, size_t most) {
    const uint32_t run = ++run_;
    uint32_t *const stamps = stamps_.get();
    size_t count = 0;
    for (; count < most && places[count] >= 0; ++count) {
      uint32_t &stamp = stamps[static_cast<uint64_t>(places[count]) % hashes];
      if (stamp == run)
        break;
      stamp = run;
    }
    return count;
  }

private:
  static constexpr size_t hashes = 4096;
  std::unique_ptr<uint32_t[]> stamps_{new uint32_t[hashes]()};
  uint32_t run_ = 0;
};

class Scatterer {
public:
  Scatterer(const Body &body, const unsigned char *image, const std::vector<unsigned char *> &results,
            const std::vector<const unsigned char *> &updates, size_t width)
      : blocks_(body, image), scalars_(body, image), results_(results), updates_(updates), width_(width) {
    for (size_t i = 0; i < results.size(); ++i) {
      sizes_.push_back(body.output_size(i));
      old_.emplace_back(new unsigned char[8 * BlockEvaluator::most]);
      new_.emplace_back(new unsigned char[8 * BlockEvaluator::most]);
    }
  }

  // Applies updates from `first` on, whose places differ from each other.
  void apply(const int64_t *places, size_t first, size_t count) {
    if (count * width_ < few)
      one_by_one(places, first, count);
    else if (width_ <= BlockEvaluator::most)
      at_once(places, first, count);
    else
      for (size_t i = 0; i < count; ++i)
        for (size_t column = 0; column < width_; column += BlockEvaluator::most)
          part(places[i], first + i, column, std::min(BlockEvaluator::most, width_ - column));
  }

private:
  static constexpr size_t few = 8;

  void one_by_one(const int64_t *places, size_t first, size_t count) {
    for (size_t i = 0; i < count; ++i)
      for (size_t column = 0; column < width_; ++column) {
        const size_t from = (first + i) * width_ + column;
        const size_t to = static_cast<size_t>(places[i]) * width_ + column;
        for (size_t j = 0; j < sizes_.size(); ++j) {
          scalars_.load(j, results_[j] + to * sizes_[j]);
          scalars_.load(sizes_.size() + j, updates_[j] + from * sizes_[j]);
        }
        scalars_.run();
        for (size_t j = 0; j < sizes_.size(); ++j)
          scalars_.store(j, results_[j] + to * sizes_[j]);
      }
  }

  void at_once(const int64_t *places, size_t first, size_t count) {
    for (size_t j = 0; j < sizes_.size(); ++j) {
      unsigned char *const old = old_[j].get();
      move_rows(places, count, j, [=](size_t i, const unsigned char *row, size_t size) {
        std::memcpy(old + i * size, row, size);
      });
      blocks_.bind(j, old);
      blocks_.bind(sizes_.size() + j, updates_[j] + first * width_ * sizes_[j]);
      blocks_.put(j, new_[j].get());
    }
    blocks_.run(count * width_);
    for (size_t j = 0; j < sizes_.size(); ++j)
      move_rows(places, count, j, [from = new_[j].get()](size_t i, unsigned char *row, size_t size) {
        std::memcpy(row, from + i * size, size);
      });
  }

  // Calls move(number, row, bytes of a row). `bytes` is a constant where a row has the size of an element.
  template <class Move>
  void move_rows(const int64_t *places, size_t count, size_t j, Move move) {
    const size_t bytes = sizes_[j] * width_;
    auto all = [places, count, move, rows = results_[j]](auto size) {
      for (size_t i = 0; i < count; ++i)
        move(i, rows + static_cast<size_t>(places[i]) * size, size);
    };
    if (is_element_size(bytes))
      by_size(bytes, all);
    else
      all(bytes);
  }

  void part(int64_t place, size_t update, size_t column, size_t count) {
    const size_t to = static_cast<size_t>(place) * width_ + column, from = update * width_ + column;
    for (size_t j = 0; j < sizes_.size(); ++j) {
      blocks_.bind(j, results_[j] + to * sizes_[j]);
      blocks_.bind(sizes_.size() + j, updates_[j] + from * sizes_[j]);
      blocks_.put(j, new_[j].get());
    }
    blocks_.run(count);
    for (size_t j = 0; j < sizes_.size(); ++j)
      std::memcpy(results_[j] + to * sizes_[j], new_[j].get(), count * sizes_[j]);
  }

  BlockEvaluator blocks_;
  ScalarEvaluator scalars_;
  const std::vector<unsigned char *> &results_;
  const std::vector<const unsigned char *> &updates_;
  size_t width_;
  std::vector<size_t> sizes_;
  std::vector<Bytes> old_, new_;
};

} // namespace

void scatter(const Body &body, const unsigned char *image, const std::vector<unsigned char *> &results,
             const std::vector<const unsigned char *> &updates, const IndexVectors &indices, size_t width) {
  if (width == 0)
    return;
  Scatterer scatterer(body, image, results, updates, width);
  Distinct distinct;
  const size_t most = std::max<size_t>(BlockEvaluator::most / width, 1);
  int64_t places[BlockEvaluator::most];
  for (size_t start = 0; start < indices.count && !should_stop(); start += BlockEvaluator::most) {
    const size_t count = std::min(BlockEvaluator::most, indices.count - start);
    indices.places(start, count, places);
    for (size_t first = 0; first < count;) {
      const size_t run = distinct.count(places + first, std::min(most, count - first));
      if (run != 0)
        scatterer.apply(places + first, start + first, run);
      first += std::max<size_t>(run, 1);
    }
  }
}

} // namespace hlokit::regions
