#include "regions.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <type_traits>

#include "threads.h"
#include "vm_checks.h"

namespace hlokit::regions {

using vm::ProgramError;
using vm::Type;

namespace {

constexpr size_t line = 64;

// Copies of one element, of 1, 2, 4 or 8 bytes.
inline void copy_element(unsigned char *to, const unsigned char *from, size_t size) {
  switch (size) {
  case 1:
    *to = *from;
    return;
  case 2:
    std::memcpy(to, from, 2);
    return;
  case 4:
    std::memcpy(to, from, 4);
    return;
  default:
    std::memcpy(to, from, 8);
  }
}

} // namespace

// Bodies ------------------------------------------------------------------------------------------------

Body::Body(const std::vector<Type> &types, const std::vector<vm::Source> &sources,
           std::vector<uint32_t> inputs, std::vector<uint32_t> outputs)
    : types_(types), inputs_(std::move(inputs)), outputs_(std::move(outputs)), is_written_(types.size(), false),
      is_fixed_(types.size(), true) {
  if (types.size() > (1 << 20) || inputs_.size() > (1 << 10) || outputs_.size() > (1 << 10))
    throw ProgramError("a body must be smaller");
  for (Type type : types)
    sizes_.push_back(vm::size_of(type));
  for (uint32_t input : inputs_) {
    vm::check_register(types, input);
    if (!is_fixed_[input])
      throw ProgramError("an input must be given once");
    is_fixed_[input] = false;
  }
  for (const vm::Source &source : sources) {
    vm::check_operation(types, source);
    if (!is_fixed_[source.to])
      throw ProgramError("a register must be written once, and be no input");
    is_fixed_[source.to] = false;
    is_written_[source.to] = true;
  }
  std::vector<bool> is_ready(types.size());
  for (size_t i = 0; i < types.size(); ++i)
    is_ready[i] = !is_written_[i];
  for (const vm::Source &source : sources) {
    const vm::Operation &found = vm::check_operation(types, source);
    const uint32_t operands[] = {source.a, source.b, source.c};
    for (size_t i = 0; i < found.arity; ++i)
      if (!is_ready[operands[i]])
        throw ProgramError("a register must be written before it is read");
    is_ready[source.to] = true;
    const uint32_t b = found.arity > 1 ? source.b : source.a, c = found.arity > 2 ? source.c : source.a;
    moves_.push_back({found.sweep, source.to, source.a, b, c});
    code_.push_back({found.step, 8 * source.to, 8 * source.a, 8 * b, 8 * c, 0, nullptr});
  }
  for (uint32_t output : outputs_)
    vm::check_register(types, output);
}

Blocks::Blocks(const Body &body, const unsigned char *image)
    : body_(body), at_(body.register_count()), own_(body.register_count()), results_(body.output_count()),
      is_direct_(body.output_count()) {
  const size_t count = body.register_count(), pitch = 8 * most + line;
  memory_.reset(new unsigned char[count * pitch + line]);
  unsigned char *next = memory_.get() + (line - reinterpret_cast<uintptr_t>(memory_.get()) % line) % line;
  for (size_t i = 0; i < count; ++i, next += pitch) {
    at_[i] = own_[i] = next;
    if (body.is_fixed_[i])
      for (size_t j = 0; j < most; ++j)
        copy_element(next + j * body.sizes_[i], image + 8 * i, body.sizes_[i]);
  }
  for (size_t i = 0; i < body.output_count(); ++i) {
    const uint32_t *first = body.outputs_.data(), *output = first + i;
    is_direct_[i] = body.is_written_[*output] && std::find(first, output, *output) == output;
  }
}

void Blocks::run(size_t count) {
  for (size_t i = 0; i < results_.size(); ++i)
    if (is_direct_[i])
      at_[body_.outputs_[i]] = own_[body_.outputs_[i]] = results_[i];
  for (const Body::Move &move : body_.moves_)
    move.sweep(own_[move.to], at_[move.a], at_[move.b], at_[move.c], count);
  for (size_t i = 0; i < results_.size(); ++i)
    if (!is_direct_[i])
      std::memcpy(results_[i], at_[body_.outputs_[i]], count * body_.output_size(i));
}

Scalars::Scalars(const Body &body, const unsigned char *image)
    : body_(body), words_(new uint64_t[body.register_count() + 1]()) {
  std::memcpy(words_.get(), image, 8 * body.register_count());
}

void Scalars::load(size_t input, const unsigned char *from) {
  const uint32_t index = body_.inputs_[input];
  copy_element(registers() + 8 * index, from, body_.sizes_[index]);
}

void Scalars::run() {
  unsigned char *to = registers();
  for (const vm::Instruction &instruction : body_.code_)
    instruction.step(&instruction, to);
}

void Scalars::store(size_t output, unsigned char *to) const {
  const uint32_t index = body_.outputs_[output];
  copy_element(to, registers() + 8 * index, body_.sizes_[index]);
}

// Index vectors -----------------------------------------------------------------------------------------

void IndexVectors::check(size_t rows) const {
  if (components.empty())
    throw ProgramError("index vectors must have components");
  size_t room = rows;
  for (const Component &component : components) {
    if (component.extent < 0 || component.step < 0)
      throw ProgramError("extents and steps of indices must not be negative");
    if (component.extent == 0)
      return; // no index is within it
  }
  if (room == 0)
    throw ProgramError("indices must stay within the rows");
  --room; // the last row that may be meant
  for (const Component &component : components) {
    const auto last = static_cast<uint64_t>(component.extent) - 1, step = static_cast<uint64_t>(component.step);
    if (step != 0 && last > room / step)
      throw ProgramError("indices must stay within the rows");
    room -= static_cast<size_t>(last * step);
  }
}

namespace {

template <class T> T load(const unsigned char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Adds one component. Negative numbers are large as unsigned ones.
template <class T>
void add_places(const unsigned char *data, ptrdiff_t stride, const IndexVectors::Component &component,
                size_t count, int64_t *to) {
  const auto extent = static_cast<uint64_t>(component.extent);
  if (stride == sizeof(T) && component.step == 1) {
    for (size_t i = 0; i < count; ++i) {
      const auto value = static_cast<int64_t>(load<T>(data + i * sizeof(T)));
      const int64_t place = to[i] + value;
      to[i] = static_cast<uint64_t>(value) < extent && to[i] >= 0 ? place : -1;
    }
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const auto value = static_cast<int64_t>(load<T>(data + static_cast<ptrdiff_t>(i) * stride));
    const bool inside = static_cast<uint64_t>(value) < extent && to[i] >= 0;
    to[i] = inside ? to[i] + value * component.step : -1;
  }
}

template <class T>
void add_clamped_places(const unsigned char *data, ptrdiff_t stride, const IndexVectors::Component &component,
                        size_t count, int64_t *to) {
  const int64_t last = component.extent - 1;
  for (size_t i = 0; i < count; ++i) {
    const T value = load<T>(data + static_cast<ptrdiff_t>(i) * stride);
    int64_t index = static_cast<int64_t>(value);
    if constexpr (sizeof(T) == 8 && T(-1) > T(0))
      index = value > static_cast<uint64_t>(last) ? last : index;
    index = index < 0 ? 0 : index > last ? last : index;
    to[i] += index * component.step;
  }
}

using AddPlaces = void (*)(const unsigned char *, ptrdiff_t, const IndexVectors::Component &, size_t,
                           int64_t *);

#define HLOKIT_OF_INTEGER(type, function)                                                                      \
  switch (type) {                                                                                              \
  case Type::i8:                                                                                               \
    return function<int8_t>;                                                                                   \
  case Type::i16:                                                                                              \
    return function<int16_t>;                                                                                  \
  case Type::i32:                                                                                              \
    return function<int32_t>;                                                                                  \
  case Type::i64:                                                                                              \
    return function<int64_t>;                                                                                  \
  case Type::ui8:                                                                                              \
    return function<uint8_t>;                                                                                  \
  case Type::ui16:                                                                                             \
    return function<uint16_t>;                                                                                 \
  case Type::ui32:                                                                                             \
    return function<uint32_t>;                                                                                 \
  case Type::ui64:                                                                                             \
    return function<uint64_t>;                                                                                 \
  default:                                                                                                     \
    throw ProgramError("indices must be integers");                                                            \
  }

AddPlaces adder(Type type) { HLOKIT_OF_INTEGER(type, add_places) }
AddPlaces clamped_adder(Type type) { HLOKIT_OF_INTEGER(type, add_clamped_places) }

void add_all(const IndexVectors &indices, AddPlaces add, size_t start, size_t count, int64_t *to) {
  std::fill(to, to + count, 0);
  const unsigned char *data = indices.data + static_cast<ptrdiff_t>(start) * indices.stride;
  for (const IndexVectors::Component &component : indices.components) {
    add(data, indices.stride, component, count, to);
    data += indices.component_stride;
  }
}

} // namespace

void IndexVectors::places(size_t start, size_t vectors, int64_t *to) const {
  add_all(*this, adder(type), start, vectors, to);
}

void IndexVectors::clamped_places(size_t start, size_t vectors, int64_t *to) const {
  add_all(*this, clamped_adder(type), start, vectors, to);
}

// Scatter -----------------------------------------------------------------------------------------------

namespace {

// Tells places apart that follow each other: those with one hash count as the same.
class Recent {
public:
  void forget() { ++run_; }
  // Whether a place is new since then.
  bool add(int64_t place) {
    uint32_t &stamp = stamps_[static_cast<uint64_t>(place) % count];
    const bool is_new = stamp != run_;
    stamp = run_;
    return is_new;
  }

private:
  static constexpr size_t count = 4096;
  std::vector<uint32_t> stamps_ = std::vector<uint32_t>(count, 0);
  uint32_t run_ = 0;
};

class Scatterer {
public:
  Scatterer(const Body &body, const unsigned char *image, const std::vector<unsigned char *> &results,
            const std::vector<const unsigned char *> &updates, size_t width)
      : blocks_(body, image), scalars_(body, image), results_(results), updates_(updates), width_(width) {
    for (size_t i = 0; i < results.size(); ++i) {
      sizes_.push_back(body.output_size(i));
      old_.emplace_back(new unsigned char[8 * Blocks::most]);
      new_.emplace_back(new unsigned char[8 * Blocks::most]);
    }
  }

  // Updates `first` on, at places that differ from each other.
  void apply(const int64_t *places, size_t first, size_t count) {
    if (count * width_ < few)
      one_by_one(places, first, count);
    else if (width_ <= Blocks::most)
      at_once(places, first, count);
    else
      for (size_t i = 0; i < count; ++i)
        for (size_t column = 0; column < width_; column += Blocks::most)
          part(places[i], first + i, column, std::min(Blocks::most, width_ - column));
  }

private:
  static constexpr size_t few = 8;

  void one_by_one(const int64_t *places, size_t first, size_t count) {
    for (size_t i = 0; i < count; ++i)
      for (size_t column = 0; column < width_; ++column) {
        const size_t from = (first + i) * width_ + column;
        const size_t to = static_cast<size_t>(places[i]) * width_ + column;
        for (size_t j = 0; j < sizes_.size(); ++j) {
          scalars_.load(j, results_[j] + to * sizes_[j]);
          scalars_.load(sizes_.size() + j, updates_[j] + from * sizes_[j]);
        }
        scalars_.run();
        for (size_t j = 0; j < sizes_.size(); ++j)
          scalars_.store(j, results_[j] + to * sizes_[j]);
      }
  }

  void at_once(const int64_t *places, size_t first, size_t count) {
    for (size_t j = 0; j < sizes_.size(); ++j) {
      move_rows(places, count, sizes_[j], [&](size_t i, unsigned char *row, size_t size) {
        std::memcpy(old_[j].get() + i * size, row, size);
      }, j);
      blocks_.bind(j, old_[j].get());
      blocks_.bind(sizes_.size() + j, updates_[j] + first * width_ * sizes_[j]);
      blocks_.put(j, new_[j].get());
    }
    blocks_.run(count * width_);
    for (size_t j = 0; j < sizes_.size(); ++j)
      move_rows(places, count, sizes_[j], [&](size_t i, unsigned char *row, size_t size) {
        std::memcpy(row, new_[j].get() + i * size, size);
      }, j);
  }

  // Calls move(number, row, its bytes); with constants for bytes that elements have.
  template <class Move>
  void move_rows(const int64_t *places, size_t count, size_t item, const Move &move, size_t j) {
    const size_t bytes = item * width_;
    auto all = [&](auto size) {
      for (size_t i = 0; i < count; ++i)
        move(i, results_[j] + static_cast<size_t>(places[i]) * bytes, size);
    };
    switch (bytes) {
    case 1:
      return all(std::integral_constant<size_t, 1>());
    case 2:
      return all(std::integral_constant<size_t, 2>());
    case 4:
      return all(std::integral_constant<size_t, 4>());
    case 8:
      return all(std::integral_constant<size_t, 8>());
    default:
      return all(bytes);
    }
  }

  void part(int64_t place, size_t update, size_t column, size_t count) {
    const size_t to = static_cast<size_t>(place) * width_ + column, from = update * width_ + column;
    for (size_t j = 0; j < sizes_.size(); ++j) {
      blocks_.bind(j, results_[j] + to * sizes_[j]);
      blocks_.bind(sizes_.size() + j, updates_[j] + from * sizes_[j]);
      blocks_.put(j, new_[j].get());
    }
    blocks_.run(count);
    for (size_t j = 0; j < sizes_.size(); ++j)
      std::memcpy(results_[j] + to * sizes_[j], new_[j].get(), count * sizes_[j]);
  }

  Blocks blocks_;
  Scalars scalars_;
  const std::vector<unsigned char *> &results_;
  const std::vector<const unsigned char *> &updates_;
  size_t width_;
  std::vector<size_t> sizes_;
  std::vector<Bytes> old_, new_;
};

} // namespace

void scatter(const Body &body, const unsigned char *image, const std::vector<unsigned char *> &results,
             const std::vector<const unsigned char *> &updates, const IndexVectors &indices, size_t width) {
  if (width == 0)
    return;
  Scatterer scatterer(body, image, results, updates, width);
  Recent recent;
  const size_t most = std::max<size_t>(Blocks::most / width, 1);
  int64_t places[Blocks::most];
  for (size_t start = 0; start < indices.count; start += Blocks::most) {
    const size_t count = std::min(Blocks::most, indices.count - start);
    indices.places(start, count, places);
    for (size_t first = 0; first < count;) {
      if (places[first] < 0) {
        ++first;
        continue;
      }
      recent.forget();
      recent.add(places[first]);
      size_t last = first + 1;
      while (last < count && last - first < most && places[last] >= 0 && recent.add(places[last]))
        ++last;
      scatterer.apply(places + first, start + first, last - first);
      first = last;
    }
  }
}

// Reduce ------------------------------------------------------------------------------------------------

namespace {

template <size_t size>
void split_elements(const unsigned char *from, size_t pairs, unsigned char *even, unsigned char *odd) {
  for (size_t i = 0; i < pairs; ++i) {
    std::memcpy(even + i * size, from + 2 * i * size, size);
    std::memcpy(odd + i * size, from + (2 * i + 1) * size, size);
  }
}

// Copies 2 * `pairs` rows of `bytes` bytes, the even ones to one place and the odd ones to another.
void split(const unsigned char *from, size_t pairs, size_t bytes, unsigned char *even, unsigned char *odd) {
  switch (bytes) {
  case 1:
    return split_elements<1>(from, pairs, even, odd);
  case 2:
    return split_elements<2>(from, pairs, even, odd);
  case 4:
    return split_elements<4>(from, pairs, even, odd);
  case 8:
    return split_elements<8>(from, pairs, even, odd);
  default:
    for (size_t i = 0; i < pairs; ++i) {
      std::memcpy(even + i * bytes, from + 2 * i * bytes, bytes);
      std::memcpy(odd + i * bytes, from + (2 * i + 1) * bytes, bytes);
    }
  }
}

// Reduces some columns of some slices [size, inner] of arrays [outer, size, inner] at a time. Values are taken
// in chunks of 2^k, each of which becomes one value, a node at level k. Two nodes of a level become one of the
// next, as carries do when a binary number is counted up.
class Tree {
public:
  // Elements that are worked on at a time.
  static constexpr size_t most = 2 * Blocks::most;

  Tree(const Body &body, const unsigned char *image, const Shape &shape,
       const std::vector<const unsigned char *> &operands, const unsigned char *inits,
       const std::vector<unsigned char *> &results)
      : blocks_(body, image), shape_(shape), operands_(operands), inits_(inits), results_(results) {
    for (size_t i = 0; i < results.size(); ++i) {
      sizes_.push_back(body.output_size(i));
      even_.emplace_back(new unsigned char[8 * Blocks::most]);
      odd_.emplace_back(new unsigned char[8 * Blocks::most]);
      values_.emplace_back(new unsigned char[8 * most]);
    }
    size_t levels = 2;
    while (shape.size >> (levels - 2))
      ++levels;
    nodes_.resize(levels);
    for (auto &level : nodes_)
      for (auto &side : level)
        for (size_t i = 0; i < results.size(); ++i)
          side.emplace_back(new unsigned char[8 * Blocks::most]);
  }

  // How many slices and columns are worked on at a time; with more than one slice all columns are.
  static size_t columns(const Shape &shape) { return std::min(shape.inner, Blocks::most); }
  static size_t slices(const Shape &shape) {
    if (shape.inner > Blocks::most)
      return 1;
    const size_t few = Blocks::most / 16, values = std::min(shape.size, few) * shape.inner;
    return std::clamp<size_t>(Blocks::most / values, 1, shape.outer);
  }

  void run(size_t first, size_t slices, size_t column, size_t columns) {
    first_ = first, slices_ = slices, column_ = column, columns_ = columns;
    width_ = slices * columns;
    filled_.assign(nodes_.size(), false);
    size_t level = 0;
    while ((width_ << (level + 1)) <= most && (size_t(2) << level) <= shape_.size)
      ++level;
    for (size_t at = 0; at < shape_.size; at += size_t(1) << level) {
      while ((size_t(1) << level) > shape_.size - at)
        --level;
      add(at, level);
    }
    finish();
  }

private:
  using Values = std::vector<Bytes>;

  // Combines `count` values of two arrays each into a third.
  void combine(const Values &left, const Values &right, const Values &to, size_t count) {
    for (size_t i = 0; i < sizes_.size(); ++i) {
      blocks_.bind(i, left[i].get());
      blocks_.bind(sizes_.size() + i, right[i].get());
      blocks_.put(i, to[i].get());
    }
    blocks_.run(count);
  }

  // Values `at` to `at + 2^level` of all slices and columns.
  void add(size_t at, size_t level) {
    if (level == 0) {
      load(at, 1, [&](size_t slice, const unsigned char *from, size_t i, size_t bytes) {
        std::memcpy(node(0)[i].get() + slice * bytes, from, bytes);
      });
      return carry(0);
    }
    size_t pairs = size_t(1) << (level - 1);
    load(at, 2 * pairs, [&](size_t slice, const unsigned char *from, size_t i, size_t bytes) {
      split(from, pairs, bytes, even_[i].get() + slice * pairs * bytes, odd_[i].get() + slice * pairs * bytes);
    });
    for (; pairs > 1; pairs /= 2) {
      combine(even_, odd_, values_, pairs * width_);
      for (size_t i = 0; i < sizes_.size(); ++i)
        split(values_[i].get(), slices_ * pairs / 2, columns_ * sizes_[i], even_[i].get(), odd_[i].get());
    }
    combine(even_, odd_, node(level), width_);
    carry(level);
  }

  // Calls take(slice, values, array, bytes of a row) for `count` values in a row of each slice and array.
  template <class Take> void load(size_t at, size_t count, const Take &take) {
    for (size_t i = 0; i < sizes_.size(); ++i) {
      const size_t row = shape_.inner * sizes_[i], bytes = columns_ * sizes_[i];
      for (size_t slice = 0; slice < slices_; ++slice) {
        const unsigned char *from = operands_[i] + ((first_ + slice) * shape_.size + at) * row + column_ * sizes_[i];
        if (columns_ == shape_.inner || count == 1) {
          take(slice, from, i, bytes);
          continue;
        }
        for (size_t value = 0; value < count; ++value)
          std::memcpy(values_[i].get() + value * bytes, from + value * row, bytes);
        take(slice, values_[i].get(), i, bytes);
      }
    }
  }

  // Where the next node of a level goes.
  const Values &node(size_t level) const { return nodes_[level][filled_[level]]; }

  // A node has come to its place.
  void carry(size_t level) {
    while (filled_[level]) {
      combine(nodes_[level][0], nodes_[level][1], node(level + 1), width_);
      filled_[level++] = false;
    }
    filled_[level] = true;
  }

  // What is left at each level joins, the largest first; then the initial values.
  void finish() {
    size_t level = nodes_.size();
    const Values *total = nullptr;
    while (level-- > 0)
      if (filled_[level]) {
        const Values *next = &nodes_[level][0];
        if (total) {
          const Values &to = total == &values_ ? even_ : values_;
          combine(*total, *next, to, width_);
          next = &to;
        }
        total = next;
      }
    for (size_t i = 0; i < sizes_.size(); ++i) {
      for (size_t j = 0; j < width_; ++j)
        copy_element(odd_[i].get() + j * sizes_[i], inits_ + 8 * i, sizes_[i]);
      blocks_.bind(i, odd_[i].get());
      blocks_.bind(sizes_.size() + i, (*total)[i].get());
      blocks_.put(i, results_[i] + (first_ * shape_.inner + column_) * sizes_[i]);
    }
    blocks_.run(width_);
  }

  Blocks blocks_;
  const Shape shape_;
  const std::vector<const unsigned char *> &operands_;
  const unsigned char *inits_;
  const std::vector<unsigned char *> &results_;
  std::vector<size_t> sizes_;
  Values even_, odd_, values_;
  std::vector<std::array<Values, 2>> nodes_; // of each level
  std::vector<bool> filled_;                 // whether a level has its first node
  size_t first_ = 0, slices_ = 0, column_ = 0, columns_ = 0, width_ = 0;
};

} // namespace

void reduce(const Body &body, const unsigned char *image, const Shape &shape,
            const std::vector<const unsigned char *> &operands, const unsigned char *inits,
            const std::vector<unsigned char *> &results, size_t threads) {
  if (shape.size == 0)
    throw ProgramError("there must be values to reduce");
  if (shape.outer == 0 || shape.inner == 0)
    return;
  const size_t slices = Tree::slices(shape), columns = Tree::columns(shape);
  const size_t column_parts = (shape.inner + columns - 1) / columns;
  const size_t parts = (shape.outer + slices - 1) / slices * column_parts;
  // A thread is worth some 0.1 ms.
  constexpr size_t least = 1 << 16;
  const size_t size = shape.outer * shape.size * shape.inner;
  const size_t workers = std::clamp<size_t>(std::min(size / least, parts), 1, std::max<size_t>(threads, 1));
  // All memory is had before threads run: running cannot fail.
  std::vector<std::unique_ptr<Tree>> trees;
  for (size_t i = 0; i < workers; ++i)
    trees.emplace_back(new Tree(body, image, shape, operands, inits, results));
  std::atomic<size_t> next{0};
  in_parallel(workers, workers, [&](size_t worker) {
    for (size_t part = next.fetch_add(1); part < parts; part = next.fetch_add(1)) {
      const size_t first = part / column_parts * slices, column = part % column_parts * columns;
      trees[worker]->run(first, std::min(slices, shape.outer - first), column,
                         std::min(columns, shape.inner - column));
    }
  });
}

// Sort --------------------------------------------------------------------------------------------------

namespace {

class Sorter {
public:
  Sorter(const Body &body, const unsigned char *image, const std::vector<const unsigned char *> &operands)
      : scalars_(body, image), operands_(operands) {
    for (size_t i = 0; i < operands.size(); ++i)
      sizes_.push_back(body.input_size(2 * i));
  }

  // The order of elements `first` to `first + size`, as numbers from 0; `spare` has room for as many.
  void run(size_t first, size_t size, int64_t *order, int64_t *spare) {
    first_ = first;
    for (size_t start = 0; start < size; start += run_size)
      insert(order + start, start, std::min(run_size, size - start));
    int64_t *from = order, *to = spare;
    for (size_t run = run_size; run < size; run *= 2) {
      for (size_t start = 0; start < size; start += 2 * run) {
        const size_t middle = std::min(start + run, size), end = std::min(middle + run, size);
        merge(from + start, from + middle, from + end, to + start);
      }
      std::swap(from, to);
    }
    if (from != order)
      std::copy(from, from + size, order);
  }

private:
  static constexpr size_t run_size = 8;

  void load(int64_t element, size_t side) {
    for (size_t i = 0; i < sizes_.size(); ++i)
      scalars_.load(2 * i + side, operands_[i] + (first_ + static_cast<size_t>(element)) * sizes_[i]);
  }

  // A short run, sorted by insertion.
  void insert(int64_t *order, size_t start, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      const auto element = static_cast<int64_t>(start + i);
      load(element, 0);
      size_t at = i;
      for (; at > 0; --at) {
        load(order[at - 1], 1);
        scalars_.run();
        if (!scalars_.truth(0))
          break;
        order[at] = order[at - 1];
      }
      order[at] = element;
    }
  }

  // Of equal elements those of the left run come first. No comparator leads out of the runs.
  void merge(const int64_t *left, const int64_t *middle, const int64_t *end, int64_t *to) {
    const int64_t *right = middle;
    if (left != middle && right != end) {
      load(*left, 1);
      load(*right, 0);
      for (;;) {
        scalars_.run();
        if (scalars_.truth(0)) {
          *to++ = *right++;
          if (right == end)
            break;
          load(*right, 0);
        } else {
          *to++ = *left++;
          if (left == middle)
            break;
          load(*left, 1);
        }
      }
    }
    to = std::copy(left, middle, to);
    std::copy(right, end, to);
  }

  Scalars scalars_;
  const std::vector<const unsigned char *> &operands_;
  std::vector<size_t> sizes_;
  size_t first_ = 0;
};

} // namespace

void sort(const Body &body, const unsigned char *image, const std::vector<const unsigned char *> &operands,
          size_t rows, size_t size, int64_t *order) {
  Sorter sorter(body, image, operands);
  std::vector<int64_t> spare(size);
  for (size_t row = 0; row < rows; ++row)
    sorter.run(row * size, size, order + row * size, spare.data());
}

} // namespace hlokit::regions
