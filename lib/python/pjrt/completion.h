// Completions: what PJRT's events stand for, and errors.
#pragma once

#include <xla/pjrt/c/pjrt_c_api.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

// The C API declares these types and leaves them to the library.
struct PJRT_Error {
  PJRT_Error_Code code;
  std::string message;
};

namespace hlokit::pjrt {

// The end of some work, which happens once: with an error or without.
class Completion {
public:
  bool is_done() const;
  void wait() const;
  // A copy of the error, which the caller owns; null if there is none.
  PJRT_Error *error() const;
  // Calls a function when the work is done, at once if it is. The function owns its argument.
  void when_done(std::function<void(PJRT_Error *)> function);
  // The work is done.
  void finish();
  void fail(const PJRT_Error &error);

private:
  void end(std::unique_ptr<PJRT_Error> error);

  mutable std::mutex lock_;
  mutable std::condition_variable changed_;
  bool is_done_ = false;
  std::unique_ptr<PJRT_Error> error_;
  std::vector<std::function<void(PJRT_Error *)>> functions_;
};

using CompletionPointer = std::shared_ptr<Completion>;

// One that is done without an error, shared by all.
const CompletionPointer &done();

// Thrown by the functions of the C API, which return it.
struct Failure {
  PJRT_Error_Code code;
  std::string message;
};

} // namespace hlokit::pjrt

struct PJRT_Event {
  hlokit::pjrt::CompletionPointer completion;
};
