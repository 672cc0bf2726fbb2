// hlokit._native.Product: sums of products (matmul.h) for Python. Arrays come through the buffer protocol, and the
// interpreter's lock is released while it computes.
#include "bind_matmul.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "matmul.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

matmul::Type type_of(std::string_view name) {
  for (size_t i = 0; i < matmul::type_count; ++i)
    if (name == matmul::type_names[i])
      return static_cast<matmul::Type>(i);
  throw std::invalid_argument("there is no type " + std::string(name));
}

// The memory of an array, which can neither move nor go away during the lifetime of this.
class Array {
public:
  Array(nb::handle object, int flags) {
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0)
      throw nb::python_error();
  }
  ~Array() { PyBuffer_Release(&view_); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;

  unsigned char *data() const { return static_cast<unsigned char *>(view_.buf); }
  size_t item_size() const { return static_cast<size_t>(view_.itemsize); }
  size_t rank() const { return static_cast<size_t>(view_.ndim); }
  size_t size(size_t i) const { return static_cast<size_t>(view_.shape[i]); }
  ptrdiff_t stride(size_t i) const { return view_.strides[i]; }

  bool is_aligned() const {
    const auto item = static_cast<ptrdiff_t>(item_size());
    for (size_t i = 0; i < rank(); ++i)
      if (stride(i) % item != 0)
        return false;
    return reinterpret_cast<uintptr_t>(view_.buf) % item_size() == 0;
  }
  bool is_empty() const {
    for (size_t i = 0; i < rank(); ++i)
      if (size(i) == 0)
        return true;
    return false;
  }
  // The first byte of all elements, and the one behind the last.
  std::pair<uintptr_t, uintptr_t> extent() const {
    auto first = reinterpret_cast<uintptr_t>(view_.buf), last = first + item_size();
    for (size_t i = 0; i < rank(); ++i) {
      const ptrdiff_t distance = static_cast<ptrdiff_t>(size(i) - 1) * stride(i);
      (distance < 0 ? first : last) += static_cast<uintptr_t>(distance);
    }
    return {first, last};
  }
  // Whether no two elements share memory, as far as the order of the dimensions tells.
  bool is_apart() const {
    std::vector<std::pair<size_t, size_t>> dimensions; // distance, size
    for (size_t i = 0; i < rank(); ++i)
      if (size(i) > 1)
        dimensions.emplace_back(static_cast<size_t>(stride(i) < 0 ? -stride(i) : stride(i)), size(i));
    std::sort(dimensions.begin(), dimensions.end());
    size_t extent = item_size();
    for (const auto &[distance, size] : dimensions) {
      if (distance < extent)
        return false;
      extent += (size - 1) * distance;
    }
    return true;
  }

private:
  Py_buffer view_;
};

// A kind of product, between any arrays of its types and ranks.
class Product {
public:
  Product(const std::string &a, const std::string &b, const std::string &c, const std::string &work, size_t batch,
          size_t terms)
      : batch_(batch), terms_(terms) {
    product_.a_type = type_of(a);
    product_.b_type = type_of(b);
    product_.c_type = type_of(c);
    product_.work = type_of(work);
    if (!matmul::is_known(product_.a_type, product_.b_type, product_.c_type, product_.work))
      throw std::invalid_argument("there are no products of " + a + " and " + b + " in " + work + " as " + c);
  }

  bool run(nb::handle a_object, nb::handle b_object, nb::handle c_object, size_t threads) const {
    const Array a(a_object, PyBUF_STRIDES), b(b_object, PyBUF_STRIDES);
    const Array c(c_object, PyBUF_STRIDES | PyBUF_WRITABLE);
    const size_t shared = batch_ + terms_;
    check(a.rank() >= shared && b.rank() >= shared && c.rank() == a.rank() + b.rank() - batch_ - 2 * terms_,
          "arrays must have the ranks of the product");
    check(a.item_size() == matmul::size_of(product_.a_type) && b.item_size() == matmul::size_of(product_.b_type) &&
              c.item_size() == matmul::size_of(product_.c_type),
          "arrays must have the item sizes of the product");
    matmul::Product product = product_;
    for (size_t i = 0; i < batch_; ++i) {
      check(a.size(i) == b.size(i) && a.size(i) == c.size(i), "arrays must have one batch");
      product.batch.push_back({a.size(i), a.stride(i), b.stride(i), c.stride(i)});
    }
    const size_t rows = a.rank() - shared, columns = b.rank() - shared;
    for (size_t i = batch_; i < batch_ + rows; ++i) {
      check(a.size(i) == c.size(i), "the result must have the rows of the first operand");
      product.rows.push_back({a.size(i), a.stride(i), 0, c.stride(i)});
    }
    for (size_t i = 0; i < terms_; ++i) {
      const size_t in_a = batch_ + rows + i, in_b = batch_ + i;
      check(a.size(in_a) == b.size(in_b), "operands must have the same terms");
      product.terms.push_back({a.size(in_a), a.stride(in_a), b.stride(in_b), 0});
    }
    for (size_t i = 0; i < columns; ++i) {
      const size_t in_b = shared + i, in_c = batch_ + rows + i;
      check(b.size(in_b) == c.size(in_c), "the result must have the columns of the second operand");
      product.columns.push_back({b.size(in_b), 0, b.stride(in_b), c.stride(in_c)});
    }
    if (c.is_empty())
      return true;
    check(c.is_apart() && !overlap(a, c) && !overlap(b, c), "a result must have memory of its own");
    if (!a.is_aligned() || !b.is_aligned() || !c.is_aligned())
      return false;
    product.a = a.data();
    product.b = b.data();
    product.c = c.data();
    nb::gil_scoped_release released;
    matmul::run(product, threads);
    return true;
  }

private:
  static void check(bool is_right, const char *message) {
    if (!is_right)
      throw std::invalid_argument(message);
  }

  static bool overlap(const Array &operand, const Array &result) {
    if (operand.is_empty())
      return false;
    const auto [first, last] = operand.extent();
    const auto [result_first, result_last] = result.extent();
    return first < result_last && result_first < last;
  }

  matmul::Product product_{};
  size_t batch_, terms_;
};

} // namespace

void bind_matmul(nb::module_ &m) {
  m.def("roundings", matmul::roundings, "terms"_a,
        "How often at most a `Product` rounds a term of a sum of so many products.");
  nb::class_<Product>(m, "Product",
                      R"(Sums of products: c[batch, rows, columns] = sum of a[batch, rows, terms] * b[batch, terms, columns].

Each of batch, rows, terms and columns may be several dimensions, or none. Sums are computed as accurately
as by pairwise summation; numbers are converted as they are read and written.)")
      .def("__init__",
           [](Product *self, const std::string &a, const std::string &b, const std::string &c,
              const std::string &work, size_t batch, size_t terms) {
             new (self) Product(a, b, c, work, batch, terms);
           },
           "a"_a, "b"_a, "c"_a, "work"_a, "batch"_a, "terms"_a,
           R"(`a`, `b`, `c`, `work`: types of the arrays, and the one to compute in: f32 or f64.
`batch`, `terms`: how many dimensions these are. Raises ValueError if there is no such product.)")
      .def("run", &Product::run, "a"_a, "b"_a, "c"_a, "threads"_a = 1,
           nb::sig("def run(self, a: Buffer, b: Buffer, c: Buffer, threads: int = 1) -> bool"),
           R"(Fill `c`; False, and nothing done, for arrays that are not aligned.

Arrays may lie in memory in any way, but `c` has its memory for itself. f16 and bf16 are any items
of 2 bytes. Large products are divided among up to `threads` threads.)");
}

} // namespace hlokit
