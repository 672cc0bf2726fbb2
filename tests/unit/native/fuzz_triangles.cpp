// Random stacks of matrices for lib/kernels/linalg/triangular.h, in memory that just suffices: what the sanitizers find fails, and so
// do factors that do not make up the matrix, and solutions that do not solve.
//
//   fuzz_triangles ROUNDS SEED
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "kernels/linalg/triangular.h"

using namespace hlokit::linalg;

namespace {

std::mt19937_64 engine;

size_t below(size_t limit) { return static_cast<size_t>(engine() % limit); }

double random_value() { return double(below(2001)) / 1000 - 1; }

template <class T> struct Owned : Stack<T> {
  std::unique_ptr<T[]> memory;

  Owned(size_t count, size_t rows, size_t columns)
      : Stack<T>{nullptr, count, rows, columns}, memory(new T[count * rows * columns]) {
    this->data = memory.get();
    for (size_t i = 0; i < count * rows * columns; ++i)
      this->data[i] = T(random_value());
  }
};

template <class T> bool is_near(double found, double wanted, double scale) {
  return std::fabs(found - wanted) <= scale * (sizeof(T) == 4 ? 1e-5 : 1e-14);
}

template <class T> bool solves() {
  const size_t size = below(40), start = size ? below(size) : 0, stop = start + below(size - start + 1);
  const size_t rows = size + below(3), columns = below(below(4) ? 5 : 600), first = columns ? below(columns) : 0;
  const bool is_unit = below(2) == 0;
  Owned<T> a(below(4), size, size), x(a.count, rows, columns);
  for (size_t m = 0; m < a.count; ++m)
    for (size_t i = 0; i < size; ++i) {
      for (size_t j = 0; j < i; ++j)
        a.row(m, i)[j] /= T(size);
      a.row(m, i)[i] += std::copysign(T(1), a.row(m, i)[i]); // far from 0
    }
  const std::vector<T> before(x.data, x.data + x.count * rows * columns);
  solve<T>(a, x, start, stop, first, is_unit);
  for (size_t m = 0; m < x.count; ++m)
    for (size_t i = 0; i < rows; ++i)
      for (size_t k = 0; k < columns; ++k) {
        const double old = before[(m * rows + i) * columns + k];
        if (i < start || i >= stop || k < first) {
          if (x.row(m, i)[k] != old)
            return false;
          continue;
        }
        double sum = x.row(m, i)[k] * (is_unit ? 1.0 : double(a.row(m, i)[i]));
        for (size_t j = start; j < i; ++j)
          sum += double(a.row(m, i)[j]) * x.row(m, j)[k];
        if (!is_near<T>(sum, old, double(size)))
          return false;
      }
  return true;
}

// All columns at once, of matrices with no more columns than rows: L U is the matrix with its rows swapped.
template <class T> bool factorises() {
  const size_t columns = below(30), rows = columns + below(10);
  Owned<T> a(below(4), rows, columns);
  if (columns && a.count && below(4) == 0)
    for (size_t i = 0; i < rows; ++i)
      a.row(0, i)[0] = 0; // singular
  std::vector<T> matrix(a.data, a.data + a.count * rows * columns);
  std::unique_ptr<int32_t[]> pivots(new int32_t[a.count * columns]), info(new int32_t[a.count]());
  const size_t middle = columns / 2;
  // In two parts, so that the columns of the second one are still those of the matrix, with the rows swapped.
  eliminate<T>(a, 0, middle, pivots.get(), info.get());
  for (size_t m = 0; m < a.count; ++m) {
    T *whole = matrix.data() + m * rows * columns;
    for (size_t i = 0; i < middle; ++i) {
      const int32_t pivot = pivots[m * columns + i];
      if (pivot < int32_t(i + 1) || size_t(pivot) > rows)
        return false;
      std::swap_ranges(whole + i * columns, whole + (i + 1) * columns, whole + size_t(pivot - 1) * columns);
    }
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < columns; ++j) {
        double sum = 0;
        for (size_t k = 0; j < middle && k < std::min(i, j + 1); ++k)
          sum += double(a.row(m, i)[k]) * a.row(m, k)[j];
        if (j >= middle || i <= j)
          sum += a.row(m, i)[j];
        if (!is_near<T>(sum, whole[i * columns + j], double(columns)))
          return false;
      }
    if (middle && info[m] != (a.row(m, 0)[0] == 0))
      return false;
  }
  eliminate<T>(a, middle, columns, pivots.get(), info.get());
  return true;
}

} // namespace

int main(int count, char **arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 100;
  engine.seed(count > 2 ? static_cast<uint64_t>(std::atoll(arguments[2])) : 0);
  for (int round = 0; round < rounds; ++round)
    if (!solves<float>() || !solves<double>() || !factorises<float>() || !factorises<double>()) {
      std::printf("round %d\n", round);
      return 1;
    }
}
