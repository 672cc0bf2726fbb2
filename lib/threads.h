// Work in parts on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace hlokit {

// Calls `work(part)` for each part, on this thread and on up to `threads - 1` others: a thread that has to
// wait for a processor leaves the parts to the others. Work must not throw.
template <class Work> void in_parallel(size_t parts, size_t threads, const Work &work) {
  std::atomic<size_t> next{0};
  auto run = [&] {
    for (size_t part = next.fetch_add(1); part < parts; part = next.fetch_add(1))
      work(part);
  };
  std::vector<std::thread> running;
  try {
    for (size_t i = 1; i < threads && i < parts; ++i)
      running.emplace_back(run);
  } catch (const std::exception &) {
    // The threads that there are do its work.
  }
  run();
  for (std::thread &thread : running)
    thread.join();
}

} // namespace hlokit
