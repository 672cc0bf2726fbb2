#include "support/watch.h"

#include <algorithm>

namespace hlokit {
namespace {

constexpr std::chrono::milliseconds between_questions{50};

// Reading the clock takes longer than a small matrix. Between calls that follow each other sooner than this, the clock is
// read at every second, fourth, ... call.
constexpr std::chrono::milliseconds between_readings{1};
constexpr uint32_t most_calls_a_reading = 64;

thread_local Watch *watch_of_thread = nullptr;
thread_local bool is_helping = false;

} // namespace

Watch::Watch(bool (*asks)() noexcept) noexcept
    : asks_(asks), outer_(watch_of_thread), last_(Clock::now()), next_(last_ + between_questions) {
  watch_of_thread = this;
}

Watch::~Watch() { watch_of_thread = outer_; }

bool Watch::should_stop() noexcept {
  if (is_stopped())
    return true;
  if (is_helping)
    return false;
  if (--calls_left_ > 0)
    return false;
  const Clock::time_point now = Clock::now();
  calls_a_reading_ = now - last_ < between_readings ? std::min(2 * calls_a_reading_, most_calls_a_reading) : 1;
  calls_left_ = calls_a_reading_;
  last_ = now;
  if (now < next_)
    return false;
  if (asks_())
    stopped_.store(true, std::memory_order_relaxed);
  next_ = Clock::now() + between_questions;
  return is_stopped();
}

Watch *current_watch() noexcept { return watch_of_thread; }

Helping::Helping(Watch *other) noexcept {
  watch_of_thread = other;
  is_helping = true;
}

Helping::~Helping() {
  watch_of_thread = nullptr;
  is_helping = false;
}

bool should_stop() noexcept { return watch_of_thread && watch_of_thread->should_stop(); }

} // namespace hlokit
