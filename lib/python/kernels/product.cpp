// hlokit._kernels.Product and roundings.
#include <nanobind/stl/string.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/matmul/complex_product.h"
#include "kernels/matmul/product.h"
#include "python/array.h"
#include "python/kernels/module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// A product of arrays of certain types and ranks.
class Product {
public:
  Product(const std::string &a, const std::string &b, const std::string &c, const std::string &work, size_t batch,
          size_t terms)
      : batch_(batch), terms_(terms) {
    product_.a_type = element_type(a);
    product_.b_type = element_type(b);
    product_.c_type = element_type(c);
    product_.work = element_type(work);
    if (!matmul::is_supported(product_.a_type, product_.b_type, product_.c_type, product_.work))
      throw std::invalid_argument("there are no products of " + a + " and " + b + " in " + work + " as " + c);
  }

  bool run(nb::handle a_object, nb::handle b_object, nb::handle c_object, size_t threads) const {
    const Array a(a_object, PyBUF_STRIDES), b(b_object, PyBUF_STRIDES);
    const Array c(c_object, PyBUF_STRIDES | PyBUF_WRITABLE);
    check(a.item_size() == size_of(product_.a_type) && b.item_size() == size_of(product_.b_type) &&
              c.item_size() == size_of(product_.c_type),
          "arrays must have the item sizes of the product");
    matmul::Product product = placed(a, b, c, terms_);
    if (c.is_empty())
      return true;
    if (!is_computable(a, b, c))
      return false;
    nb::gil_scoped_release released;
    matmul::run(product, threads);
    return true;
  }

  // Of complex arrays: the parts of a number are one more dimension of the terms.
  bool run_complex(nb::handle a_object, nb::handle b_object, nb::handle c_object, size_t threads) const {
    const Array a(a_object, PyBUF_STRIDES), b(b_object, PyBUF_STRIDES);
    const Array c(c_object, PyBUF_STRIDES | PyBUF_WRITABLE);
    const size_t part = size_of(product_.work);
    for (ElementType type : {product_.a_type, product_.b_type, product_.c_type})
      check(type == product_.work, "products of complex numbers must be computed in the type of their parts");
    check(terms_ > 0 && a.item_size() == 2 * part && b.item_size() == 2 * part && c.item_size() == 2 * part,
          "arrays must be complex, with parts of the product's type");
    matmul::Product product = placed(a, b, c, terms_ - 1);
    if (c.is_empty())
      return true;
    if (!is_computable(a, b, c))
      return false;
    nb::gil_scoped_release released;
    const std::unique_ptr<unsigned char[]> workspace(new unsigned char[matmul::complex_workspace_bytes(product)]);
    matmul::run_complex(product, workspace.get(), threads);
    return true;
  }

private:
  // The product of these arrays over `terms` dimensions. The caller may replace `b`, and add dimensions.
  matmul::Product placed(const Array &a, const Array &b, const Array &c, size_t terms) const {
    const size_t shared = batch_ + terms;
    check(a.rank() >= shared && b.rank() >= shared && c.rank() == a.rank() + b.rank() - batch_ - 2 * terms,
          "arrays must have the ranks of the product");
    matmul::Product product = product_;
    for (size_t i = 0; i < batch_; ++i) {
      check(a.extent(i) == b.extent(i) && a.extent(i) == c.extent(i), "arrays must have one batch");
      product.batch.push_back({a.extent(i), a.stride(i), b.stride(i), c.stride(i)});
    }
    const size_t rows = a.rank() - shared, columns = b.rank() - shared;
    for (size_t i = batch_; i < batch_ + rows; ++i) {
      check(a.extent(i) == c.extent(i), "the result must have the rows of the first operand");
      product.rows.push_back({a.extent(i), a.stride(i), 0, c.stride(i)});
    }
    for (size_t i = 0; i < terms; ++i) {
      const size_t in_a = batch_ + rows + i, in_b = batch_ + i;
      check(a.extent(in_a) == b.extent(in_b), "operands must have the same terms");
      product.terms.push_back({a.extent(in_a), a.stride(in_a), b.stride(in_b), 0});
    }
    for (size_t i = 0; i < columns; ++i) {
      const size_t in_b = shared + i, in_c = batch_ + rows + i;
      check(b.extent(in_b) == c.extent(in_c), "the result must have the columns of the second operand");
      product.columns.push_back({b.extent(in_b), 0, b.stride(in_b), c.stride(in_c)});
    }
    product.a = a.data();
    product.b = b.data();
    product.c = c.data();
    return product;
  }

  static bool is_computable(const Array &a, const Array &b, const Array &c) {
    check(c.has_distinct_elements() && !a.overlaps(c) && !b.overlaps(c), "a result must have memory of its own");
    for (const Array *each : {&a, &b, &c})
      if (!each->is_aligned() || !each->has_whole_strides())
        return false;
    return true;
  }

  static void check(bool is_right, const char *message) {
    if (!is_right)
      throw std::invalid_argument(message);
  }

  matmul::Product product_{};
  size_t batch_, terms_;
};

} // namespace

void bind_product(nb::module_ &m) {
  m.def("roundings", matmul::roundings, "terms"_a,
        "How often a `Product` rounds a term of a sum of `terms` products, at most.");
  nb::class_<Product>(m, "Product",
                      R"(Sums of products: c[batch, rows, columns] = sum of a[batch, rows, terms] * b[batch, terms, columns].

Each of batch, rows, terms and columns may be several dimensions, or none. Sums are as accurate as
pairwise ones. Elements are converted as they are read and written.)")
      .def("__init__",
           [](Product *self, const std::string &a, const std::string &b, const std::string &c,
              const std::string &work, size_t batch, size_t terms) {
             new (self) Product(a, b, c, work, batch, terms);
           },
           "a"_a, "b"_a, "c"_a, "work"_a, "batch"_a, "terms"_a,
           R"(`a`, `b`, `c`: the types of the arrays. `work`: the type to compute in, f32 or f64.
`batch`, `terms`: their numbers of dimensions. Raises ValueError for types without kernels.)")
      .def("run", &Product::run, "a"_a, "b"_a, "c"_a, "threads"_a = 1,
           nb::sig("def run(self, a: Buffer, b: Buffer, c: Buffer, threads: int = 1) -> bool"),
           R"(Fill `c`. False, with nothing computed, for arrays that are not aligned.

Arrays have any strides, but no two elements of `c` share memory, nor does `c` with an operand. f16
and bf16 are any items of 2 bytes. Large products are divided among up to `threads` threads.)")
      .def("run_complex", &Product::run_complex, "a"_a, "b"_a, "c"_a, "threads"_a = 1,
           nb::sig("def run_complex(self, a: Buffer, b: Buffer, c: Buffer, threads: int = 1) -> bool"),
           R"(The same for complex arrays, whose parts have the product's types.

The product has one dimension of terms more than the arrays: the parts of a number.)");
}

} // namespace hlokit
