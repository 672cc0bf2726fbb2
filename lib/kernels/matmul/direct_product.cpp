#include <algorithm>
#include <vector>

#include "kernels/matmul/axes.h"
#include "kernels/matmul/strategy.h"
#include "support/should_stop.h"

namespace hlokit::matmul {
namespace {

// Products of a batch between two questions whether to stop.
constexpr size_t at_a_time = 4096;

// The most rows and columns, so that lists of offsets stay short.
constexpr size_t most_listed = 4096;
// The strategy is for fewer multiplications than these of two matrices (twice as many if there are few terms, half as
// many if there are many), or than these for each row or column.
constexpr size_t most_multiplications = size_t(1) << 15, few_terms = 32, many_terms = 64, most_per_row = 256;
// For a vector times a matrix of this many elements, other strategies are faster unless there are very few terms; and
// for a long sum of terms that are contiguous in memory.
constexpr size_t most_elements = size_t(1) << 12, very_few_terms = 8, long_sum = 128;

// Parts of numbers, which are computed one by one.
size_t parts_in(const Product &product) { return is_complex(product.c_type) ? 2 : 1; }

// Whether the numbers are real, and the terms neighbours in memory.
bool are_terms_near(const Product &product) {
  const Axis &term = product.terms.back();
  const auto item = static_cast<ptrdiff_t>(size_of(product.c_type));
  return !is_complex(product.c_type) && term.size == total(product.terms) && term.a == item && term.b == item;
}

template <class T> bool is_computed_along_terms(const Product &product) {
  return are_terms_near(product) && is_along_terms<T>(total(product.columns), total(product.terms));
}

template <class T> bool is_small(const Product &product) {
  const size_t rows = total(product.rows), columns = total(product.columns), terms = total(product.terms);
  if (!rows || !columns || !terms || rows > most_listed || columns > most_listed || terms * parts_in(product) > block_terms)
    return false;
  const size_t fewer = std::min(rows, columns), all = rows * columns * terms;
  if (is_computed_along_terms<T>(product))
    return true;
  if (terms >= long_sum && are_terms_near(product))
    return false;
  if (fewer == 1)
    return all < most_elements || terms <= very_few_terms;
  const size_t most = terms <= few_terms   ? 2 * most_multiplications
                      : terms < many_terms ? most_multiplications
                                           : most_multiplications / 2;
  return all < most || fewer * terms <= most_per_row;
}

template <class T> class DirectProduct final : public PreparedProduct {
public:
  DirectProduct(const Product &product, bool is_transposed)
      : PreparedProduct(is_transposed), batch_(product.batch), count_(total(batch_)) {
    const size_t rows = total(product.rows), terms = total(product.terms), columns = total(product.columns);
    Axes parts = product.terms;
    parts.push_back({parts_in(product), sizeof(T), 0, 0});
    offsets_.reserve(2 * rows + 3 * terms + 2 * columns);
    const auto list = [&](const Axes &axes, ptrdiff_t Axis::*stride) {
      const size_t first = offsets_.size();
      Shape(axes, stride).list(offsets_);
      return offsets_.data() + first;
    };
    direct_.rows = rows;
    direct_.columns = columns;
    direct_.terms = total(parts);
    direct_.a_batch = batch_.back().a;
    direct_.b_batch = batch_.back().b;
    direct_.c_batch = batch_.back().c;
    direct_.a_rows = list(product.rows, &Axis::a);
    direct_.a_terms = list(parts, &Axis::a);
    direct_.b_terms = list(product.terms, &Axis::b);
    direct_.b_columns = list(product.columns, &Axis::b);
    direct_.c_rows = list(product.rows, &Axis::c);
    direct_.c_columns = list(product.columns, &Axis::c);
    const auto item = static_cast<ptrdiff_t>(size_of(product.c_type));
    runs_.reserve(2 * columns);
    direct_.b_runs = list_runs(direct_.b_columns, item);
    direct_.c_runs = list_runs(direct_.c_columns, item);
    direct_.is_complex = is_complex(product.c_type);
    direct_.is_along_terms = is_computed_along_terms<T>(product);
    compute_ = HLOKIT_BEST_VARIANT(choose_direct(direct_));
    worth_ = parts_worth(double(count_) * double(rows) * double(columns) * double(direct_.terms + 8));
  }

  bool has_function() const { return compute_ != nullptr; }

  const char *strategy() const override { return "direct"; }

private:
  const size_t *list_runs(const ptrdiff_t *offsets, ptrdiff_t item) {
    const size_t first = runs_.size();
    runs_.resize(first + direct_.columns, 1);
    for (size_t i = direct_.columns - 1; i-- > 0;)
      if (offsets[i + 1] == offsets[i] + item)
        runs_[first + i] = runs_[first + i + 1] + 1;
    return runs_.data() + first;
  }

  void compute(const Arrays &arrays, unsigned char *, size_t threads) const override {
    const size_t parts = std::min(parts_of(worth_, threads), count_);
    each_part(parts, threads, [&](size_t index) {
      each_run(batch_, index * count_ / parts, (index + 1) * count_ / parts,
               [&](ptrdiff_t a, ptrdiff_t b, ptrdiff_t c, size_t count) {
                 for (size_t done = 0; done < count && !should_stop(); done += at_a_time) {
                   const auto skipped = static_cast<ptrdiff_t>(done);
                   compute_(direct_, {arrays.a + a + skipped * direct_.a_batch, arrays.b + b + skipped * direct_.b_batch,
                                      arrays.c + c + skipped * direct_.c_batch, std::min(at_a_time, count - done)});
                 }
               });
    });
  }

  const Axes batch_;
  const size_t count_;
  size_t worth_;
  Direct<T> direct_{};
  std::vector<ptrdiff_t> offsets_;
  std::vector<size_t> runs_;
  DirectFunction<T> compute_;
};

} // namespace

template <class T> Strategy direct(const Product &given, bool is_transposed) {
  const Product product = is_transposed ? transposed(given) : given;
  const bool is_of_one_type = product.a_type == product.c_type && product.b_type == product.c_type;
  if (!is_of_one_type || size_of(product.c_type) != sizeof(T) * parts_in(product))
    return nullptr;
  if (!is_small<T>(product) || !total(product.batch))
    return nullptr;
  auto result = std::make_unique<DirectProduct<T>>(product, is_transposed);
  return result->has_function() ? std::move(result) : nullptr;
}

template Strategy direct<float>(const Product &, bool);
template Strategy direct<double>(const Product &, bool);

namespace {

template <class T> double cost_of(const Product &product) {
  const size_t columns = total(product.columns);
  const Axis &inner = product.columns.back();
  const auto has_runs = [&](ptrdiff_t stride) {
    return stride == static_cast<ptrdiff_t>(sizeof(T)) &&
           (inner.size == columns || inner.size >= best_kernels<T>().columns / 2);
  };
  return direct_cost<T>(total(product.rows), total(product.terms), columns, has_runs(inner.b), has_runs(inner.c),
                        is_computed_along_terms<T>(product));
}

} // namespace

template <class T>
double direct_cost(size_t rows, size_t terms, size_t columns, bool are_b_neighbours, bool are_c_neighbours, bool is_along_terms) {
  if (is_along_terms)
    return 10 + double(rows * columns) * (double(terms) * double(sizeof(T)) / 32 + 6);
  size_t width = 16 / sizeof(T);
  while (2 * width <= std::min(columns, best_kernels<T>().columns / 2))
    width *= 2;
  const auto length = double(std::min(width, columns)), vectors = double((columns + width - 1) / width);
  const bool are_few = terms <= 4 || terms == 8;
  const double get = are_b_neighbours && columns >= width ? 1 : (are_few ? 1.4 : 1.05) * length;
  const double put = are_c_neighbours && columns >= width ? 0.5 : length;
  const double row = (are_few ? 0.4 * double(terms) + 0.5 : 1.2 * double(terms) + 3) + put;
  return vectors * (6 + double(terms) * (get + (are_few ? 0 : 1)) + double(rows) * row);
}

template double direct_cost<float>(size_t, size_t, size_t, bool, bool, bool);
template double direct_cost<double>(size_t, size_t, size_t, bool, bool, bool);

template <class T> Strategy direct(const Product &product) {
  if (is_complex(product.c_type))
    return direct<T>(product, false);
  const bool is_transposed = cost_of<T>(transposed(product)) < cost_of<T>(product);
  if (Strategy found = direct<T>(product, is_transposed))
    return found;
  // The slower order pays only for tiny matrices.
  const bool is_tiny = total(product.rows) * total(product.columns) * total(product.terms) <= most_elements;
  return is_tiny ? direct<T>(product, !is_transposed) : nullptr;
}

template Strategy direct<float>(const Product &);
template Strategy direct<double>(const Product &);

} // namespace hlokit::matmul
