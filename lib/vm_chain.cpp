#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <thread>

#include "vm.h"
#include "vm_checks.h"

namespace hlokit::vm {
namespace {

// What is in use at a time should fit into the first cache; blocks of few elements cost more to direct.
constexpr size_t cache_bytes = 32 << 10, least_block = 256, most_block = 4096;
// Additions that a thread is worth: some 0.1 ms.
constexpr size_t least_part = 2 << 20;
// Blocks that a thread takes at a time.
constexpr size_t part_blocks = 32;
constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

} // namespace

Chain::Chain(const std::vector<Type> &types, const std::vector<Source> &sources, std::vector<uint32_t> inputs,
             std::vector<uint32_t> outputs) {
  std::vector<Location> locations(types.size());
  std::vector<size_t> last_read(types.size(), 0);
  for (size_t i = 0; i < inputs.size(); ++i) {
    check_register(types, inputs[i]);
    if (locations[inputs[i]].place != Place::none)
      throw ProgramError("an input must be given once");
    locations[inputs[i]] = {Place::input, static_cast<uint32_t>(i)};
    input_sizes_.push_back(size_of(types[inputs[i]]));
  }
  std::vector<uint32_t> output_of(types.size(), none);
  for (size_t i = 0; i < outputs.size(); ++i) {
    check_register(types, outputs[i]);
    if (output_of[outputs[i]] != none || locations[outputs[i]].place != Place::none)
      throw ProgramError("an output must be computed, and be given once");
    output_of[outputs[i]] = static_cast<uint32_t>(i);
    output_sizes_.push_back(size_of(types[outputs[i]]));
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    const Operation &found = check_operation(types, sources[i]);
    const uint32_t operands[] = {sources[i].a, sources[i].b, sources[i].c};
    for (size_t j = 0; j < found.arity; ++j)
      last_read[operands[j]] = i;
  }
  std::vector<uint32_t> unused;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Operation &found = check_operation(types, sources[i]);
    const uint32_t operands[] = {sources[i].a, sources[i].b, sources[i].c};
    Move move{};
    move.sweep = found.sweep;
    cost_ += found.cost;
    for (size_t j = 0; j < found.arity; ++j) {
      move.operands[j] = locations[operands[j]];
      if (move.operands[j].place == Place::none)
        throw ProgramError("a register must be written before it is read");
    }
    Location &to = locations[sources[i].to];
    if (to.place != Place::none)
      throw ProgramError("a register must be written once");
    if (output_of[sources[i].to] != none) {
      to = {Place::output, output_of[sources[i].to]};
    } else {
      if (unused.empty())
        unused.push_back(static_cast<uint32_t>(buffer_count_++));
      to = {Place::buffer, unused.back()};
      unused.pop_back();
    }
    move.to = to;
    moves_.push_back(move);
    // Freed after the result has its place: no operand shares it. An operand may stand there twice.
    for (size_t j = 0; j < found.arity; ++j) {
      const Location &freed = locations[operands[j]];
      bool again = std::find(operands, operands + j, operands[j]) != operands + j;
      if (freed.place == Place::buffer && last_read[operands[j]] == i && !again)
        unused.push_back(freed.index);
    }
  }
  for (uint32_t output : outputs)
    if (locations[output].place != Place::output)
      throw ProgramError("an output must be computed");
}

namespace {

enum class Layout : uint8_t { contiguous, one, strided };

Layout layout_of(const Operand &operand, const std::vector<size_t> &shape) {
  bool is_one = true, is_contiguous = true;
  auto expected = static_cast<ptrdiff_t>(operand.item_size);
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1)
      continue;
    is_one = is_one && operand.strides[i] == 0;
    is_contiguous = is_contiguous && operand.strides[i] == expected;
    expected *= static_cast<ptrdiff_t>(shape[i]);
  }
  return is_one ? Layout::one : is_contiguous ? Layout::contiguous : Layout::strided;
}

// Rows of a strided operand must be worth a copy each: long, and of neighbours or of one element.
bool is_quick(const Operand &operand, const std::vector<size_t> &shape) {
  constexpr size_t least = 16;
  ptrdiff_t stride = operand.strides.back();
  return shape.back() >= least && (stride == 0 || stride == static_cast<ptrdiff_t>(operand.item_size));
}

template <size_t size>
void copy_row(unsigned char *to, const unsigned char *from, ptrdiff_t stride, size_t count) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * size, from + static_cast<ptrdiff_t>(i) * stride, size);
}

void copy_elements(unsigned char *to, const unsigned char *from, ptrdiff_t stride, size_t count,
                   size_t size) {
  if (stride == static_cast<ptrdiff_t>(size)) {
    std::memcpy(to, from, count * size);
    return;
  }
  switch (size) {
  case 1:
    return copy_row<1>(to, from, stride, count);
  case 2:
    return copy_row<2>(to, from, stride, count);
  case 4:
    return copy_row<4>(to, from, stride, count);
  default:
    return copy_row<8>(to, from, stride, count);
  }
}

// Elements `start` to `start + count` in row-major order, whatever the strides.
void gather(unsigned char *to, const Operand &operand, const std::vector<size_t> &shape, size_t start,
            size_t count) {
  while (count > 0) {
    size_t rest = start, inner = shape.back();
    size_t column = rest % inner;
    ptrdiff_t offset = static_cast<ptrdiff_t>(column) * operand.strides.back();
    rest /= inner;
    for (size_t i = shape.size() - 1; i-- > 0; rest /= shape[i])
      offset += static_cast<ptrdiff_t>(rest % shape[i]) * operand.strides[i];
    size_t row = std::min(count, inner - column);
    copy_elements(to, operand.data + offset, operand.strides.back(), row, operand.item_size);
    to += row * operand.item_size;
    start += row;
    count -= row;
  }
}

} // namespace

// Computes elements, some blocks at a time, until none are left: a thread that has to wait for a processor
// leaves them to the others. All memory is had beforehand: running cannot fail.
class Chain::Worker {
public:
  Worker(const Chain &chain, const std::vector<size_t> &shape, const std::vector<Operand> &operands,
         const std::vector<Layout> &layouts, const std::vector<unsigned char *> &results, size_t block_size,
         size_t size, std::atomic<size_t> &next)
      : chain_(chain), shape_(shape), operands_(operands), layouts_(layouts), results_(results),
        block_size_(block_size), size_(size), pitch_(8 * block_size + line), next_(next) {
    // One buffer for each register that needs one, and for each operand that is no plain array.
    size_t count = chain.buffer_count_;
    for (Layout layout : layouts)
      own_.push_back(layout == Layout::contiguous ? 0 : count++);
    memory_.reset(new unsigned char[(count + 1) * pitch_]);
    buffers_ = memory_.get() + (line - reinterpret_cast<uintptr_t>(memory_.get()) % line) % line;
  }

  void run() const {
    for (size_t i = 0; i < operands_.size(); ++i)
      if (layouts_[i] == Layout::one)
        copy_elements(own(i), operands_[i].data, 0, std::min(size_, block_size_), operands_[i].item_size);
    const size_t part = block_size_ * part_blocks;
    for (size_t start = next_.fetch_add(part); start < size_; start = next_.fetch_add(part))
      run(start, std::min(size_, start + part));
  }

private:
  void run(size_t start, size_t stop) const {
    for (; start < stop; start += block_size_) {
      size_t length = std::min(block_size_, stop - start);
      for (size_t i = 0; i < operands_.size(); ++i)
        if (layouts_[i] == Layout::strided)
          gather(own(i), operands_[i], shape_, start, length);
      for (const Move &move : chain_.moves_)
        move.sweep(find(move.to, start), find(move.operands[0], start), find(move.operands[1], start),
                   find(move.operands[2], start), length);
    }
  }

  // Buffers begin at a cache line, and one more line apart, so that they do not fall into the same sets.
  static constexpr size_t line = 64;

  unsigned char *own(size_t operand) const { return buffers_ + own_[operand] * pitch_; }

  unsigned char *find(const Location &location, size_t start) const {
    switch (location.place) {
    case Place::input:
      if (layouts_[location.index] != Layout::contiguous)
        return own(location.index);
      return const_cast<unsigned char *>(operands_[location.index].data) +
             start * operands_[location.index].item_size;
    case Place::output:
      return results_[location.index] + start * chain_.output_sizes_[location.index];
    case Place::buffer:
      return buffers_ + location.index * pitch_;
    case Place::none:
      break;
    }
    return nullptr;
  }

  const Chain &chain_;
  const std::vector<size_t> &shape_;
  const std::vector<Operand> &operands_;
  const std::vector<Layout> &layouts_;
  const std::vector<unsigned char *> &results_;
  size_t block_size_, size_, pitch_;
  std::atomic<size_t> &next_;
  std::vector<size_t> own_;
  std::unique_ptr<unsigned char[]> memory_;
  unsigned char *buffers_;
};

bool Chain::run(const std::vector<size_t> &shape, const std::vector<Operand> &operands,
                const std::vector<unsigned char *> &results, size_t threads) const {
  size_t size = 1;
  for (size_t extent : shape)
    size *= extent;
  if (size == 0)
    return true;

  std::vector<Layout> layouts;
  for (const Operand &operand : operands) {
    layouts.push_back(layout_of(operand, shape));
    if (layouts.back() == Layout::strided && !is_quick(operand, shape))
      return false;
  }
  size_t row = 8 * buffer_count_;
  for (size_t item : input_sizes_)
    row += item;
  for (size_t item : output_sizes_)
    row += item;
  const size_t block_size = std::clamp(cache_bytes / row / 64 * 64, least_block, most_block);

  size_t count = std::clamp<size_t>(size * cost_ / least_part, 1, std::max<size_t>(threads, 1));
  std::atomic<size_t> next{0};
  std::vector<Worker> workers;
  for (size_t i = 0; i < count; ++i)
    workers.emplace_back(*this, shape, operands, layouts, results, block_size, size, next);
  // All but the last on threads of their own, if there are any to be had.
  std::vector<std::thread> running;
  running.reserve(workers.size());
  for (size_t i = 0; i + 1 < workers.size(); ++i) {
    try {
      running.emplace_back([&workers, i] { workers[i].run(); });
    } catch (const std::exception &) {
      break; // the others do its work
    }
  }
  workers.back().run();
  for (std::thread &thread : running)
    thread.join();
  return true;
}

} // namespace hlokit::vm
