#include "vm/exact/arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "vm/exact/field.h"

namespace hlokit::exact {
namespace {

template <class Integer> void embed_all(const void *values, Number *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Integer value;
    std::memcpy(&value, static_cast<const unsigned char *>(values) + i * sizeof value, sizeof value);
    const auto wide = static_cast<uint64_t>(value);
    const bool is_negative = value < Integer(0);
    const uint64_t size = reduced(is_negative ? 0 - wide : wide);
    to[i] = {static_cast<double>(value), is_negative ? negative(size) : size, 0};
  }
}

// Columns that one pass over the terms computes.
constexpr size_t block = 4;

#ifdef __SIZEOF_INT128__
struct Total {
  Wide total = 0;
  void add(uint64_t lhs, uint64_t rhs) { total += static_cast<Wide>(lhs) * rhs; }
  void fold() { total = reduced(total); }
  uint64_t number() const { return reduced(total); }
};
#else
constexpr size_t wide_terms = SIZE_MAX;
struct Total {
  uint64_t total = 0;
  void add(uint64_t lhs, uint64_t rhs) { total = sum(total, product(lhs, rhs)); }
  void fold() {}
  uint64_t number() const { return total; }
};
#endif

// Sums of products of elements, with their floats.
struct Integers {
  using Element = uint64_t;
  Total total;
  void add(uint64_t lhs, uint64_t rhs) { total.add(lhs, rhs); }
  void fold() { total.fold(); }
  void store(uint64_t &to, double) const { to = total.number(); }
};

struct Numbers {
  using Element = Number;
  Total total;
  double value = 0;
  void add(const Number &lhs, const Number &rhs) {
    total.add(lhs.residue, rhs.residue);
    value += lhs.value * rhs.value;
  }
  void fold() { total.fold(); }
  void store(Number &to, double degree) const {
    to = std::isfinite(value) ? Number{value, total.number(), degree} : Number{value, embedded(value), 0};
  }
};

struct ComplexNumbers {
  using Element = ComplexNumber;
  Total real, imaginary;
  double value[2] = {0, 0};
  void add(const ComplexNumber &lhs, const ComplexNumber &rhs) {
    real.add(lhs.residue, rhs.residue), real.add(negative(lhs.imaginary), rhs.imaginary);
    imaginary.add(lhs.residue, rhs.imaginary), imaginary.add(lhs.imaginary, rhs.residue);
    value[0] += lhs.value[0] * rhs.value[0] - lhs.value[1] * rhs.value[1];
    value[1] += lhs.value[0] * rhs.value[1] + lhs.value[1] * rhs.value[0];
  }
  void fold() { real.fold(), imaginary.fold(); }
  void store(ComplexNumber &to, double degree) const {
    if (std::isfinite(value[0]) && std::isfinite(value[1]))
      to = {{value[0], value[1]}, real.number(), degree, imaginary.number()};
    else
      to = {{value[0], value[1]}, embedded(value[0]), 0, embedded(value[1])};
  }
};

// A row of one matrix, and `count` columns of another one that begin at `rhs`.
template <class Sums, size_t count, class Element>
void multiply_row(const Element *lhs, const Element *rhs, Element *to, const Extents &extents, double degree) {
  Sums sums[count];
  for (size_t term = 0; term < extents.terms; ++term) {
    for (size_t column = 0; column < count; ++column)
      sums[column].add(lhs[term], rhs[term * extents.columns + column]);
    if (term % wide_terms == wide_terms - 1)
      for (Sums &sum : sums)
        sum.fold();
  }
  for (size_t column = 0; column < count; ++column)
    sums[column].store(to[column], degree);
}

template <class Sums, class Element = typename Sums::Element>
void multiply(const Element *lhs, const Element *rhs, Element *to, const Extents &extents, double degree) {
  const size_t whole = extents.columns - extents.columns % block;
  for (size_t row = 0; row < extents.rows; ++row, lhs += extents.terms, to += extents.columns) {
    for (size_t column = 0; column < whole; column += block)
      multiply_row<Sums, block>(lhs, rhs + column, to + column, extents, degree);
    for (size_t column = whole; column < extents.columns; ++column)
      multiply_row<Sums, 1>(lhs, rhs + column, to + column, extents, degree);
  }
}

template <class Element> double largest_degree(const Element *numbers, size_t count) {
  double degree = 0;
  for (size_t i = 0; i < count; ++i)
    degree = std::max(degree, numbers[i].degree);
  return degree;
}

template <class Element> double degree_of_product(const Element *lhs, const Element *rhs, const Extents &extents) {
  return largest_degree(lhs, extents.rows * extents.terms) + largest_degree(rhs, extents.terms * extents.columns);
}

ComplexNumber complex_result(Formula formula, const ComplexNumber &one, const ComplexNumber &two) {
  switch (formula) {
  case Formula::add:
    return {{one.value[0] + two.value[0], one.value[1] + two.value[1]},
            sum(one.residue, two.residue),
            std::max(one.degree, two.degree),
            sum(one.imaginary, two.imaginary)};
  case Formula::subtract:
    return {{one.value[0] - two.value[0], one.value[1] - two.value[1]},
            sum(one.residue, negative(two.residue)),
            std::max(one.degree, two.degree),
            sum(one.imaginary, negative(two.imaginary))};
  case Formula::negate:
    return {{-one.value[0], -one.value[1]}, negative(one.residue), one.degree, negative(one.imaginary)};
  default: {
    ComplexNumbers total;
    total.add(one, two);
    ComplexNumber result;
    total.store(result, one.degree + two.degree);
    return result;
  }
  }
}

bool is_finite(const ComplexNumber &number) { return std::isfinite(number.value[0]) && std::isfinite(number.value[1]); }

} // namespace

void embed_floats(const double *values, Number *to, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] = {values[i], embedded(values[i]), 0};
}

void embed_integers(const void *values, size_t item_size, bool is_signed, Number *to, size_t count) {
  switch (item_size) {
  case 1:
    return is_signed ? embed_all<int8_t>(values, to, count) : embed_all<uint8_t>(values, to, count);
  case 2:
    return is_signed ? embed_all<int16_t>(values, to, count) : embed_all<uint16_t>(values, to, count);
  case 4:
    return is_signed ? embed_all<int32_t>(values, to, count) : embed_all<uint32_t>(values, to, count);
  default:
    return is_signed ? embed_all<int64_t>(values, to, count) : embed_all<uint64_t>(values, to, count);
  }
}

void number_by_place(const double *values, uint64_t state, Number *to, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] = {values[i], reduced(mixed(state ^ i)), 1};
}

void select(const unsigned char *pred, const unsigned char *const (&sources)[2], unsigned char *to, size_t count) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * sizeof(Number), sources[pred[i] != 0] + i * sizeof(Number), sizeof(Number));
}

bool compute_complex(Formula formula, const ComplexNumber *const (&operands)[2], const bool (&is_one)[2],
                     ComplexNumber *to, size_t count) {
  bool are_finite = true;
  for (size_t i = 0; i < count && are_finite; ++i) {
    const ComplexNumber &one = operands[0][is_one[0] ? 0 : i], &two = operands[1][is_one[1] ? 0 : i];
    to[i] = complex_result(formula, one, two);
    are_finite = is_finite(one) && is_finite(two) && is_finite(to[i]);
  }
  return are_finite;
}

void multiply_matrices(const uint64_t *lhs, const uint64_t *rhs, uint64_t *to, const Extents &extents) {
  multiply<Integers>(lhs, rhs, to, extents, 0);
}

void multiply_matrices(const Number *lhs, const Number *rhs, Number *to, const Extents &extents) {
  multiply<Numbers>(lhs, rhs, to, extents, degree_of_product(lhs, rhs, extents));
}

void multiply_matrices(const ComplexNumber *lhs, const ComplexNumber *rhs, ComplexNumber *to, const Extents &extents) {
  multiply<ComplexNumbers>(lhs, rhs, to, extents, degree_of_product(lhs, rhs, extents));
}

} // namespace hlokit::exact
