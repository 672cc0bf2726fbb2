// Early ends of long computations.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "support/should_stop.h"

namespace hlokit {

// A computation of the thread that makes the watch, and of the threads that help it (support/threads.h), until the
// destructor. `asks` is called in the making thread only, some times a second while the computation calls `should_stop`.
class Watch {
public:
  explicit Watch(bool (*asks)() noexcept) noexcept;
  ~Watch();
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  // Whether the computation has been asked to end, so that its results are not to be read.
  bool is_stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  bool should_stop() noexcept;

private:
  using Clock = std::chrono::steady_clock;

  bool (*const asks_)() noexcept;
  Watch *const outer_;
  Clock::time_point last_, next_; // the last reading of the clock, and the next question
  uint32_t calls_a_reading_ = 1, calls_left_ = 1;
  std::atomic<bool> stopped_{false};
};

// The watch of the thread's computation, which a helper adopts; null without one.
Watch *current_watch() noexcept;

// While it lives, the thread helps the computation of a watch.
class Helping {
public:
  explicit Helping(Watch *watch) noexcept;
  ~Helping();
  Helping(const Helping &) = delete;
  Helping &operator=(const Helping &) = delete;
};

} // namespace hlokit
