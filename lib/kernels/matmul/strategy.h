// The strategies for products. Each function returns null if its strategy does not fit. Products are collapsed (axes.h); a
// complex one is computed directly, or as a real one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "kernels/matmul/kernels.h"
#include "kernels/matmul/product.h"
#include "support/threads.h"

namespace hlokit::matmul {

using Strategy = std::unique_ptr<const PreparedProduct>;

// Vectors times vectors, or matrices, where neighbours in memory are elements of a batch.
template <class T> Strategy lines(const Product &product);
// Whether lines, if they fit, are faster than the direct strategy.
template <class T> bool are_long_lines(const Product &product);
// Small matrices, a vector of columns at a time, read in place, without packing.
template <class T> Strategy direct(const Product &product, bool is_transposed);
// The same in the faster one of both orders.
template <class T> Strategy direct(const Product &product);
// The time of a real product in one order, in cycles of a processor, roughly.
template <class T>
double direct_cost(size_t rows, size_t terms, size_t columns, bool are_b_neighbours, bool are_c_neighbours, bool is_along_terms);
// Whether a product whose terms are neighbours in memory should be computed along them: one with a column, or a few that are
// long enough.
template <class T> constexpr bool is_along_terms(size_t columns, size_t terms) {
  return columns <= 3 && terms >= 8 && terms <= block_terms && (columns == 1 || terms * sizeof(T) >= columns * 64);
}
// Any real product, in tiles.
template <class T> Strategy packed(const Product &product);
// Any complex product, as a real one.
Strategy expanded(const Product &product);

template <class T> const Kernels<T> &best_kernels();
template <> const Kernels<float> &best_kernels<float>();
template <> const Kernels<double> &best_kernels<double>();

template <> const Kernels<int8_t> &best_kernels<int8_t>();

template <class T>
constexpr ElementType type_of = sizeof(T) == 1 ? ElementType::i8 : sizeof(T) == 4 ? ElementType::f32 : ElementType::f64;

// Whether the bytes of a product should be multiplied as such, by `packed<int8_t>`, which this processor can.
bool are_bytes_fast(const Product &product);

// Whether all arrays have the work type.
inline bool is_plain(const Product &product) {
  return product.a_type == product.work && product.b_type == product.work && product.c_type == product.work;
}

// Whether to compute the transposed product instead: columns as rows, and rows as columns.
bool is_better_transposed(size_t rows, size_t columns, ptrdiff_t row, ptrdiff_t a_term, ptrdiff_t b_term,
                          ptrdiff_t column, size_t a_size, size_t b_size);

// The parts into which some multiplications are divided if there are enough threads.
size_t parts_worth(double multiplications);

// The parts for some threads, at least 1: more than one per thread, so that a thread that starts late does less.
inline size_t parts_of(size_t worth, size_t threads) { return std::max<size_t>(std::min(worth, 2 * threads), 1); }

// Calls work(index) for each part, on threads if there are several.
template <class Work> void each_part(size_t parts, size_t threads, const Work &work) {
  if (parts == 1)
    work(0);
  else
    in_parallel(parts, threads, work);
}

// Memory of the calling thread, aligned to cache lines, until the next call; null if the system has none.
unsigned char *thread_memory(size_t bytes);

} // namespace hlokit::matmul
