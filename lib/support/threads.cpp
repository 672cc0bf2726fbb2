#include "support/threads.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "support/watch.h"

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace hlokit {
namespace {

// The number of polls of a thread before it sleeps: calls often follow each other closely, and waking a thread takes
// longer.
constexpr int polls = 2000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
#if defined(__GNUC__) || defined(__clang__)
  __builtin_ia32_pause();
#endif
#endif
}

void run_alone(size_t count, void (*work)(void *, size_t), void *state) {
  for (size_t i = 0; i < count && !should_stop(); ++i)
    work(state, i);
}

class Pool {
public:
  void run(size_t count, size_t threads, void (*work)(void *, size_t), void *state) {
    std::unique_lock<std::mutex> one_at_a_time(callers_, std::try_to_lock);
    if (!one_at_a_time) {
      run_alone(count, work, state);
      return;
    }
    size_t helpers = (threads < count ? threads : count) - 1;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      grow(helpers);
      work_ = work;
      state_ = state;
      watch_ = current_watch();
      count_ = count;
      next_.store(0, std::memory_order_relaxed);
      wanted_.store(helpers, std::memory_order_relaxed);
      turn_.fetch_add(1, std::memory_order_release);
    }
    if (helpers == 1)
      come_.notify_one();
    else
      come_.notify_all();
    take_all(work, state, count);
    // Threads that have not started by now are not needed.
    {
      std::lock_guard<std::mutex> lock(mutex_);
      wanted_.store(0, std::memory_order_relaxed);
    }
    for (int poll = 0; poll < polls && active_.load(std::memory_order_acquire); ++poll)
      pause();
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return !active_.load(std::memory_order_acquire); });
  }

private:
  void grow(size_t helpers) {
    try {
      for (; threads_ < helpers; ++threads_)
        std::thread([this] { serve(); }).detach();
    } catch (const std::system_error &) {
      // The existing threads do the work.
    }
  }

  void take_all(void (*work)(void *, size_t), void *state, size_t count) {
    for (size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count && !should_stop();)
      work(state, i);
  }

  void serve() {
    size_t turn = 0;
    for (;;) {
      for (int poll = 0; poll < polls && turn_.load(std::memory_order_acquire) == turn; ++poll)
        pause();
      void (*work)(void *, size_t);
      void *state;
      size_t count;
      Watch *watch;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        come_.wait(lock, [&] { return turn_.load(std::memory_order_relaxed) != turn; });
        turn = turn_.load(std::memory_order_relaxed);
        size_t wanted = wanted_.load(std::memory_order_relaxed);
        if (!wanted)
          continue;
        wanted_.store(wanted - 1, std::memory_order_relaxed);
        active_.fetch_add(1, std::memory_order_relaxed);
        work = work_;
        state = state_;
        count = count_;
        watch = watch_;
      }
      {
        const Helping helping(watch);
        take_all(work, state, count);
      }
      std::lock_guard<std::mutex> lock(mutex_);
      if (active_.fetch_sub(1, std::memory_order_release) == 1)
        done_.notify_one();
    }
  }

  std::mutex callers_, mutex_;
  std::condition_variable come_, done_;
  // The current call of run().
  void (*work_)(void *, size_t) = nullptr;
  void *state_ = nullptr;
  Watch *watch_ = nullptr;
  size_t count_ = 0;
  std::atomic<size_t> next_{0}, wanted_{0}, active_{0}, turn_{0};
  size_t threads_ = 0;
};

// The pool is never destroyed, since its threads end with the process. The child of a fork has none of these threads
// and creates another pool.
Pool *pool() {
  static std::mutex mutex;
  static Pool *current = nullptr;
#if defined(_WIN32)
  std::lock_guard<std::mutex> lock(mutex);
#else
  static pid_t owner = 0;
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  if (!lock)
    return nullptr;
  pid_t self = getpid();
  if (owner != self) {
    owner = self;
    current = nullptr;
  }
#endif
  if (!current)
    current = new (std::nothrow) Pool;
  return current;
}

} // namespace

void in_parallel(size_t count, size_t threads, void (*work)(void *, size_t), void *state) noexcept {
  Pool *helpers = threads > 1 && count > 1 ? pool() : nullptr;
  if (helpers) {
    helpers->run(count, threads, work, state);
    return;
  }
  run_alone(count, work, state);
}

} // namespace hlokit
