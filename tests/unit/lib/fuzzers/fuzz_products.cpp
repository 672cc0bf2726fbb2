// Random products of lib/kernels/matmul/product.h of all types and layouts, in memory of exactly the required size.
// Fails if the sanitizers find an error, or if a sum differs from the exact one by more than `roundings` allows.
//
//   fuzz_products ROUNDS SEED
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "kernels/matmul/product.h"

using namespace hlokit;
using namespace hlokit::matmul;

namespace {

std::mt19937_64 engine;

size_t below(size_t limit) { return static_cast<size_t>(engine() % limit); }

// The memory of an array with dimensions in random order, some of them reversed; operands may repeat along dimensions.
struct Array {
  ElementType type;
  std::vector<ptrdiff_t> strides;
  std::unique_ptr<unsigned char[]> memory;
  unsigned char *data = nullptr;
  size_t bytes = 0;

  Array(ElementType type, const std::vector<size_t> &sizes, bool may_repeat) : type(type), strides(sizes.size()) {
    std::vector<size_t> order(sizes.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    if (below(2))
      std::shuffle(order.begin(), order.end(), engine);
    size_t extent = size_of(type), offset = 0;
    for (size_t i = order.size(); i-- > 0;) {
      const size_t size = sizes[order[i]];
      if (may_repeat && !below(8))
        continue;
      const size_t gap = below(4) ? 0 : below(3) * size_of(type);
      strides[order[i]] = static_cast<ptrdiff_t>(extent + gap);
      const size_t length = (extent + gap) * (size - 1);
      if (!below(6)) {
        offset += length;
        strides[order[i]] *= -1;
      }
      extent += length;
    }
    bytes = extent;
    memory.reset(new unsigned char[bytes]);
    data = memory.get() + offset;
    for (size_t i = 0; i + size_of(type) <= bytes; i += size_of(type))
      put(memory.get() + i);
  }

  void put(unsigned char *at) const {
    const double value = below(3) ? double(below(2001)) / 1000 - 1 : std::ldexp(double(below(4096)) - 2048, -4);
    const bool is_unsigned = type == ElementType::ui8 || type == ElementType::ui16 || type == ElementType::ui32;
    const auto whole = static_cast<int64_t>((is_unsigned ? std::fabs(value) : value) * 100);
    const auto narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, 4);
    const uint64_t half = (bits >> 16 & 0x8000) | (0x3800 + below(0x800)); // 0.5 to 2
    const uint64_t high = bits >> 16;
    const double number[] = {value, double(below(2001)) / 1000 - 1};
    const float narrow_number[] = {narrow, static_cast<float>(number[1])};
    switch (type) {
    case ElementType::f32: std::memcpy(at, &narrow, 4); break;
    case ElementType::f64: std::memcpy(at, &value, 8); break;
    case ElementType::f16: std::memcpy(at, &half, 2); break;
    case ElementType::bf16: std::memcpy(at, &high, 2); break;
    case ElementType::c64: std::memcpy(at, narrow_number, 8); break;
    case ElementType::c128: std::memcpy(at, number, 16); break;
    default: std::memcpy(at, &whole, size_of(type)); break;
    }
  }
};

template <class T> double number(const unsigned char *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

double get(ElementType type, const unsigned char *at) {
  switch (type) {
  case ElementType::i8: return number<int8_t>(at);
  case ElementType::ui8: return number<uint8_t>(at);
  case ElementType::i16: return number<int16_t>(at);
  case ElementType::ui16: return number<uint16_t>(at);
  case ElementType::i32: return number<int32_t>(at);
  case ElementType::ui32: return number<uint32_t>(at);
  case ElementType::i64: return number<int64_t>(at);
  case ElementType::f32: return number<float>(at);
  case ElementType::f64: return number<double>(at);
  default: break;
  }
  uint16_t bits;
  std::memcpy(&bits, at, 2);
  if (type == ElementType::f16) {
    const int exponent = (bits >> 10) & 31, mantissa = bits & 0x3FF;
    const double magnitude = exponent == 31  ? (mantissa == 0 ? HUGE_VAL : std::nan(""))
                             : exponent == 0 ? std::ldexp(mantissa, -24)
                                             : std::ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
  }
  const uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

void fail(const char *what, double actual, double expected, size_t terms) {
  std::fprintf(stderr, "%s: %.17g instead of %.17g, a sum of %zu\n", what, actual, expected, terms);
  std::exit(1);
}

void each(const Axes &axes, void (*act)(void *, ptrdiff_t, ptrdiff_t, ptrdiff_t), void *state,
          size_t depth = 0, ptrdiff_t a = 0, ptrdiff_t b = 0, ptrdiff_t c = 0) {
  if (depth == axes.size())
    return act(state, a, b, c);
  const Axis &axis = axes[depth];
  for (size_t i = 0; i < axis.size; ++i) {
    const auto n = static_cast<ptrdiff_t>(i);
    each(axes, act, state, depth + 1, a + n * axis.a, b + n * axis.b, c + n * axis.c);
  }
}

// A product, and the part of its numbers that is compared: 0 is the real part.
struct Computed {
  const Product &product;
  const Arrays &arrays;
  size_t part;
};

struct Sum {
  const Computed *computed;
  ptrdiff_t a, b;
  long double total = 0, magnitude = 0;
  size_t terms = 0;
};

void compare(const Product &product, const Arrays &arrays, size_t part = 0) {
  Axes results = product.batch;
  for (const Axes *axes : {&product.rows, &product.columns})
    for (const Axis &axis : *axes)
      results.push_back(axis);
  const auto check = [](void *state, ptrdiff_t a, ptrdiff_t b, ptrdiff_t c) {
    const Computed &computed = *static_cast<const Computed *>(state);
    const Product &product = computed.product;
    Sum sum{&computed, a, b};
    const auto add = [](void *state, ptrdiff_t a, ptrdiff_t b, ptrdiff_t) {
      Sum &sum = *static_cast<Sum *>(state);
      const Product &product = sum.computed->product;
      const unsigned char *lhs = sum.computed->arrays.a + sum.a + a, *rhs = sum.computed->arrays.b + sum.b + b;
      const auto count = [&](long double term) {
        sum.total += term;
        sum.magnitude += std::fabs(term);
        ++sum.terms;
      };
      if (!is_complex(product.c_type))
        return count(static_cast<long double>(get(product.a_type, lhs)) * get(product.b_type, rhs));
      const size_t item = size_of(product.work), part = sum.computed->part;
      const auto number = [&](const unsigned char *at, size_t which) { return get(product.work, at + which * item); };
      count(static_cast<long double>(number(lhs, 0)) * number(rhs, part));
      count(static_cast<long double>(number(lhs, 1)) * number(rhs, 1 - part) * (part ? 1 : -1));
    };
    each(product.terms, add, &sum);
    const unsigned char *result = computed.arrays.c + c;
    const double actual = is_complex(product.c_type) ? get(product.work, result + computed.part * size_of(product.work))
                                                     : get(product.c_type, result);
    const double unit = std::ldexp(1, product.work == ElementType::f32 ? -24 : -53);
    double allowed = unit * static_cast<double>(roundings(sum.terms)) * 1.001;
    if (product.c_type == ElementType::bf16)
      allowed += std::ldexp(1, -8);
    if (product.c_type == ElementType::f32)
      allowed += std::ldexp(1, -24);
    if (product.c_type == ElementType::f16)
      allowed += std::ldexp(1, -11);
    // Subnormal f16 have an absolute error; beyond the range of f16, the result is infinite.
    const double least = product.c_type == ElementType::f16 ? std::ldexp(1, -25) : 0;
    const bool is_infinite = product.c_type == ElementType::f16 && std::isinf(actual) && std::fabs(sum.total) > 65500;
    if (std::fabs(actual - sum.total) > allowed * sum.magnitude + least && !is_infinite)
      fail("a sum is wrong", actual, static_cast<double>(sum.total), sum.terms);
  };
  Computed computed{product, arrays, part};
  each(results, check, &computed);
}

void run(const Product &product, const Arrays &arrays) {
  const auto prepared = prepare(product);
  const std::unique_ptr<unsigned char[]> workspace(new unsigned char[prepared->workspace_bytes()]);
  prepared->run(arrays, workspace.get(), 1 + below(3));
}

void fuzz() {
  const auto type = [] { return static_cast<ElementType>(below(element_type_count)); };
  const ElementType work = below(2) ? ElementType::f32 : ElementType::f64;
  const bool is_complex = !below(4);
  const ElementType number = !is_complex ? work : work == ElementType::f32 ? ElementType::c64 : ElementType::c128;
  const auto any = [&] { return is_complex || below(2) ? number : type(); };
  ElementType a_type = any(), b_type = any(), c_type = any();
  if (!is_supported(a_type, b_type, c_type, work))
    return;
  const auto is_whole = [](ElementType type) { return type < ElementType::f32; };
  if (is_whole(c_type)) {
    // Sums are exact in f32: few terms, of at most 14 bits.
    a_type = b_type = ElementType::i8;
  }
  const size_t largest[] = {3, 8, 20, 40, 300, 1200};
  const auto axes = [&](size_t limit) {
    if (!below(12)) // as in the state of several qubits
      return std::vector<size_t>(3 + below(3), 2);
    std::vector<size_t> sizes(below(3));
    for (size_t &size : sizes)
      size = below(40) ? 1 + below(sizes.size() == 2 ? static_cast<size_t>(std::sqrt(double(limit))) + 1 : limit) : 0;
    return sizes;
  };
  const std::vector<size_t> batch = axes(below(4) ? 3 : 80), rows = axes(largest[below(4)]);
  const std::vector<size_t> terms = axes(is_whole(c_type) ? 400 : largest[below(6)]), columns = axes(largest[below(5)]);
  double work_count = 1;
  for (const auto *sizes : {&batch, &rows, &terms, &columns})
    for (const size_t size : *sizes)
      work_count *= double(size);
  if (work_count > 3e6)
    return;
  const auto joined = [](std::initializer_list<const std::vector<size_t> *> parts) {
    std::vector<size_t> result;
    for (const auto *part : parts)
      for (const size_t size : *part)
        result.push_back(std::max<size_t>(size, 1));
    return result;
  };
  const Array a(a_type, joined({&batch, &rows, &terms}), true), b(b_type, joined({&batch, &terms, &columns}), true);
  Array c(c_type, joined({&batch, &rows, &columns}), false);
  // Values other than 0, all of which must be overwritten.
  std::memset(c.memory.get(), 0x3F, c.bytes);
  Product product{a_type, b_type, c_type, work, {}, {}, {}, {}};
  const Arrays arrays{a.data, b.data, c.data};
  const size_t nb = batch.size(), nr = rows.size(), nt = terms.size();
  for (size_t i = 0; i < nb; ++i)
    product.batch.push_back({batch[i], a.strides[i], b.strides[i], c.strides[i]});
  for (size_t i = 0; i < nr; ++i)
    product.rows.push_back({rows[i], a.strides[nb + i], 0, c.strides[nb + i]});
  for (size_t i = 0; i < nt; ++i)
    product.terms.push_back({terms[i], a.strides[nb + nr + i], b.strides[nb + i], 0});
  for (size_t i = 0; i < columns.size(); ++i)
    product.columns.push_back({columns[i], 0, b.strides[nb + nt + i], c.strides[nb + nr + i]});
  run(product, arrays);
  for (size_t part = 0; part < (is_complex ? 2 : 1); ++part)
    compare(product, arrays, part);
}

template <class T> void fuzz_matrices(ElementType type) {
  const size_t limits[] = {1, 3, 9, 70};
  const size_t m = below(limits[below(4)] + 1), n = below(limits[below(4)] + 1), k = below(limits[below(4)] + 1);
  const auto at_least = [](size_t size) { return std::max<size_t>(size, 1); };
  const Array a(type, {at_least(m), at_least(k)}, true), b(type, {at_least(k), at_least(n)}, true);
  Array c(type, {at_least(m), at_least(n)}, false);
  const auto strides = [](const Array &array) {
    return Strides{array.strides[0] / ptrdiff_t(sizeof(T)), array.strides[1] / ptrdiff_t(sizeof(T))};
  };
  const auto data = [](const Array &array) { return reinterpret_cast<T *>(array.data); };
  multiply(data(c), strides(c), data(a), strides(a), data(b), strides(b), m, n, k);
  const Product product{type, type, type, type, {}, {{m, a.strides[0], 0, c.strides[0]}},
                        {{k, a.strides[1], b.strides[0], 0}}, {{n, 0, b.strides[1], c.strides[1]}}};
  compare(product, {a.data, b.data, c.data});
}

} // namespace

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  engine.seed(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0);
  for (int i = 0; i < rounds; ++i) {
    fuzz();
    fuzz_matrices<float>(ElementType::f32);
    fuzz_matrices<double>(ElementType::f64);
  }
}
