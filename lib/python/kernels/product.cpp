// hlokit._kernels.Product and roundings.
#include <nanobind/stl/string.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/elements/type_names.h"
#include "kernels/matmul/product.h"
#include "python/array.h"
#include "python/kernels/module.h"
#include "python/kernels/without_lock.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// The sizes and strides of three arrays.
using Layouts = SmallVector<ptrdiff_t, 40>;

Layouts layouts_of(const Array &a, const Array &b, const Array &c) {
  Layouts result;
  for (const Array *each : {&a, &b, &c}) {
    result.push_back(static_cast<ptrdiff_t>(each->item_size()));
    result.push_back(static_cast<ptrdiff_t>(each->rank()));
    for (size_t i = 0; i < each->rank(); ++i) {
      result.push_back(static_cast<ptrdiff_t>(each->extent(i)));
      result.push_back(each->stride(i));
    }
  }
  return result;
}

void check(bool is_right, const char *message) {
  if (!is_right)
    throw std::invalid_argument(message);
}

// A product of arrays of certain types and ranks.
class Product {
public:
  Product(const Product &) = delete;
  Product &operator=(const Product &) = delete;
  Product(const std::string &a, const std::string &b, const std::string &c, const std::string &work, size_t batch,
          size_t terms)
      : types_{element_type(a), element_type(b), element_type(c), element_type(work), {}, {}, {}, {}}, batch_(batch),
        terms_(terms) {
    if (!matmul::is_supported(types_.a_type, types_.b_type, types_.c_type, types_.work))
      throw std::invalid_argument("there is no kernel for products of " + a + " and " + b + " in " + work + " as " +
                                  c);
  }

  bool run(nb::handle a_object, nb::handle b_object, nb::handle c_object, size_t threads) {
    const Array a(a_object, PyBUF_STRIDES), b(b_object, PyBUF_STRIDES);
    const Array c(c_object, PyBUF_STRIDES | PyBUF_WRITABLE);
    const std::shared_ptr<const CachedProduct> cached = cached_for(a, b, c);
    if (c.is_empty())
      return true;
    check(!a.overlaps(c) && !b.overlaps(c), "the result must share no memory with an operand");
    if (!cached->product || !a.is_aligned() || !b.is_aligned() || !c.is_aligned())
      return false;
    without_lock([&] {
      std::unique_ptr<unsigned char[]> workspace;
      if (const size_t bytes = cached->product->workspace_bytes())
        workspace.reset(new unsigned char[bytes]);
      cached->product->run({a.data(), b.data(), c.data()}, workspace.get(), threads);
    });
    return true;
  }

  std::string strategy(nb::handle a, nb::handle b, nb::handle c) {
    const auto cached = cached_for(Array(a, PyBUF_STRIDES), Array(b, PyBUF_STRIDES), Array(c, PyBUF_STRIDES));
    return cached->product ? cached->product->strategy() : "";
  }

private:
  // The product of arrays of some layouts. `product` is null if their strides are no multiples of elements.
  struct CachedProduct {
    Layouts layouts;
    std::unique_ptr<const matmul::PreparedProduct> product;
  };

  // Most calls have the layouts of the call before. Its product lives on while other threads use it.
  std::shared_ptr<const CachedProduct> cached_for(const Array &a, const Array &b, const Array &c) {
    Layouts layouts = layouts_of(a, b, c);
    if (last_ && last_->layouts == layouts)
      return last_;
    check(a.item_size() == size_of(types_.a_type) && b.item_size() == size_of(types_.b_type) &&
              c.item_size() == size_of(types_.c_type),
          "operands and result must have the item sizes of their types");
    const matmul::Product product = placed(a, b, c);
    auto cached = std::make_shared<CachedProduct>(CachedProduct{std::move(layouts), nullptr});
    if (!c.is_empty()) {
      check(c.has_distinct_elements(), "elements of the result must share no memory");
      if (a.has_whole_strides() && b.has_whole_strides() && c.has_whole_strides())
        cached->product = matmul::prepare(product);
    }
    last_ = cached;
    return cached;
  }

  matmul::Product placed(const Array &a, const Array &b, const Array &c) const {
    const size_t shared = batch_ + terms_;
    check(a.rank() >= shared && b.rank() >= shared && c.rank() == a.rank() + b.rank() - batch_ - 2 * terms_,
          "the result must have the batch, row and column dimensions of the operands, and no others");
    matmul::Product product = types_;
    for (size_t i = 0; i < batch_; ++i) {
      check(a.extent(i) == b.extent(i) && a.extent(i) == c.extent(i),
            "operands and result must have the same batch dimensions");
      product.batch.push_back({a.extent(i), a.stride(i), b.stride(i), c.stride(i)});
    }
    const size_t rows = a.rank() - shared, columns = b.rank() - shared;
    for (size_t i = batch_; i < batch_ + rows; ++i) {
      check(a.extent(i) == c.extent(i), "the result must have the row dimensions of the first operand");
      product.rows.push_back({a.extent(i), a.stride(i), 0, c.stride(i)});
    }
    for (size_t i = 0; i < terms_; ++i) {
      const size_t in_a = batch_ + rows + i, in_b = batch_ + i;
      check(a.extent(in_a) == b.extent(in_b), "both operands must have the same term dimensions");
      product.terms.push_back({a.extent(in_a), a.stride(in_a), b.stride(in_b), 0});
    }
    for (size_t i = 0; i < columns; ++i) {
      const size_t in_b = shared + i, in_c = batch_ + rows + i;
      check(b.extent(in_b) == c.extent(in_c),
            "the result must have the column dimensions of the second operand");
      product.columns.push_back({b.extent(in_b), 0, b.stride(in_b), c.stride(in_c)});
    }
    return product;
  }

  const matmul::Product types_;
  const size_t batch_, terms_;
  std::shared_ptr<const CachedProduct> last_; // which the interpreter's lock guards
};

} // namespace

void bind_product(nb::module_ &m) {
  m.def("roundings", matmul::roundings, "terms"_a,
        "How often a `Product` rounds a term of a sum of `terms` products, at most.");
  nb::class_<Product>(m, "Product",
                      R"(Sums of products: c[batch, rows, columns] = sum of a[batch, rows, terms] * b[batch, terms, columns].

Each of batch, rows, terms and columns may be several dimensions, or none. Sums are as accurate as
pairwise ones. Elements are converted as they are read and written. Arrays with the sizes and strides of
the call before are multiplied without preparation.)")
      .def("__init__",
           [](Product *self, const std::string &a, const std::string &b, const std::string &c,
              const std::string &work, size_t batch, size_t terms) {
             new (self) Product(a, b, c, work, batch, terms);
           },
           "a"_a, "b"_a, "c"_a, "work"_a, "batch"_a, "terms"_a,
           R"(`a`, `b`, `c`: the types of the arrays; all, or none, are complex. `work`: the type (of the parts) to
compute in, f32 or f64.
`batch`, `terms`: their numbers of dimensions. Raises ValueError for types without kernels.)")
      .def("run", &Product::run, "a"_a, "b"_a, "c"_a, "threads"_a = 1,
           nb::sig("def run(self, a: Buffer, b: Buffer, c: Buffer, threads: int = 1) -> bool"),
           R"(Fill `c`. False, with nothing computed, for arrays that are not aligned.

Arrays have any strides, but no two elements of `c` share memory, nor does `c` with an operand. f16
and bf16 are any items of 2 bytes. Large products are divided among up to `threads` threads.)")
      .def("strategy", &Product::strategy, "a"_a, "b"_a, "c"_a,
           nb::sig("def strategy(self, a: Buffer, b: Buffer, c: Buffer) -> str"),
           "How `run` computes: 'lines', 'direct', 'packed' or 'expanded'; '' if it does not.");
}

} // namespace hlokit
