// Scratch memory of algorithms, and how many threads they may use.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace hlokit {

// An arena: memory that is allocated piece by piece and freed at the end of a scope. Each thread has a workspace, and
// keeps its memory from one matrix to the next.
class Workspace {
public:
  explicit Workspace(size_t thread_count) : threads(thread_count) {}

  // Threads among which one product may be divided.
  const size_t threads;

  // Memory that is not initialised, aligned to 64 bytes, until the innermost scope ends. Throws std::bad_alloc.
  template <class T> T *get(size_t count) { return static_cast<T *>(take(count, sizeof(T))); }

  class Scope {
  public:
    explicit Scope(Workspace &workspace) : workspace_(workspace), block_(workspace.block_), used_(workspace.used_) {}
    ~Scope() {
      workspace_.block_ = block_;
      workspace_.used_ = used_;
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Workspace &workspace_;
    const size_t block_, used_;
  };

private:
  struct Block {
    std::unique_ptr<unsigned char[]> memory;
    size_t size;
  };
  void *take(size_t count, size_t size);

  std::vector<Block> blocks_;
  size_t block_ = 0, used_ = 0; // the block in use, and its bytes
};

} // namespace hlokit
