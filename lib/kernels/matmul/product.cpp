#include "kernels/matmul/product.h"

#include <algorithm>

#include "kernels/matmul/axes.h"
#include "kernels/matmul/strategy.h"

namespace hlokit::matmul {
namespace {

template <class T> Strategy prepare_in(const Product &product) {
  const bool are_long = are_long_lines<T>(product);
  if (Strategy found = are_long ? lines<T>(product) : nullptr)
    return found;
  if (Strategy found = direct<T>(product))
    return found;
  if (is_complex(product.c_type))
    return expanded(product);
  if (are_bytes_fast(product))
    return packed<int8_t>(product);
  if (Strategy found = are_long ? nullptr : lines<T>(product))
    return found;
  return packed<T>(product);
}

} // namespace

size_t roundings(size_t terms) {
  // The roundings of a block: those of a lane, and of the tree of lanes; one more for the sum of blocks.
  const size_t block = std::min<size_t>(terms, 256);
  if (block < 8)
    return block;
  return block < 128 ? (block + 7) / 8 + 3 : (block + 15) / 16 + 4 + (terms > 256);
}

bool is_supported(ElementType a, ElementType b, ElementType c, ElementType work) {
  if (work != ElementType::f32 && work != ElementType::f64)
    return false;
  const bool is_wide = work == ElementType::f64;
  if (is_complex(a) || is_complex(b) || is_complex(c))
    return a == b && b == c && a == (is_wide ? ElementType::c128 : ElementType::c64);
  const Kernels<float> &narrow = best_kernels<float>();
  const Kernels<double> &wide = best_kernels<double>();
  const auto is_read = [&](ElementType type) {
    return wide.reads[static_cast<size_t>(type)] != nullptr && (is_wide || type != ElementType::f64);
  };
  const auto number = static_cast<size_t>(c);
  return is_read(a) && is_read(b) && (is_wide ? wide.writes[number] != nullptr : narrow.writes[number] != nullptr);
}

std::unique_ptr<const PreparedProduct> prepare(const Product &product) {
  const Product plain = collapsed(product);
  return product.work == ElementType::f32 ? prepare_in<float>(plain) : prepare_in<double>(plain);
}

} // namespace hlokit::matmul
