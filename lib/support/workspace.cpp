#include "support/workspace.h"

#include <algorithm>
#include <cstdint>
#include <new>

namespace hlokit {
namespace {

constexpr size_t alignment = 64, least_block = size_t(1) << 16;

} // namespace

void *Workspace::take(size_t count, size_t size) {
  if (count > SIZE_MAX / 2 / size)
    throw std::bad_alloc();
  const size_t bytes = (count * size + alignment - 1) / alignment * alignment;
  while (block_ < blocks_.size() && blocks_[block_].size - used_ < bytes) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size()) {
    const size_t grown = std::max({bytes, least_block, blocks_.empty() ? 0 : 2 * blocks_.back().size});
    Block block{std::unique_ptr<unsigned char[]>(new unsigned char[grown + alignment]), grown};
    blocks_.push_back(std::move(block));
    used_ = 0;
  }
  const auto start = reinterpret_cast<uintptr_t>(blocks_[block_].memory.get());
  const size_t gap = (alignment - start % alignment) % alignment;
  void *result = blocks_[block_].memory.get() + gap + used_;
  used_ += bytes;
  return result;
}

} // namespace hlokit
