#include "kernels/matmul/strategy.h"

#include <algorithm>
#include <cstdint>
#include <new>

namespace hlokit::matmul {
namespace {

// Multiplications for which another thread pays: some 20 us.
constexpr double least_part = 2e6;

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
