// Random bodies and arrays for the loops of lib/vm/regions and lib/kernels/regions, valid and malformed, in memory of
// exactly the required size. Fails if the sanitizers find an error, or if orders and ranks are wrong.
//
//   fuzz_regions ROUNDS SEED
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/regions/gather.h"
#include "kernels/regions/row_order.h"
#include "kernels/regions/top_k.h"
#include "quota.h"
#include "vm/opcodes.h"
#include "vm/regions/regions.h"
#include "vm/regions/window_gather.h"

using namespace hlokit;
using regions::Body;
using Bytes = std::unique_ptr<unsigned char[]>;

namespace {

std::mt19937_64 engine;

size_t below(size_t limit) { return static_cast<size_t>(engine() % limit); }

Bytes random_bytes(size_t count) {
  Bytes result(new unsigned char[count]);
  for (size_t i = 0; i < count; ++i)
    result[i] = static_cast<unsigned char>(below(3) ? below(4) : below(256));
  return result;
}

// The memory of several arrays, each with its own allocation.
struct Arrays {
  std::vector<Bytes> memory;
  std::vector<unsigned char *> all;

  void add(size_t bytes) {
    memory.push_back(random_bytes(bytes));
    all.push_back(memory.back().get());
  }
  std::vector<const unsigned char *> constant() const { return {all.begin(), all.end()}; }
};

// A body with two arguments of each type; occasionally an invalid one.
Body random_body(const std::vector<ElementType> &values, bool compares) {
  const vm::Opcodes &operations = vm::opcodes();
  std::vector<ElementType> types;
  std::vector<uint32_t> inputs, outputs;
  for (int side = 0; side < 2; ++side)
    for (ElementType type : values) {
      inputs.push_back(static_cast<uint32_t>(types.size()));
      types.push_back(type);
    }
  if (compares) {
    types.assign(2 * values.size(), values[0]);
    for (size_t i = 0; i < types.size(); ++i)
      types[i] = values[i / 2];
  }
  types.push_back(values[0]); // a constant
  std::vector<vm::Instruction> program;
  for (size_t count = compares ? 1 + below(5) : below(6); program.size() < count;) {
    const auto number = static_cast<int>(below(operations.real_count));
    const vm::Opcode &row = operations.rows[number];
    if (compares && program.size() + 1 == count && row.result != ElementType::i1 && below(50))
      continue; // a comparison needs a predicate
    std::vector<uint32_t> operands(row.arity);
    bool fits = true;
    for (size_t i = 0; i < row.arity; ++i) {
      std::vector<uint32_t> good;
      for (uint32_t j = 0; j < types.size(); ++j)
        if (types[j] == row.operands[i])
          good.push_back(j);
      fits = fits && !good.empty();
      if (fits)
        operands[i] = good[below(good.size())];
    }
    if (!fits && below(200))
      continue;
    types.push_back(row.result);
    const auto to = static_cast<uint32_t>(below(50) ? types.size() - 1 : below(types.size() + 1));
    program.push_back({number, {to}, {operands.begin(), operands.end()}, {}});
  }
  std::vector<ElementType> wanted = compares ? std::vector<ElementType>{ElementType::i1} : values;
  for (ElementType type : wanted) {
    std::vector<uint32_t> good;
    for (uint32_t j = 0; j < types.size(); ++j)
      if (types[j] == type)
        good.push_back(j);
    if (good.empty())
      throw vm::ProgramError("no register fits");
    outputs.push_back(good[good.size() - 1 - below(std::min<size_t>(good.size(), 3))]);
  }
  return Body(types, program, inputs, outputs);
}

std::vector<ElementType> random_values() {
  std::vector<ElementType> values(1 + below(3));
  for (ElementType &type : values)
    type = static_cast<ElementType>(below(element_type_count));
  return values;
}

// Index vectors with random values, some of which select one of `rows` rows.
regions::IndexVectors random_vectors(size_t rows, size_t count, Arrays &memory) {
  const ElementType index_types[] = {ElementType::i8, ElementType::i32, ElementType::i64, ElementType::ui8, ElementType::ui64};
  regions::IndexVectors indices{index_types[below(5)], count, {}};
  const size_t size = size_of(indices.type);
  for (size_t i = 1 + below(3); i > 0; --i)
    indices.components.push_back({static_cast<int64_t>(below(9)), static_cast<int64_t>(below(9))});
  if (below(2))
    indices.components = {{static_cast<int64_t>(rows), 1}};
  memory.add(count * indices.components.size() * size);
  const bool is_interleaved = below(2) != 0;
  const unsigned char *data = memory.all.back();
  for (regions::IndexVectors::Component &component : indices.components) {
    component.data = data;
    component.stride = static_cast<ptrdiff_t>(is_interleaved ? size * indices.components.size() : size);
    data += is_interleaved ? size : size * count;
  }
  indices.check(rows);
  return indices;
}

void scatter() {
  const std::vector<ElementType> values = random_values();
  const Body body = random_body(values, false);
  const size_t rows = below(40), width = below(4) ? 1 + below(3) : below(1300),
               updates = below(width > 9 ? 20 : 700);
  Arrays memory;
  const regions::IndexVectors indices = random_vectors(rows, updates, memory);
  Arrays results, given;
  for (ElementType type : values) {
    results.add(rows * width * size_of(type));
    given.add(updates * width * size_of(type));
  }
  Bytes image = random_bytes(8 * body.register_count());
  regions::scatter(body, image.get(), results.all, given.constant(), indices, width);
}

regions::Shape random_shape() {
  regions::Shape shape{1 + below(below(2) ? 40 : 3), below(3) ? below(90) : below(3000),
                       below(4) ? 1 + below(5) : below(1200)};
  while (shape.outer * shape.size * shape.inner > 20000)
    (below(2) ? shape.size : below(2) ? shape.outer : shape.inner) /= 2;
  return shape;
}

void reduce() {
  const std::vector<ElementType> values = random_values();
  const Body body = random_body(values, false);
  const regions::Shape shape = random_shape();
  Arrays results, operands;
  for (ElementType type : values) {
    results.add(shape.outer * shape.inner * size_of(type));
    operands.add(shape.outer * shape.size * shape.inner * size_of(type));
  }
  Bytes image = random_bytes(8 * body.register_count()), inits = random_bytes(8 * values.size());
  regions::reduce(body, image.get(), shape, operands.constant(), inits.get(), results.all, 1 + below(3));
}

const regions::Combination &random_combination() {
  const char *names[] = {"add", "multiply", "maximum", "minimum", "and", "or", "xor", "replace", "none"};
  for (;;) {
    const auto type = static_cast<ElementType>(below(element_type_count));
    if (const regions::Combination *found = regions::find_combination(names[below(9)], type))
      return *found;
  }
}

void reduce_running() {
  const regions::Combination &combination = random_combination();
  if (!combination.run)
    return;
  const regions::Shape shape = random_shape();
  const size_t bytes = shape.outer * shape.size * shape.inner * combination.size;
  Arrays memory;
  for (size_t size : {bytes, combination.size, bytes})
    memory.add(size);
  regions::reduce_running(combination, shape, below(2), memory.all[0], memory.all[1], memory.all[2], 1 + below(3));
}

void reduce_windows() {
  const std::vector<ElementType> values = random_values();
  const Body body = random_body(values, false);
  std::vector<regions::Windows> axes;
  size_t padded = 1, count = 1;
  for (size_t i = below(4); i > 0; --i) {
    regions::Windows axis{1 + below(below(3) || padded > 50 ? 9 : 900), 1 + below(4), 1 + below(3), 1 + below(3), 0};
    const size_t reach = (axis.size - 1) * axis.dilation;
    axis.count = reach < axis.padded ? (axis.padded - 1 - reach) / axis.stride + 1 + !below(40) : !below(20);
    axes.push_back(axis);
    padded *= axis.padded, count *= axis.count;
  }
  Arrays results, operands;
  for (ElementType type : values) {
    results.add(count * size_of(type));
    operands.add(padded * size_of(type));
  }
  Bytes image = random_bytes(8 * body.register_count()), inits = random_bytes(8 * values.size());
  regions::reduce_windows(body, image.get(), axes, operands.constant(), inits.get(), results.all, 1 + below(3));
  const regions::Combination &combination = random_combination();
  if (!combination.fold)
    return;
  Arrays memory;
  memory.add(padded * combination.size);
  memory.add(combination.size);
  memory.add(count * combination.size);
  regions::reduce_windows(combination, axes, memory.all[0], memory.all[1], memory.all[2], 1 + below(3));
}

void sort() {
  const std::vector<ElementType> values = random_values();
  const Body body = random_body(values, true);
  const size_t rows = below(4), size = below(below(2) ? 20 : 600);
  Arrays operands;
  for (ElementType type : values)
    operands.add(rows * size * size_of(type));
  Bytes image = random_bytes(8 * body.register_count());
  std::unique_ptr<int64_t[]> order(new int64_t[rows * size]);
  regions::sort(body, image.get(), operands.constant(), rows, size, order.get());
  for (size_t row = 0; row < rows; ++row) {
    int64_t *first = order.get() + row * size;
    std::sort(first, first + size);
    for (size_t i = 0; i < size; ++i)
      if (first[i] != static_cast<int64_t>(i)) {
        std::fprintf(stderr, "an order must be a permutation\n");
        std::exit(1);
      }
  }
}

void combine() {
  const regions::Combination &combination = random_combination();
  const size_t rows = below(40), width = below(60), updates = below(700);
  Arrays memory;
  const regions::IndexVectors indices = random_vectors(rows, updates, memory);
  memory.add(rows * width * combination.size);
  memory.add(updates * width * combination.size);
  regions::scatter(combination, memory.all[1], memory.all[2], indices, width);
}

void reduce_known() {
  const regions::Combination &combination = random_combination();
  if (!combination.reduce)
    return;
  const regions::Shape shape = random_shape();
  Arrays memory;
  memory.add(shape.outer * shape.size * shape.inner * combination.size);
  memory.add(combination.size);
  memory.add(shape.outer * shape.inner * combination.size);
  regions::reduce(combination, shape, memory.all[0], memory.all[1], memory.all[2], 1 + below(3));
}

void gather() {
  const size_t rows = below(40), row = below(below(2) ? 20 : 600), parts = below(4), vectors = 1 + below(250);
  const size_t slices = below(2) ? 1 : below(5);
  Arrays memory;
  const regions::IndexVectors indices = random_vectors(rows, parts * vectors, memory);
  memory.add(slices * parts * rows * row);
  memory.add(slices * parts * vectors * row);
  regions::gather(memory.all[1], indices, {vectors, rows, slices, parts * rows}, row, memory.all[2], 1 + below(3));
}

// Windows of an array of three dimensions: the first one is that of a batch.
void gather_windows() {
  const size_t item = size_t(1) << below(5), batch = 1 + below(4), places = below(9), period = 1 + below(3);
  const size_t rows = 1 + below(40), columns = 1 + below(below(2) ? 9 : 900), row = columns + below(3);
  const size_t vectors = below(batch * rows * columns * item > 9000 ? 9 : 600);
  Arrays memory;
  memory.add(vectors);
  memory.add((batch * (rows + places) * row) * item);
  memory.add(vectors * rows * columns * item);
  const auto line = static_cast<ptrdiff_t>(row * item);
  const regions::WindowPlaces starts{
      vectors,
      {{{ElementType::i8, vectors, {{static_cast<int64_t>(places) + 1, 1, memory.all[0], 1}}}, line}},
      {{period, batch, static_cast<ptrdiff_t>(rows + places) * line}}};
  const vm::Sizes sizes{rows, columns};
  const vm::StridedCopy copy(2, sizes, vm::dense_strides(sizes, 2), {static_cast<int64_t>(row), 1}, item);
  regions::gather_windows(starts, {memory.all[1], copy, rows * columns * item}, memory.all[2], 1 + below(3));
}

// Elements in the order of a key, by its definition.
bool is_before(const regions::KeyRow &row, size_t left, size_t right) {
  auto numbers = [&](size_t i) { // whether the element is last, then its value
    const unsigned char *at = row.first + static_cast<ptrdiff_t>(i) * row.stride;
    const size_t size = size_of(row.order.type);
    uint64_t bits = 0;
    std::memcpy(&bits, at, size);
    const uint64_t sign = uint64_t(1) << (8 * size - 1);
    const bool is_minus = (bits & sign) != 0, is_signed = name_of(row.order.type)[0] == 'i' && row.order.type != ElementType::i1;
    const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
    bool is_last = false;
    long double value = static_cast<long double>(bits);
    if (is_signed)
      value = is_minus ? static_cast<long double>(magnitude) - static_cast<long double>(sign) : value;
    else if (name_of(row.order.type)[0] != 'u' && row.order.type != ElementType::i1) { // floats
      const int64_t infinity = row.order.type == ElementType::f64    ? 0x7FF0000000000000
                               : row.order.type == ElementType::f32  ? 0x7F800000
                               : row.order.type == ElementType::bf16 ? 0x7F80
                                                                     : 0x7C00;
      is_last = !row.order.is_total && magnitude > infinity;
      value = static_cast<long double>(magnitude);
      value = is_minus ? (row.order.is_total ? -value - 1 : -value) : value;
    }
    value = row.order.is_descending ? -value : value;
    return std::pair<bool, long double>(is_last, is_last ? 0 : value);
  };
  return numbers(left) < numbers(right);
}

constexpr ElementType real[] = {ElementType::i1,   ElementType::i8,   ElementType::i16,  ElementType::i32, ElementType::i64,
                                ElementType::ui8,  ElementType::ui16, ElementType::ui32, ElementType::ui64,
                                ElementType::f32,  ElementType::f64,  ElementType::bf16, ElementType::f16};

// `size` elements of a key.
regions::KeyRow random_key(size_t size, size_t stride, Arrays &memory) {
  const ElementType type = real[below(std::size(real))];
  const size_t bytes = size * size_of(type) * stride;
  memory.add(bytes);
  if (type == ElementType::i1)
    for (size_t i = 0; i < bytes; ++i)
      memory.all.back()[i] &= 1;
  return {{type, below(2) == 0, below(2) == 0}, memory.all.back(), static_cast<ptrdiff_t>(size_of(type) * stride)};
}

// Ends the program unless these are the positions of the first elements in stable order.
template <class Position>
void check_order(const std::vector<regions::KeyRow> &keys, size_t size, const Position *positions, size_t count) {
  std::vector<size_t> expected(size);
  std::iota(expected.begin(), expected.end(), size_t(0));
  std::stable_sort(expected.begin(), expected.end(), [&](size_t left, size_t right) {
    for (const regions::KeyRow &key : keys)
      if (is_before(key, left, right) || is_before(key, right, left))
        return is_before(key, left, right);
    return false;
  });
  for (size_t i = 0; i < count; ++i)
    if (static_cast<size_t>(positions[i]) != expected[i]) {
      std::fprintf(stderr, "the order of a row is wrong\n");
      std::exit(1);
    }
}

void top() {
  const size_t rows = below(4), size = below(below(4) ? 400 : 2000), k = std::min(size, below(2) ? below(20) : below(size + 1));
  Arrays memory;
  const regions::KeyRow all = random_key(rows * size, 1, memory);
  std::unique_ptr<int64_t[]> positions(new int64_t[rows * k]);
  regions::top_k(all.order, all.first, rows, size, k, positions.get(), 1 + below(3));
  for (size_t i = 0; i < rows; ++i)
    check_order({{all.order, all.first + static_cast<ptrdiff_t>(i * size) * all.stride, all.stride}}, size,
                positions.get() + i * k, k);
}

void row_order() {
  const size_t size = below(below(4) ? 40 : 400), count = 1 + below(3);
  const size_t kept = below(2) ? size : std::min<size_t>(below(20), size);
  Arrays memory;
  std::vector<regions::KeyRow> keys;
  for (size_t i = 0; i < count; ++i) {
    regions::KeyRow key = random_key(size, 1 + below(3), memory);
    if (size > 0 && below(4) == 0) { // from the last element to the first one
      key.first += static_cast<ptrdiff_t>(size - 1) * key.stride;
      key.stride = -key.stride;
    }
    keys.push_back(key);
  }
  std::vector<uint32_t> order(size);
  std::unique_ptr<uint64_t[]> work(new uint64_t[regions::row_order_bytes(size) / 8]);
  regions::find_row_order(keys.data(), count, size, kept, order.data(), reinterpret_cast<unsigned char *>(work.get()));
  check_order(keys, size, order.data(), kept);
}

template <class T> void compare_ranks(const regions::KeyKernels<T> *kernels, size_t levels) {
  const size_t count = below(130), room = (count + regions::rank_block - 1) / regions::rank_block * regions::rank_block;
  std::unique_ptr<T[]> keys(new T[room]), ranks(new T[room]), others(new T[room]);
  for (size_t i = 0; i < room; ++i)
    keys[i] = static_cast<T>(below(2) ? below(5) : engine());
  kernels[0].ranks(keys.get(), count, ranks.get());
  for (size_t i = 0; i < levels; ++i) {
    kernels[i].ranks(keys.get(), count, others.get());
    if (!std::equal(ranks.get(), ranks.get() + count, others.get())) {
      std::fprintf(stderr, "levels of processor must give the same ranks\n");
      std::exit(1);
    }
  }
}

void ranks() {
#if defined(HLOKIT_X86_VARIANTS)
  const size_t levels = cpu_level() >= CpuLevel::avx512 ? 3 : cpu_level() == CpuLevel::avx2 ? 2 : 1;
  const regions::KeyKernels<int32_t> narrow[] = {regions::baseline::narrow_keys(), regions::avx2::narrow_keys(),
                                                 regions::avx512::narrow_keys()};
  const regions::KeyKernels<int64_t> wide[] = {regions::baseline::wide_keys(), regions::avx2::wide_keys(),
                                               regions::avx512::wide_keys()};
#else
  const size_t levels = 1;
  const regions::KeyKernels<int32_t> narrow[] = {regions::baseline::narrow_keys()};
  const regions::KeyKernels<int64_t> wide[] = {regions::baseline::wide_keys()};
#endif
  compare_ranks(narrow, levels);
  compare_ranks(wide, levels);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const long rounds = std::atol(argv[1]);
  engine.seed(static_cast<uint64_t>(std::atol(argv[2])));
  constexpr size_t count = 12;
  void (*const ways[count])() = {scatter,      reduce, reduce_running, reduce_windows, sort, combine,
                                 reduce_known, gather, gather_windows, top,            row_order, ranks};
  int good[count] = {};
  for (long i = 0; i < rounds; ++i) {
    const size_t way = below(count);
    try {
      ways[way]();
      ++good[way];
    } catch (const std::invalid_argument &) {
    }
  }
  for (int number : good)
    std::printf("%d ", number);
  std::printf("runs were good\n");
  return meets_quota(*std::min_element(good, good + count), rounds, 50) ? 0 : 1;
}
