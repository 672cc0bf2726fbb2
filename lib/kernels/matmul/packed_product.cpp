#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

#include "kernels/matmul/axes.h"
#include "kernels/matmul/strategy.h"
#include "support/should_stop.h"
#include "support/threads.h"

namespace hlokit::matmul {
namespace {

// Rows, terms and columns whose offsets are computed in advance, all together.
constexpr size_t most_offsets = 1024;

// How a product is divided among threads.
struct Division {
  size_t batch_parts = 1, row_parts = 1, column_parts = 1;
};

template <class T> class PackedProduct final : public PreparedProduct {
public:
  PackedProduct(const Product &product, bool is_transposed)
      : PreparedProduct(is_transposed), batch_(product.batch), a_rows_(product.rows, &Axis::a), c_rows_(product.rows, &Axis::c),
        a_terms_(product.terms, &Axis::a), b_terms_(product.terms, &Axis::b), b_columns_(product.columns, &Axis::b),
        c_columns_(product.columns, &Axis::c), batch_count_(total(product.batch)), rows_(total(product.rows)),
        columns_(total(product.columns)) {
    const auto number = [](ElementType type) { return static_cast<size_t>(type); };
    part_.read_a = product.a_type == type_of<T> ? nullptr : kernel_.reads[number(product.a_type)];
    part_.read_b = product.b_type == type_of<T> ? nullptr : kernel_.reads[number(product.b_type)];
    part_.write = product.c_type == type_of<T> ? nullptr : kernel_.writes[number(product.c_type)]; // bytes: always null
    part_.a_size = size_of(product.a_type);
    part_.b_size = size_of(product.b_type);
    part_.c_size = size_of(product.c_type);
    part_.terms = total(product.terms);
    const Shape *shapes[] = {&a_rows_, &c_rows_, &a_terms_, &b_terms_, &b_columns_, &c_columns_};
    Offsets *offsets[] = {&part_.a_rows,  &part_.c_rows,    &part_.a_terms,
                          &part_.b_terms, &part_.b_columns, &part_.c_columns};
    const bool is_listed = rows_ + part_.terms + columns_ <= most_offsets;
    for (const Shape *shape : shapes)
      if (is_listed)
        shape->list(listed_);
    size_t done = 0;
    for (size_t i = 0; i < 6; ++i) {
      *offsets[i] = shapes[i]->offsets();
      if (is_listed)
        offsets[i]->all = listed_.data() + done;
      done += i < 2 ? rows_ : i < 4 ? part_.terms : columns_;
    }
    worth_ = parts_worth(double(batch_count_) * double(rows_) * double(columns_) * double(part_.terms + 8) /
                         (sizeof(T) == 1 ? 4 : 1)); // four products of bytes take the time of one
    part_.rows = rows_;
    part_.columns = columns_;
  }

  void compute(const Arrays &arrays, unsigned char *, size_t threads) const override {
    if (!batch_count_ || !rows_ || !columns_)
      return;
    const Division division = divided(threads);
    const size_t parts = division.batch_parts * division.row_parts * division.column_parts;
    if (parts == 1) {
      if (!compute_batch(arrays, part_, 0, batch_count_))
        throw std::bad_alloc();
      return;
    }
    std::atomic<bool> failed{false};
    in_parallel(parts, threads, [&](size_t index) {
      if (!compute_part(arrays, division, index))
        failed = true;
    });
    if (failed)
      throw std::bad_alloc();
  }

  const char *strategy() const override { return "packed"; }

private:
  Division divided(size_t threads) const {
    Division result;
    const size_t worth = parts_of(worth_, threads);
    if (worth == 1)
      return result;
    result.batch_parts = std::min(batch_count_, worth);
    const size_t more = (worth + result.batch_parts - 1) / result.batch_parts;
    const size_t row_units = (rows_ + kernel_.rows - 1) / kernel_.rows;
    const size_t column_units = (columns_ + kernel_.columns - 1) / kernel_.columns;
    // Each part packs its rows and its columns: choose the division that packs least.
    double least_copies = 0;
    for (size_t parts = 1; parts <= more; ++parts) {
      const size_t row_parts = std::min(parts, row_units);
      const size_t column_parts = std::min((more + row_parts - 1) / row_parts, column_units);
      const double copies = double(rows_) * double(column_parts) + double(columns_) * double(row_parts);
      const bool is_enough = row_parts * column_parts >= more || row_parts * column_parts >= row_units * column_units;
      if (is_enough && (least_copies == 0 || copies < least_copies)) {
        least_copies = copies;
        result.row_parts = row_parts;
        result.column_parts = column_parts;
      }
    }
    return result;
  }

  bool compute_part(const Arrays &arrays, const Division &division, size_t index) const {
    const size_t column_part = index % division.column_parts, row_part = index / division.column_parts % division.row_parts;
    const size_t batch_part = index / division.column_parts / division.row_parts;
    Part<T> mine = part_;
    const auto cut = [](size_t count, size_t parts, size_t number, size_t unit, size_t &first, size_t &length) {
      const size_t units = (count + unit - 1) / unit;
      first = std::min(units * number / parts * unit, count);
      length = std::min(units * (number + 1) / parts * unit, count) - first;
    };
    cut(rows_, division.row_parts, row_part, kernel_.rows, mine.first_row, mine.rows);
    cut(columns_, division.column_parts, column_part, kernel_.columns, mine.first_column, mine.columns);
    size_t first, length;
    cut(batch_count_, division.batch_parts, batch_part, 1, first, length);
    return !mine.rows || !mine.columns || compute_batch(arrays, mine, first, first + length);
  }

  // Returns false if there is no memory.
  bool compute_batch(const Arrays &arrays, Part<T> part, size_t first, size_t last) const {
    part.workspace = thread_memory(kernel_.workspace_bytes(part));
    if (!part.workspace)
      return false;
    each_run(batch_, first, last, [&](ptrdiff_t a, ptrdiff_t b, ptrdiff_t c, size_t count) {
      part.a = arrays.a + a;
      part.b = arrays.b + b;
      part.c = arrays.c + c;
      const Axis &inner = batch_.back();
      for (size_t i = 0; i < count && !should_stop(); ++i, part.a += inner.a, part.b += inner.b, part.c += inner.c)
        kernel_.compute(part);
    });
    return true;
  }

  const Kernels<T> &kernel_ = best_kernels<T>();
  const Axes batch_;
  const Shape a_rows_, c_rows_, a_terms_, b_terms_, b_columns_, c_columns_;
  const size_t batch_count_, rows_, columns_;
  size_t worth_;
  Part<T> part_{};
  std::vector<ptrdiff_t> listed_;
};

// Moves the dimension whose elements are neighbours in memory to the end, unless terms are neighbours: rows or columns are then
// packed several at a time, if they are not few. Their order changes no sum.
void put_neighbours_last(Axes &axes, ptrdiff_t Axis::*stride, const Axis &term, size_t size) {
  const auto item = static_cast<ptrdiff_t>(size);
  if (term.*stride == item)
    return;
  constexpr size_t few = 8;
  const auto is_near = [&](const Axis &axis) { return axis.*stride == item && axis.size >= few; };
  const auto near = std::find_if(axes.begin(), axes.end(), is_near);
  if (near != axes.end())
    std::rotate(near, near + 1, axes.end());
}

} // namespace

template <class T> Strategy packed(const Product &in_any_order) {
  Product product = in_any_order;
  put_neighbours_last(product.rows, &Axis::a, product.terms.back(), size_of(product.a_type));
  put_neighbours_last(product.columns, &Axis::b, product.terms.back(), size_of(product.b_type));
  if (is_better_transposed(total(product.rows), total(product.columns), product.rows.back().a, product.terms.back().a,
                           product.terms.back().b, product.columns.back().b, size_of(product.a_type),
                           size_of(product.b_type)))
    return std::make_unique<PackedProduct<T>>(transposed(product), true);
  return std::make_unique<PackedProduct<T>>(product, false);
}

template Strategy packed<float>(const Product &);
template Strategy packed<double>(const Product &);
template Strategy packed<int8_t>(const Product &);

} // namespace hlokit::matmul
