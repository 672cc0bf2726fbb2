// The thread pool.
#pragma once

#include <cstddef>

namespace hlokit {

// Calls work(state, 0), ..., work(state, count - 1), each once, on up to `threads` threads, one of which is the
// caller's, and returns when all calls have returned. `work` must not throw. The caller's thread makes all calls if the
// pool works for another caller, or if the system cannot start threads. If the computation should stop (support/watch.h),
// the remaining calls are not made.
void in_parallel(size_t count, size_t threads, void (*work)(void *state, size_t index), void *state) noexcept;

// The same for `work(index)` of any type.
template <class Work> void in_parallel(size_t count, size_t threads, const Work &work) noexcept {
  auto call = [](void *state, size_t index) { (*static_cast<const Work *>(state))(index); };
  in_parallel(count, threads, call, const_cast<Work *>(&work));
}

} // namespace hlokit
