// Products of complex numbers as products of real numbers: a row of two reals times a 2x2 matrix.
#include <cstring>

#include "kernels/matmul/axes.h"
#include "kernels/matmul/strategy.h"

namespace hlokit::matmul {
namespace {

// Dimensions of the second operand, each with its distances in the operand and in the matrices.
struct Dimension {
  size_t size;
  ptrdiff_t from, to;
};
using Dimensions = SmallVector<Dimension, 8>;

// The rows of a matrix lie `row` bytes apart.
template <class T>
void fill_matrices(const Dimension *at, const Dimension *end, ptrdiff_t row, const unsigned char *from, unsigned char *to) {
  if (at == end) {
    T parts[2];
    std::memcpy(parts, from, sizeof parts);
    const T first[2] = {parts[0], parts[1]}, second[2] = {-parts[1], parts[0]};
    std::memcpy(to, first, sizeof first);
    std::memcpy(to + row, second, sizeof second);
    return;
  }
  for (size_t i = 0; i < at->size; ++i)
    fill_matrices<T>(at + 1, end, row, from + static_cast<ptrdiff_t>(i) * at->from, to + static_cast<ptrdiff_t>(i) * at->to);
}

// The matrices of the second operand, in row-major order: [batch..., terms..., 2, columns..., 2].
struct Expansion {
  Dimensions dimensions;
  ptrdiff_t row = 0; // between the two rows of a matrix
  size_t bytes;

  explicit Expansion(const Product &product) {
    for (const Axes *axes : {&product.batch, &product.terms, &product.columns})
      for (const Axis &axis : *axes)
        dimensions.push_back({axis.size, axis.b, 0});
    const size_t shared = product.batch.size() + product.terms.size();
    auto size = static_cast<ptrdiff_t>(size_of(product.c_type));
    for (size_t i = dimensions.size(); i-- > 0;) {
      if (i + 1 == shared) {
        row = size;
        size *= 2;
      }
      dimensions[i].to = size;
      size *= static_cast<ptrdiff_t>(dimensions[i].size);
    }
    bytes = static_cast<size_t>(size);
  }

  // The product of rows of parts and these matrices.
  Product times(Product product) const {
    const auto part = static_cast<ptrdiff_t>(size_of(product.work));
    product.a_type = product.b_type = product.c_type = product.work;
    size_t number = 0;
    for (Axes *axes : {&product.batch, &product.terms, &product.columns})
      for (Axis &axis : *axes)
        axis.b = dimensions[number++].to;
    product.terms.push_back({2, part, row, 0});
    product.columns.push_back({2, 0, part, part});
    return product;
  }
};

class ExpandedProduct final : public PreparedProduct {
public:
  ExpandedProduct(const Product &product, const Expansion &expansion)
      : PreparedProduct(false, expansion.bytes), is_double_(product.work == ElementType::f64), expansion_(expansion),
        real_(prepare(expansion.times(product))) {}

  const char *strategy() const override { return "expanded"; }

private:
  void compute(const Arrays &arrays, unsigned char *workspace, size_t threads) const override {
    const Dimensions &dimensions = expansion_.dimensions;
    const auto fill = is_double_ ? fill_matrices<double> : fill_matrices<float>;
    fill(dimensions.begin(), dimensions.end(), expansion_.row, arrays.b, workspace);
    real_->run({arrays.a, workspace, arrays.c}, nullptr, threads);
  }

  const bool is_double_;
  const Expansion expansion_;
  const std::unique_ptr<const PreparedProduct> real_;
};

} // namespace

Strategy expanded(const Product &product) { return std::make_unique<ExpandedProduct>(product, Expansion(product)); }

} // namespace hlokit::matmul
