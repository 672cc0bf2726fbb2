#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <vector>

#include "kernels/matmul/axes.h"
#include "kernels/matmul/strategy.h"
#include "support/should_stop.h"
#include "support/threads.h"

namespace hlokit::matmul {
namespace {

// The fewest neighbours in the innermost dimension of the batch for which the strategy is chosen.
constexpr size_t least_line = 8;
// Elements of b that are packed at a time.
constexpr size_t most_packed = 1 << 14;

// Each line is a piece of the innermost dimension of the batch.
template <class T> class LineProduct final : public PreparedProduct {
public:
  LineProduct(const Product &product, bool is_transposed)
      : PreparedProduct(is_transposed), inner_(product.batch.back()),
        outer_(product.batch.begin(), product.batch.end() - 1), rows_(product.rows),
        terms_(total(product.terms)), length_(std::min(inner_.size, std::max<size_t>(most_packed / terms_, 64))) {
    if (outer_.empty())
      outer_.push_back({1, 0, 0, 0});
    Shape(product.terms, &Axis::a).list(a_terms_);
    Shape(product.terms, &Axis::b).list(b_terms_);
    for (size_t k = 0; k < terms_; ++k)
      packed_.push_back(static_cast<ptrdiff_t>(k * length_ * sizeof(T)));
  }

  void compute(const Arrays &arrays, unsigned char *, size_t threads) const override {
    const size_t pieces = (inner_.size + length_ - 1) / length_, rows = total(rows_), outer = total(outer_);
    if (!rows || !outer || !inner_.size)
      return;
    const double multiplications = double(outer) * double(rows) * double(inner_.size) * double(terms_ + 8);
    const size_t worth = parts_of(parts_worth(4 * multiplications), threads);
    const size_t row_parts = std::clamp<size_t>(worth / (outer * pieces), 1, rows);
    std::atomic<bool> failed{false};
    in_parallel(outer * pieces * row_parts, worth > 1 ? threads : 1, [&](size_t index) {
      const size_t row_part = index % row_parts, piece = index / row_parts % pieces;
      const size_t first = row_part * rows / row_parts, last = (row_part + 1) * rows / row_parts;
      if (!compute_rows(arrays, index / row_parts / pieces, piece * length_, first, last))
        failed = true;
    });
    if (failed)
      throw std::bad_alloc();
  }

  const char *strategy() const override { return "lines"; }

private:
  // Returns false if there is no memory.
  bool compute_rows(const Arrays &arrays, size_t outer, size_t start, size_t first, size_t last) const {
    const size_t count = std::min(length_, inner_.size - start);
    const auto skipped = static_cast<ptrdiff_t>(start);
    const auto at = [&](ptrdiff_t Axis::*stride) {
      return Shape(outer_, stride).offset(outer) + skipped * inner_.*stride;
    };
    constexpr ptrdiff_t item = sizeof(T);
    const bool is_packed = inner_.b != item, is_apart = inner_.c != item;
    unsigned char *memory = thread_memory((terms_ + 1) * length_ * sizeof(T));
    if (!memory)
      return false;
    const unsigned char *b = arrays.b + at(&Axis::b);
    if (is_packed)
      for (size_t k = 0; k < terms_; ++k)
        for (size_t i = 0; i < count; ++i)
          std::memcpy(memory + static_cast<size_t>(packed_[k]) + i * sizeof(T),
                      b + b_terms_[k] + static_cast<ptrdiff_t>(i) * inner_.b, sizeof(T));
    T *sums = reinterpret_cast<T *>(memory + terms_ * length_ * sizeof(T));
    Line<T> line{nullptr, is_packed ? memory : b, a_terms_.data(), is_packed ? packed_.data() : b_terms_.data(),
                 terms_, count, sums};
    const Shape a_rows(rows_, &Axis::a), c_rows(rows_, &Axis::c);
    const ptrdiff_t a_step = a_rows.inner(), c_step = c_rows.inner();
    const size_t width = rows_.back().size;
    for (size_t row = first; row < last && !should_stop();) {
      const size_t length = std::min(last - row, width - row % width);
      line.a = arrays.a + at(&Axis::a) + a_rows.offset(row);
      unsigned char *c = arrays.c + at(&Axis::c) + c_rows.offset(row);
      for (size_t i = 0; i < length; ++i, line.a += a_step, c += c_step) {
        line.sums = is_apart ? sums : reinterpret_cast<T *>(c);
        best_kernels<T>().compute_line(line);
        if (is_apart)
          for (size_t j = 0; j < count; ++j)
            std::memcpy(c + static_cast<ptrdiff_t>(j) * inner_.c, sums + j, sizeof(T));
      }
      row += length;
    }
    return true;
  }

  const Axis inner_;
  Axes outer_;
  const Axes rows_;
  const size_t terms_, length_;
  std::vector<ptrdiff_t> a_terms_, b_terms_, packed_;
};

template <class T> bool has_lines(const Product &product) {
  const size_t terms = total(product.terms);
  return total(product.columns) == 1 && terms > 0 && terms <= block_terms && product.batch.back().size >= least_line &&
         product.batch.back().a == static_cast<ptrdiff_t>(sizeof(T));
}

} // namespace

template <class T> Strategy lines(const Product &product) {
  if (!is_plain(product))
    return nullptr;
  if (has_lines<T>(product))
    return std::make_unique<LineProduct<T>>(product, false);
  const Product other = transposed(product);
  return has_lines<T>(other) ? std::make_unique<LineProduct<T>>(other, true) : nullptr;
}

template <class T> bool are_long_lines(const Product &product) {
  const Axis &inner = product.batch.back();
  if (total(product.terms) > 4)
    return inner.size >= 16;
  return inner.size >= 32 && inner.a == inner.b;
}

template bool are_long_lines<float>(const Product &);
template bool are_long_lines<double>(const Product &);
template Strategy lines<float>(const Product &);
template Strategy lines<double>(const Product &);

} // namespace hlokit::matmul
