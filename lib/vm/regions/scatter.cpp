// Scatters with a body.
#include <algorithm>
#include <cstring>

#include "support/by_size.h"
#include "support/should_stop.h"
#include "vm/regions/regions.h"

namespace hlokit::regions {

namespace {

// Decides whether consecutive positions differ. Positions with the same hash count as equal.
class Recent {
public:
  void forget() { ++run_; }
  // Whether a place is new since the last call of `forget`.
  bool add(int64_t place) {
    uint32_t &stamp = stamps_[static_cast<uint64_t>(place) % count];
    const bool is_new = stamp != run_;
    stamp = run_;
    return is_new;
  }

private:
  static constexpr size_t count = 4096;
  std::vector<uint32_t> stamps_ = std::vector<uint32_t>(count, 0);
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
      move_rows(places, count, sizes_[j], [&](size_t i, unsigned char *row, size_t size) {
        std::memcpy(old_[j].get() + i * size, row, size);
      }, j);
      blocks_.bind(j, old_[j].get());
      blocks_.bind(sizes_.size() + j, updates_[j] + first * width_ * sizes_[j]);
      blocks_.put(j, new_[j].get());
    }
    blocks_.run(count * width_);
    for (size_t j = 0; j < sizes_.size(); ++j)
      move_rows(places, count, sizes_[j], [&](size_t i, unsigned char *row, size_t size) {
        std::memcpy(row, new_[j].get() + i * size, size);
      }, j);
  }

  // Calls move(number, row, bytes of a row). `bytes` is a constant where a row has the size of an element.
  template <class Move>
  void move_rows(const int64_t *places, size_t count, size_t item, const Move &move, size_t j) {
    const size_t bytes = item * width_;
    auto all = [&](auto size) {
      for (size_t i = 0; i < count; ++i)
        move(i, results_[j] + static_cast<size_t>(places[i]) * bytes, size);
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
  Recent recent;
  const size_t most = std::max<size_t>(BlockEvaluator::most / width, 1);
  int64_t places[BlockEvaluator::most];
  for (size_t start = 0; start < indices.count && !should_stop(); start += BlockEvaluator::most) {
    const size_t count = std::min(BlockEvaluator::most, indices.count - start);
    indices.places(start, count, places);
    for (size_t first = 0; first < count;) {
      if (places[first] < 0) {
        ++first;
        continue;
      }
      recent.forget();
      recent.add(places[first]);
      size_t last = first + 1;
      while (last < count && last - first < most && places[last] >= 0 && recent.add(places[last]))
        ++last;
      scatterer.apply(places + first, start + first, last - first);
      first = last;
    }
  }
}

} // namespace hlokit::regions
