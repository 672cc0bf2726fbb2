// pool.h for functions of any type.
#pragma once

#include <cstddef>

#include "pool.h"

namespace hlokit {

// Calls `work(part)` for each part, on up to `threads` threads. Work must not throw.
template <class Work> void in_parallel(size_t parts, size_t threads, const Work &work) noexcept {
  auto call = [](void *state, size_t part) { (*static_cast<const Work *>(state))(part); };
  in_parallel(parts, threads, call, const_cast<Work *>(&work));
}

} // namespace hlokit
