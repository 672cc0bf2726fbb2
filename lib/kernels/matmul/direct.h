// Products of small matrices read in place, without packing, for any strides: a vector has neighbouring columns of one row.
// Part of direct_kernels.cpp, with internal linkage.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/matmul/vectors.h"

namespace hlokit::matmul {
namespace {

// Calls act(0), ..., act(count - 1) with constants, so that elements of arrays stay in registers.
template <class Act, size_t... i> HLOKIT_INLINE void each_of(std::index_sequence<i...>, const Act &act) {
  (act(std::integral_constant<size_t, i>()), ...);
}
template <size_t count, class Act> HLOKIT_INLINE void each_of(const Act &act) {
  each_of(std::make_index_sequence<count>(), act);
}

// Complex numbers are pairs of parts, so that a row times a matrix is a sum of real products with twice as many terms:
// the real part of an element of the row times a row of the matrix, and the imaginary part times the same row, times i.
template <class T, size_t... i>
HLOKIT_INLINE Vector<T, sizeof...(i)> times_i(const Vector<T, sizeof...(i)> &numbers, std::index_sequence<i...>) {
  const Vector<T, sizeof...(i)> signs{(i % 2 ? T(1) : T(-1))...};
#if defined(HLOKIT_SHUFFLES)
  return __builtin_shufflevector(numbers, numbers, (i ^ 1)...) * signs;
#else
  return Vector<T, sizeof...(i)>{numbers[i ^ 1]...} * signs;
#endif
}

template <class T, size_t... i>
HLOKIT_INLINE Vector<T, sizeof...(i)> gather(const unsigned char *from, const ptrdiff_t *offsets,
                                             std::index_sequence<i...>) {
  const auto get = [&](size_t index) HLOKIT_LAMBDA {
    T result; // a complex number is aligned for its parts only
    memcpy(&result, from + offsets[index], sizeof result);
    return result;
  };
  return Vector<T, sizeof...(i)>{get(i)...};
}

// Where the columns of a vector lie: `width` parts of numbers, or `count` columns in the shortest vectors (0: 1 to 3).
template <class T, size_t width, bool is_complex, size_t count> struct Columns {
  static constexpr size_t parts = is_complex ? 2 : 1;
  static constexpr bool is_full = count * parts == width;
  static_assert(!is_complex || sizeof(T) == sizeof(float));
  const ptrdiff_t *b, *c;      // offsets of columns
  bool is_b_whole, is_c_whole; // neighbours in memory, as many as in a vector
  size_t columns;

  Columns(const Direct<T> &direct, size_t first)
      : b(direct.b_columns + first), c(direct.c_columns + first), is_b_whole(is_full && direct.b_runs[first] >= count),
        is_c_whole(is_full && direct.c_runs[first] >= count), columns(direct.columns) {}

  HLOKIT_INLINE bool has(size_t column) const { return count ? column < count : column < columns; }

  HLOKIT_INLINE Vector<T, width> get(const unsigned char *from) const {
    if (is_b_whole)
      return load<T, width>(reinterpret_cast<const T *>(from + b[0]));
    Vector<T, width> result{};
    if constexpr (is_full && is_complex) {
      // A complex number is as large as a double.
      const Vector<double, count> numbers = gather<double>(from, b, std::make_index_sequence<count>());
      memcpy(&result, &numbers, sizeof result);
    } else if constexpr (is_full) {
      result = gather<T>(from, b, std::make_index_sequence<count>());
    } else {
      each_of<width>([&](auto i) HLOKIT_LAMBDA {
        if (has(i / parts))
          result[i.value] = reinterpret_cast<const T *>(from + b[i / parts])[i % parts];
      });
    }
    return result;
  }

  HLOKIT_INLINE void put(unsigned char *to, const Vector<T, width> &values) const {
    if (is_c_whole)
      return store(reinterpret_cast<T *>(to + c[0]), values);
    each_of<width>([&](auto i) HLOKIT_LAMBDA {
      if (has(i / parts))
        reinterpret_cast<T *>(to + c[i / parts])[i % parts] = values[i.value];
    });
  }
};

// The sum of `count` lanes, in the order of vectors.h.
template <class T, size_t width, size_t count> HLOKIT_INLINE Vector<T, width> total(const Vector<T, width> *sums) {
  if constexpr (count == 1) {
    return sums[0] + all<T, width>(T(0));
  } else {
    Vector<T, width> halves[count / 2];
    each_of<count / 2>([&](auto lane) HLOKIT_LAMBDA { halves[lane] = sums[lane] + sums[lane + count / 2]; });
    return total<T, width, count / 2>(halves);
  }
}

// Calls act(columns, a, b, c) for each matrix of the batch, and all columns of its vectors. The last vector ends with the
// last column, although the one before has some of its columns, too.
template <class T, size_t width, bool is_complex, size_t count, class Act>
HLOKIT_INLINE void each_column(const Direct<T> &direct, const Matrices &matrices, const Act &act) {
  const size_t step = count ? count : direct.columns;
  for (size_t first = 0; first < direct.columns; first += step) {
    const Columns<T, width, is_complex, count> columns(direct, least(first, direct.columns - step));
    const unsigned char *a = matrices.a, *b = matrices.b;
    unsigned char *c = matrices.c;
    for (size_t i = 0; i < matrices.count; ++i, a += direct.a_batch, b += direct.b_batch, c += direct.c_batch)
      act(columns, a, b, c);
  }
}

// Products of few terms: rows of b stay in registers. `terms`: of real numbers.
template <class T, size_t width, bool is_complex, size_t count, size_t terms>
void compute_few_terms(const Direct<T> &given, const Matrices &matrices) {
  constexpr size_t lane_count = lanes_of(terms), parts = is_complex ? 2 : 1;
  const Direct<T> direct = given; // a local copy: compilers know that no store changes it
  each_column<T, width, is_complex, count>(direct, matrices, [&](const auto &columns, const unsigned char *a,
                                                                 const unsigned char *b, unsigned char *c) HLOKIT_LAMBDA {
    ptrdiff_t places[terms];
    each_of<terms>([&](auto term) HLOKIT_LAMBDA { places[term] = direct.a_terms[term]; });
    Vector<T, width> right[terms];
    each_of<terms / parts>([&](auto number) HLOKIT_LAMBDA {
      right[number * parts] = columns.get(b + direct.b_terms[number]);
      if constexpr (is_complex)
        right[number * parts + 1] = times_i<T>(right[number * parts], std::make_index_sequence<width>());
    });
    for (size_t row = 0; row < direct.rows; ++row) {
      const unsigned char *left = a + direct.a_rows[row];
      Vector<T, width> sums[lane_count];
      each_of<lane_count>([&](auto lane) HLOKIT_LAMBDA { sums[lane] = all<T, width>(T(0)); });
      each_of<terms>([&](auto term) HLOKIT_LAMBDA {
        multiply_add<T, width>(sums[term % lane_count],
                               all<T, width>(*reinterpret_cast<const T *>(left + places[term])), right[term]);
      });
      columns.put(c + direct.c_rows[row], total<T, width, lane_count>(sums));
    }
  });
}

// Products of more terms, up to a block: rows of b are copied for all rows of a.
template <class T, size_t width, bool is_complex, size_t count, size_t lane_count>
void compute_more_terms(const Direct<T> &given, const Matrices &matrices) {
  constexpr size_t parts = is_complex ? 2 : 1;
  alignas(64) T right[lane_count == 16 ? block_terms : 127][width];
  const Direct<T> direct = given;
  const size_t terms = direct.terms, whole = terms / lane_count * lane_count;
  each_column<T, width, is_complex, count>(direct, matrices, [&](const auto &columns, const unsigned char *a,
                                                                 const unsigned char *b, unsigned char *c) HLOKIT_LAMBDA {
    for (size_t term = 0; term < terms; term += parts) {
      const Vector<T, width> row = columns.get(b + direct.b_terms[term / parts]);
      store(right[term], row);
      if constexpr (is_complex)
        store(right[term + 1], times_i<T>(row, std::make_index_sequence<width>()));
    }
    for (size_t row = 0; row < direct.rows; ++row) {
      const unsigned char *left = a + direct.a_rows[row];
      Vector<T, width> sums[lane_count];
      const auto add = [&](auto lane, size_t term) HLOKIT_LAMBDA {
        multiply_add<T, width>(sums[lane], all<T, width>(*reinterpret_cast<const T *>(left + direct.a_terms[term])),
                               load<T, width>(right[term]));
      };
      each_of<lane_count>([&](auto lane) HLOKIT_LAMBDA { sums[lane] = all<T, width>(T(0)); });
      for (size_t term = 0; term < whole; term += lane_count)
        each_of<lane_count>([&](auto lane) HLOKIT_LAMBDA { add(lane, term + lane); });
      each_of<lane_count - 1>([&](auto lane) HLOKIT_LAMBDA {
        if (whole + lane < terms)
          add(lane, whole + lane);
      });
      columns.put(c + direct.c_rows[row], total<T, width, lane_count>(sums));
    }
  });
}

// Terms that are neighbours in memory: vectors have the lanes of a sum.
template <class T, size_t lane_count> void compute_along_terms(const Direct<T> &given, const Matrices &matrices) {
  using Word = std::conditional_t<sizeof(T) == sizeof(float), uint32_t, uint64_t>;
  constexpr size_t width = lane_count < lanes<T> ? lane_count : lanes<T>, parts = lane_count / width;
  const Direct<T> direct = given;
  const size_t rest = direct.terms % lane_count, whole = direct.terms - rest;
  // The last lanes of a row that has fewer terms are those of the next row, and count as +0.
  const auto missing = static_cast<ptrdiff_t>((lane_count - rest) * sizeof(T));
  alignas(64) Word mask[lane_count];
  for (size_t lane = 0; lane < lane_count; ++lane)
    mask[lane] = lane < rest ? ~Word(0) : Word(0);
  alignas(64) T copy[lane_count] = {};
  for (size_t matrix = 0; matrix < matrices.count; ++matrix) {
    const auto batch = static_cast<ptrdiff_t>(matrix);
    for (size_t column = 0; column < direct.columns; ++column) {
      const T *b = reinterpret_cast<const T *>(matrices.b + batch * direct.b_batch + direct.b_columns[column]);
      unsigned char *c = matrices.c + batch * direct.c_batch + direct.c_columns[column];
      alignas(64) T last[lane_count] = {};
      memcpy(last, b + whole, rest * sizeof(T));
      for (size_t row = 0; row < direct.rows; ++row) {
        const T *a = reinterpret_cast<const T *>(matrices.a + batch * direct.a_batch + direct.a_rows[row]);
        Vector<T, width> sums[parts];
        each_of<parts>([&](auto part) HLOKIT_LAMBDA { sums[part] = all<T, width>(T(0)); });
        for (size_t term = 0; term < whole; term += lane_count)
          each_of<parts>([&](auto part) HLOKIT_LAMBDA {
            multiply_add<T, width>(sums[part], load<T, width>(a + term + part * width), load<T, width>(b + term + part * width));
          });
        if (rest) {
          const T *end = a + whole;
          if (row + 1 == direct.rows || direct.a_rows[row + 1] - direct.a_rows[row] < missing) {
            memcpy(copy, end, rest * sizeof(T));
            end = copy;
          }
          each_of<parts>([&](auto part) HLOKIT_LAMBDA {
            const Vector<Word, width> bits = load<Word, width>(reinterpret_cast<const Word *>(end) + part * width) &
                                             load<Word, width>(mask + part * width);
            Vector<T, width> left;
            memcpy(&left, &bits, sizeof left);
            multiply_add<T, width>(sums[part], left, load<T, width>(last + part * width));
          });
        }
        *reinterpret_cast<T *>(c + direct.c_rows[row]) = sum_of_lanes<T, width>(total<T, width, parts>(sums)) + T(0);
      }
    }
  }
}

// The function for some terms; null if there is none. `more`: the columns of a vector if there are more terms than a few.
template <class T, size_t width, bool is_complex, size_t count, size_t more = count>
DirectFunction<T> function_of_terms(size_t terms) {
  if constexpr (!is_complex) {
    if (terms == 1)
      return compute_few_terms<T, width, false, count, 1>;
    if constexpr (!HLOKIT_IS_FALLBACK)
      if (terms == 3)
        return compute_few_terms<T, width, false, count, 3>;
  }
  if (terms == 2)
    return compute_few_terms<T, width, is_complex, count, 2>;
  if constexpr (!HLOKIT_IS_FALLBACK) { // the functions of more terms add in the same order
    if (terms == 4)
      return compute_few_terms<T, width, is_complex, count, 4>;
    if (terms == 8)
      return compute_few_terms<T, width, is_complex, count, 8>;
  }
  if (lanes_of(terms) == 4)
    return compute_more_terms<T, width, is_complex, more, 4>;
  if (lanes_of(terms) == 8)
    return compute_more_terms<T, width, is_complex, more, 8>;
  if constexpr (width * sizeof(T) == least_vector)
    if (terms <= block_terms)
      return compute_more_terms<T, width, is_complex, more, 16>;
  return nullptr;
}

// The same for vectors of whole numbers.
template <class T, size_t width, bool is_complex> DirectFunction<T> function_of_vectors(size_t terms) {
  return function_of_terms<T, width, is_complex, width / (is_complex ? 2 : 1)>(terms);
}

template <class T, bool is_complex> DirectFunction<T> function_of_columns(size_t columns, size_t terms, bool is_along_terms) {
  if constexpr (!is_complex && !HLOKIT_IS_FALLBACK)
    if (is_along_terms)
      return lanes_of(terms) == 8 ? compute_along_terms<T, 8> : compute_along_terms<T, 16>;
  constexpr size_t width = least_vector / sizeof(T);
  const size_t parts = columns * (is_complex ? 2 : 1);
  if constexpr (vector_bytes >= 64)
    if (parts >= 4 * width)
      return function_of_vectors<T, 4 * width, is_complex>(terms);
  if constexpr (vector_bytes >= 32)
    if (parts >= 2 * width)
      return function_of_vectors<T, 2 * width, is_complex>(terms);
  if (parts >= width)
    return function_of_vectors<T, width, is_complex>(terms);
  if constexpr (width > 2 && !is_complex && HLOKIT_IS_FALLBACK) {
    return function_of_terms<T, width, false, 0>(terms);
  } else if constexpr (width > 2 && !is_complex) {
    if (columns == 2)
      return function_of_terms<T, width, false, 2, 0>(terms);
    if (columns == 3)
      return function_of_terms<T, width, false, 3, 0>(terms);
    return function_of_terms<T, width, false, 1, 0>(terms);
  } else {
    return function_of_terms<T, width, is_complex, 1>(terms);
  }
}

} // namespace
} // namespace hlokit::matmul
