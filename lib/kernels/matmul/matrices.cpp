// Products of two matrices, which are prepared and computed at once.
#include <algorithm>
#include <new>
#include <utility>

#include "kernels/matmul/strategy.h"

namespace hlokit::matmul {
namespace {

// Bounds for matrices that are multiplied directly. For tiny ones, comparing the costs of both orders takes longer than
// it saves.
constexpr size_t most_rows = 64, few_multiplications = size_t(1) << 14, tiny = 64;

// A matrix, with the distances of its rows and columns in bytes. A result is written through the same pointer.
struct Matrix {
  unsigned char *data;
  ptrdiff_t row, column;

  template <class T>
  Matrix(const T *first, Strides strides)
      : data(reinterpret_cast<unsigned char *>(const_cast<T *>(first))), row(strides.row * ptrdiff_t(sizeof(T))),
        column(strides.column * ptrdiff_t(sizeof(T))) {}
};

template <class T> class MatrixProduct {
public:
  MatrixProduct(const Matrix &a, const Matrix &b, const Matrix &c, size_t m, size_t n, size_t k)
      : a_(a), b_(b), c_(c), m_(m), n_(n), k_(k) {}

  void compute() {
    if (k_ > 0 && std::max({m_, n_, k_}) <= most_rows && m_ * n_ * k_ < few_multiplications) {
      if (m_ * n_ * k_ > tiny && is_better_transposed_directly())
        transpose();
      return compute_directly();
    }
    if (is_better_transposed(m_, n_, a_.row, a_.column, b_.row, b_.column, sizeof(T), sizeof(T)))
      transpose();
    compute_in_tiles();
  }

private:
  static constexpr ptrdiff_t item = sizeof(T);

  void transpose() {
    std::swap(a_, b_);
    std::swap(m_, n_);
    for (Matrix *each : {&a_, &b_, &c_})
      std::swap(each->row, each->column);
  }

  bool is_better_transposed_directly() const {
    return direct_cost<T>(n_, k_, m_, a_.row == item, c_.row == item, is_along_terms(m_)) <
           direct_cost<T>(m_, k_, n_, b_.column == item, c_.column == item, is_along_terms(n_));
  }

  bool is_along_terms(size_t columns) const {
    return a_.column == item && b_.row == item && matmul::is_along_terms<T>(columns, k_);
  }

  void compute_directly() const {
    ptrdiff_t a_rows[most_rows], a_terms[most_rows], b_terms[most_rows];
    ptrdiff_t b_columns[most_rows], c_rows[most_rows], c_columns[most_rows];
    size_t b_runs[most_rows], c_runs[most_rows];
    const auto list = [](ptrdiff_t *offsets, size_t count, ptrdiff_t stride) {
      for (size_t i = 0; i < count; ++i)
        offsets[i] = static_cast<ptrdiff_t>(i) * stride;
    };
    const auto list_runs = [this](size_t *runs, ptrdiff_t stride) {
      for (size_t i = 0; i < n_; ++i)
        runs[i] = stride == item ? n_ - i : 1;
    };
    list(a_rows, m_, a_.row);
    list(a_terms, k_, a_.column);
    list(b_terms, k_, b_.row);
    list(b_columns, n_, b_.column);
    list(c_rows, m_, c_.row);
    list(c_columns, n_, c_.column);
    list_runs(b_runs, b_.column);
    list_runs(c_runs, c_.column);
    const Direct<T> direct{m_,        n_,     k_,        0,       0,      0,      a_rows, a_terms,
                           b_columns, c_rows, c_columns, b_terms, b_runs, c_runs, false,  is_along_terms(n_)};
    HLOKIT_BEST_VARIANT(choose_direct(direct))(direct, {a_.data, b_.data, c_.data, 1});
  }

  void compute_in_tiles() const {
    const Kernels<T> &kernels = best_kernels<T>();
    Part<T> part{};
    part.a = a_.data;
    part.b = b_.data;
    part.c = c_.data;
    part.a_size = part.b_size = part.c_size = sizeof(T);
    part.a_rows = {&m_, &a_.row, 1, nullptr};
    part.a_terms = {&k_, &a_.column, 1, nullptr};
    part.b_terms = {&k_, &b_.row, 1, nullptr};
    part.b_columns = {&n_, &b_.column, 1, nullptr};
    part.c_rows = {&m_, &c_.row, 1, nullptr};
    part.c_columns = {&n_, &c_.column, 1, nullptr};
    part.rows = m_;
    part.columns = n_;
    part.terms = k_;
    part.workspace = thread_memory(kernels.workspace_bytes(part));
    if (!part.workspace)
      throw std::bad_alloc();
    kernels.compute(part);
  }

  Matrix a_, b_, c_;
  size_t m_, n_, k_;
};

} // namespace

void multiply(float *c, Strides c_strides, const float *a, Strides a_strides, const float *b, Strides b_strides,
              size_t m, size_t n, size_t k) {
  if (m && n)
    MatrixProduct<float>({a, a_strides}, {b, b_strides}, {c, c_strides}, m, n, k).compute();
}

void multiply(double *c, Strides c_strides, const double *a, Strides a_strides, const double *b,
              Strides b_strides, size_t m, size_t n, size_t k) {
  if (m && n)
    MatrixProduct<double>({a, a_strides}, {b, b_strides}, {c, c_strides}, m, n, k).compute();
}

} // namespace hlokit::matmul
