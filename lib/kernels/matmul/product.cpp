#include "kernels/matmul/product.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "kernels/matmul/axes.h"
#include "kernels/matmul/kernels.h"
#include "support/threads.h"

namespace hlokit::matmul {
namespace {

// Multiplications for which another thread pays: some 20 us.
constexpr double least_part = 2e6;
// Parts per thread, so that a thread that starts late does less.
constexpr size_t parts_per_thread = 2;

template <class T> const Kernels<T> &best_kernels() {
  static const Kernels<T> &chosen = HLOKIT_BEST_VARIANT(kernels(T()));
  return chosen;
}

constexpr size_t alignment = 64;

// The memory of a thread, kept from product to product: some MB at most.
class Workspace {
public:
  // Null if the system has no memory.
  unsigned char *get(size_t bytes) {
    if (bytes > size_) {
      size_ = 0;
      memory_.reset(new (std::nothrow) unsigned char[bytes + alignment]);
      if (!memory_)
        return nullptr;
      size_ = bytes;
    }
    const auto address = reinterpret_cast<uintptr_t>(memory_.get());
    return memory_.get() + (alignment - address % alignment) % alignment;
  }

private:
  std::unique_ptr<unsigned char[]> memory_;
  size_t size_ = 0;
};

thread_local Workspace workspace;

// A product, divided into parts.
template <class T> struct Job {
  Part<T> part;
  const Shape &a_batch, &b_batch, &c_batch;
  size_t batch, rows, columns;
  size_t row_parts, column_parts, batch_parts;
  std::atomic<bool> failed{false};

  void run(size_t index) {
    const size_t column_part = index % column_parts, row_part = index / column_parts % row_parts;
    const size_t batch_part = index / column_parts / row_parts;
    const Kernels<T> &kernel = best_kernels<T>();
    Part<T> mine = part;
    const auto cut = [](size_t count, size_t parts, size_t number, size_t unit, size_t &first, size_t &length) {
      const size_t units = (count + unit - 1) / unit;
      first = std::min(units * number / parts * unit, count);
      length = std::min(units * (number + 1) / parts * unit, count) - first;
    };
    cut(rows, row_parts, row_part, kernel.rows, mine.first_row, mine.rows);
    cut(columns, column_parts, column_part, kernel.columns, mine.first_column, mine.columns);
    if (!mine.rows || !mine.columns)
      return;
    size_t first, length;
    cut(batch, batch_parts, batch_part, 1, first, length);
    mine.workspace = workspace.get(kernel.workspace_bytes(mine));
    if (!mine.workspace) {
      failed = true;
      return;
    }
    for (size_t i = first; i < first + length; ++i) {
      mine.a = part.a + a_batch.offset(i);
      mine.b = part.b + b_batch.offset(i);
      mine.c = part.c + c_batch.offset(i);
      kernel.compute(mine);
    }
  }
};

template <class T> constexpr ElementType type_of = std::is_same_v<T, float> ? ElementType::f32 : ElementType::f64;

// Whether to compute the transposed product instead: columns as rows, and rows as columns.
bool is_better_transposed(size_t rows, size_t columns, ptrdiff_t row, ptrdiff_t a_term, ptrdiff_t b_term, ptrdiff_t column,
                      size_t a_size, size_t b_size) {
  const bool by_rows = rows > 1 && row == static_cast<ptrdiff_t>(a_size);
  const bool by_columns = columns > 1 && column == static_cast<ptrdiff_t>(b_size);
  if (by_rows != by_columns)
    return by_rows;
  // For a few vectors: sums along memory.
  return columns <= 4 && rows > columns && !by_columns && a_term == static_cast<ptrdiff_t>(a_size) &&
         b_term == static_cast<ptrdiff_t>(b_size);
}


template <class T> void run_as_it_is(const Product &product, size_t threads) {
  const Kernels<T> &kernel = best_kernels<T>();
  const Axes batch = collapsed(product.batch, true, true, true);
  const Axes rows = collapsed(product.rows, true, false, true);
  const Axes terms = collapsed(product.terms, true, true, false);
  const Axes columns = collapsed(product.columns, false, true, true);
  const Shape a_batch(batch, &Axis::a), b_batch(batch, &Axis::b), c_batch(batch, &Axis::c);
  const Shape a_rows(rows, &Axis::a), c_rows(rows, &Axis::c), a_terms(terms, &Axis::a), b_terms(terms, &Axis::b);
  const Shape b_columns(columns, &Axis::b), c_columns(columns, &Axis::c);
  Job<T> job{{}, a_batch, b_batch, c_batch, total(batch), total(rows), total(columns), 1, 1, 1};
  Part<T> &part = job.part;
  const auto number = [](ElementType type) { return static_cast<size_t>(type); };
  part.a = product.a;
  part.b = product.b;
  part.c = product.c;
  part.read_a = product.a_type == type_of<T> ? nullptr : kernel.reads[number(product.a_type)];
  part.read_b = product.b_type == type_of<T> ? nullptr : kernel.reads[number(product.b_type)];
  part.write = product.c_type == type_of<T> ? nullptr : kernel.writes[number(product.c_type)];
  part.a_size = size_of(product.a_type);
  part.b_size = size_of(product.b_type);
  part.c_size = size_of(product.c_type);
  part.terms = total(terms);
  part.a_rows = a_rows.offsets();
  part.c_rows = c_rows.offsets();
  part.a_terms = a_terms.offsets();
  part.b_terms = b_terms.offsets();
  part.b_columns = b_columns.offsets();
  part.c_columns = c_columns.offsets();
  if (!job.batch || !job.rows || !job.columns)
    return;

  const double work = double(job.batch) * double(job.rows) * double(job.columns) * double(part.terms + 8);
  const auto worth = static_cast<size_t>(std::min(work / least_part, double(threads) * parts_per_thread));
  if (worth > 1) {
    job.batch_parts = std::min(job.batch, worth);
    const size_t more = (worth + job.batch_parts - 1) / job.batch_parts;
    const size_t row_units = (job.rows + kernel.rows - 1) / kernel.rows;
    const size_t column_units = (job.columns + kernel.columns - 1) / kernel.columns;
    // Each part packs its rows and its columns: choose the division that packs least.
    double least_copies = 0;
    for (size_t parts = 1; parts <= more; ++parts) {
      const size_t row_parts = std::min(parts, row_units);
      const size_t column_parts = std::min((more + row_parts - 1) / row_parts, column_units);
      const double copies = double(job.rows) * double(column_parts) + double(job.columns) * double(row_parts);
      const bool is_enough = row_parts * column_parts >= more || row_parts * column_parts >= row_units * column_units;
      if (is_enough && (least_copies == 0 || copies < least_copies)) {
        least_copies = copies;
        job.row_parts = row_parts;
        job.column_parts = column_parts;
      }
    }
  }
  const size_t parts = job.batch_parts * job.row_parts * job.column_parts;
  in_parallel(parts, threads, [](void *state, size_t index) { static_cast<Job<T> *>(state)->run(index); }, &job);
  if (job.failed)
    throw std::bad_alloc();
}

// Lines of at least as many neighbours are computed as such.
constexpr size_t least_line = 8;

// Vectors times vectors, or matrices, for many neighbours of a batch: each is a line of `batch.back()`.
template <class T> class Lines {
public:
  Lines(const Product &product, const Axes &batch, const Axes &rows,
        const Axes &terms)
      : product_(product), inner_(batch.back()), outer_(batch.begin(), batch.end() - 1), rows_(rows), terms_(total(terms)),
        length_(std::min(inner_.size, std::max<size_t>(most_packed / terms_, 64))) {
    const Shape a(terms, &Axis::a), b(terms, &Axis::b);
    for (size_t k = 0; k < terms_; ++k) {
      a_terms_.push_back(a.offset(k));
      b_terms_.push_back(b.offset(k));
      packed_.push_back(static_cast<ptrdiff_t>(k * length_ * sizeof(T)));
    }
    if (outer_.empty())
      outer_.push_back({1, 0, 0, 0});
  }

  // Whether the product is computed along lines.
  static bool fit(const Product &product, const Axes &batch, size_t terms, size_t columns) {
    return columns == 1 && terms > 0 && terms <= block_terms && product.a_type == type_of<T> &&
           product.b_type == type_of<T> && product.c_type == type_of<T> && batch.back().size >= least_line &&
           batch.back().a == static_cast<ptrdiff_t>(sizeof(T));
  }

  void run(size_t threads) {
    const size_t pieces = (inner_.size + length_ - 1) / length_, rows = total(rows_), outer = total(outer_);
    if (!rows || !outer || !inner_.size)
      return;
    const double work = 4 * double(outer) * double(rows) * double(inner_.size) * double(terms_ + 8);
    const auto worth = static_cast<size_t>(std::min(work / least_part, double(threads) * parts_per_thread));
    const size_t row_parts = std::clamp<size_t>(worth / (outer * pieces), 1, rows);
    const auto part = [&](size_t index) {
      const size_t row_part = index % row_parts, piece = index / row_parts % pieces;
      const size_t first = row_part * rows / row_parts, last = (row_part + 1) * rows / row_parts;
      compute(index / row_parts / pieces, piece * length_, first, last);
    };
    in_parallel(outer * pieces * row_parts, worth > 1 ? threads : 1, part);
    if (failed_)
      throw std::bad_alloc();
  }

private:
  // Elements of b that are packed at a time.
  static constexpr size_t most_packed = 1 << 14;

  void compute(size_t outer, size_t start, size_t first, size_t last) {
    const size_t count = std::min(length_, inner_.size - start);
    const auto skipped = static_cast<ptrdiff_t>(start);
    const auto at = [&](ptrdiff_t Axis::*stride) { return Shape(outer_, stride).offset(outer) + skipped * inner_.*stride; };
    const bool is_packed = inner_.b != static_cast<ptrdiff_t>(sizeof(T)), is_apart = inner_.c != static_cast<ptrdiff_t>(sizeof(T));
    unsigned char *memory = workspace.get((terms_ + 1) * length_ * sizeof(T));
    if (!memory) {
      failed_ = true;
      return;
    }
    const unsigned char *b = product_.b + at(&Axis::b);
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
    for (size_t row = first; row < last;) {
      const size_t length = std::min(last - row, width - row % width);
      line.a = product_.a + at(&Axis::a) + a_rows.offset(row);
      unsigned char *c = product_.c + at(&Axis::c) + c_rows.offset(row);
      for (size_t i = 0; i < length; ++i, line.a += a_step, c += c_step) {
        line.sums = is_apart ? sums : reinterpret_cast<T *>(c);
        best_kernels<T>().compute_line(line);
        if (is_apart)
          for (size_t j = 0; j < count; ++j)
            std::memcpy(c + static_cast<ptrdiff_t>(j) * inner_.c, sums + j, sizeof(T));
      }
      row += length;
    }
  }

  const Product &product_;
  const Axis inner_;
  Axes outer_;
  const Axes &rows_;
  const size_t terms_, length_;
  std::vector<ptrdiff_t> a_terms_, b_terms_, packed_;
  std::atomic<bool> failed_{false};
};

bool are_few(size_t rows, size_t terms, size_t columns) {
  return terms <= few_terms && rows <= few_products && columns <= few_products && rows * terms * columns <= few_products;
}

// Computes a batch of small matrices an element at a time; returns false for other products.
template <class T>
bool run_few(const Product &product, const Axes &batch, const Axes &rows, const Axes &terms, const Axes &columns,
             size_t threads) {
  for (const Axes *axes : {&batch, &rows, &terms, &columns})
    if (axes->size() > 1)
      return false;
  for (ElementType type : {product.a_type, product.b_type, product.c_type})
    if (type != type_of<T>)
      return false;
  if (!are_few(rows[0].size, terms[0].size, columns[0].size))
    return false;
  const size_t count = batch[0].size;
  const double work = double(count) * double(rows[0].size) * double(columns[0].size) * double(terms[0].size + 8);
  const auto worth = static_cast<size_t>(std::min(work / least_part, double(threads) * parts_per_thread));
  const size_t parts = std::clamp<size_t>(worth, 1, std::max<size_t>(count, 1));
  const auto part = [&](size_t index) {
    const size_t first = index * count / parts, last = (index + 1) * count / parts;
    const auto at = [&](ptrdiff_t stride) { return static_cast<ptrdiff_t>(first) * stride; };
    best_kernels<T>().compute_few({product.a + at(batch[0].a), product.b + at(batch[0].b), product.c + at(batch[0].c),
                                   last - first, rows[0].size, terms[0].size, columns[0].size, batch[0].a, rows[0].a,
                                   terms[0].a, batch[0].b, terms[0].b, columns[0].b, batch[0].c, rows[0].c,
                                   columns[0].c});
  };
  in_parallel(parts, parts > 1 ? threads : 1, part);
  return true;
}

template <class T> void run_in(const Product &product, size_t threads) {
  const Axes batch = collapsed(product.batch, true, true, true);
  const Axes rows = collapsed(product.rows, true, false, true);
  const Axes terms = collapsed(product.terms, true, true, false);
  const Axes columns = collapsed(product.columns, false, true, true);
  if (Lines<T>::fit(product, batch, total(terms), total(columns)))
    return Lines<T>(product, batch, rows, terms).run(threads);
  if (total(rows) == 1) {
    const Product other = transposed(product, batch, rows, terms, columns);
    if (Lines<T>::fit(other, other.batch, total(terms), 1))
      return Lines<T>(other, other.batch, other.rows, other.terms).run(threads);
  }
  if (run_few<T>(product, batch, rows, terms, columns, threads))
    return;
  if (is_better_transposed(total(rows), total(columns), rows.back().a, terms.back().a, terms.back().b,
                       columns.back().b, size_of(product.a_type), size_of(product.b_type))) {
    run_as_it_is<T>(transposed(product, batch, rows, terms, columns), threads);
    return;
  }
  run_as_it_is<T>(product, threads);
}

template <class T>
void multiply_in(T *c, Strides c_strides, const T *a, Strides a_strides, const T *b, Strides b_strides, size_t m,
                 size_t n, size_t k) {
  if (!m || !n)
    return;
  constexpr ptrdiff_t size = sizeof(T);
  if (are_few(m, k, n)) {
    const auto *a_bytes = reinterpret_cast<const unsigned char *>(a);
    const auto *b_bytes = reinterpret_cast<const unsigned char *>(b);
    return best_kernels<T>().compute_few({a_bytes, b_bytes, reinterpret_cast<unsigned char *>(c), 1, m, k, n, 0,
                                          a_strides.row * size, a_strides.column * size, 0, b_strides.row * size,
                                          b_strides.column * size, 0, c_strides.row * size, c_strides.column * size});
  }
  if (is_better_transposed(m, n, a_strides.row, a_strides.column, b_strides.row, b_strides.column, 1, 1)) {
    std::swap(a, b);
    std::swap(a_strides, b_strides);
    std::swap(m, n);
    for (Strides *strides : {&a_strides, &b_strides, &c_strides})
      std::swap(strides->row, strides->column);
  }
  const ptrdiff_t a_row = a_strides.row * size, a_term = a_strides.column * size, b_term = b_strides.row * size,
                  b_column = b_strides.column * size, c_row = c_strides.row * size,
                  c_column = c_strides.column * size;
  Part<T> part{};
  part.a = reinterpret_cast<const unsigned char *>(a);
  part.b = reinterpret_cast<const unsigned char *>(b);
  part.c = reinterpret_cast<unsigned char *>(c);
  part.a_size = part.b_size = part.c_size = sizeof(T);
  part.a_rows = {&m, &a_row, 1};
  part.a_terms = {&k, &a_term, 1};
  part.b_terms = {&k, &b_term, 1};
  part.b_columns = {&n, &b_column, 1};
  part.c_rows = {&m, &c_row, 1};
  part.c_columns = {&n, &c_column, 1};
  part.rows = m;
  part.columns = n;
  part.terms = k;
  part.workspace = workspace.get(best_kernels<T>().workspace_bytes(part));
  if (!part.workspace)
    throw std::bad_alloc();
  best_kernels<T>().compute(part);
}

} // namespace

size_t roundings(size_t terms) {
  // Of a block: those of a lane, and of the tree of lanes; one more for the sum of blocks.
  const size_t block = std::min<size_t>(terms, 256);
  if (block < 8)
    return block;
  return block < 128 ? (block + 7) / 8 + 3 : (block + 15) / 16 + 4 + (terms > 256);
}

bool is_supported(ElementType a, ElementType b, ElementType c, ElementType work) {
  if (work != ElementType::f32 && work != ElementType::f64)
    return false;
  const Kernels<float> &narrow = best_kernels<float>();
  const Kernels<double> &wide = best_kernels<double>();
  const bool is_wide = work == ElementType::f64;
  const auto is_read = [&](ElementType type) {
    return wide.reads[static_cast<size_t>(type)] != nullptr && (is_wide || type != ElementType::f64);
  };
  const auto number = static_cast<size_t>(c);
  return is_read(a) && is_read(b) && (is_wide ? wide.writes[number] != nullptr : narrow.writes[number] != nullptr);
}

void multiply(float *c, Strides c_strides, const float *a, Strides a_strides, const float *b, Strides b_strides,
              size_t m, size_t n, size_t k) {
  multiply_in(c, c_strides, a, a_strides, b, b_strides, m, n, k);
}

void multiply(double *c, Strides c_strides, const double *a, Strides a_strides, const double *b,
              Strides b_strides, size_t m, size_t n, size_t k) {
  multiply_in(c, c_strides, a, a_strides, b, b_strides, m, n, k);
}

void run(const Product &product, size_t threads) {
  if (product.work == ElementType::f32)
    run_in<float>(product, threads);
  else
    run_in<double>(product, threads);
}

} // namespace hlokit::matmul
