#include "support/watch.h"

namespace hlokit {
namespace {

constexpr std::chrono::milliseconds between_questions{50};

thread_local Watch *watch_of_thread = nullptr;
thread_local bool is_helping = false;

} // namespace

Watch::Watch(bool (*asks)() noexcept) noexcept
    : asks_(asks), outer_(watch_of_thread), next_(Clock::now() + between_questions) {
  watch_of_thread = this;
}

Watch::~Watch() { watch_of_thread = outer_; }

bool Watch::should_stop() noexcept {
  if (is_stopped())
    return true;
  if (is_helping)
    return false;
  const Clock::time_point now = Clock::now();
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
