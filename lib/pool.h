// Threads that wait for work.
#pragma once

#include <cstddef>

namespace hlokit {

// Calls work(state, 0), ..., work(state, count - 1), each once, on up to `threads` threads, one of which is the
// caller's; returns when all are done. `work` must not throw. Where the pool is at work for someone else, or
// the system gives no threads, the caller does it all.
void in_parallel(size_t count, size_t threads, void (*work)(void *state, size_t index), void *state) noexcept;

} // namespace hlokit
