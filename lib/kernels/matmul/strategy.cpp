#include "kernels/matmul/strategy.h"

#include <algorithm>
#include <cstdint>
#include <new>

#include "kernels/matmul/axes.h"

namespace hlokit::matmul {
namespace {

// Multiplications for which another thread pays: some 20 us.
constexpr double least_part = 2e6;

// Bytes are packed, which takes longer than few products.
constexpr size_t least_byte_terms = 16;

constexpr size_t alignment = 64;

// Kept from product to product: some MB at most.
class Workspace {
public:
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

} // namespace

template <> const Kernels<float> &best_kernels() {
  static const Kernels<float> &chosen = HLOKIT_BEST_VARIANT(kernels(float()));
  return chosen;
}

template <> const Kernels<double> &best_kernels() {
  static const Kernels<double> &chosen = HLOKIT_BEST_VARIANT(kernels(double()));
  return chosen;
}

template <> const Kernels<int8_t> &best_kernels() {
  static const Kernels<int8_t> &chosen = *HLOKIT_BEST_VARIANT(byte_kernels());
  return chosen;
}

bool are_bytes_fast(const Product &product) {
  const bool are_bytes = product.a_type == ElementType::i8 && product.b_type == ElementType::i8;
  return are_bytes && product.c_type == ElementType::i32 && has_byte_products() &&
         HLOKIT_BEST_VARIANT(byte_kernels()) != nullptr && total(product.terms) >= least_byte_terms &&
         total(product.rows) > 1 && total(product.columns) > 1;
}

bool is_better_transposed(size_t rows, size_t columns, ptrdiff_t row, ptrdiff_t a_term, ptrdiff_t b_term,
                          ptrdiff_t column, size_t a_size, size_t b_size) {
  const bool by_rows = rows > 1 && row == static_cast<ptrdiff_t>(a_size);
  const bool by_columns = columns > 1 && column == static_cast<ptrdiff_t>(b_size);
  if (by_rows != by_columns)
    return by_rows;
  // For a few vectors: sums along memory.
  return columns <= 4 && rows > columns && !by_columns && a_term == static_cast<ptrdiff_t>(a_size) &&
         b_term == static_cast<ptrdiff_t>(b_size);
}

size_t parts_worth(double multiplications) { return static_cast<size_t>(std::min(multiplications / least_part, 1e6)); }

unsigned char *thread_memory(size_t bytes) { return workspace.get(bytes); }

} // namespace hlokit::matmul
