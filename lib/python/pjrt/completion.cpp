#include "python/pjrt/completion.h"

namespace hlokit::pjrt {

bool Completion::is_done() const {
  std::lock_guard guard(lock_);
  return is_done_;
}

void Completion::wait() const {
  std::unique_lock guard(lock_);
  changed_.wait(guard, [this] { return is_done_; });
}

PJRT_Error *Completion::error() const {
  std::lock_guard guard(lock_);
  return error_ ? new PJRT_Error(*error_) : nullptr;
}

void Completion::when_done(std::function<void(PJRT_Error *)> function) {
  {
    std::lock_guard guard(lock_);
    if (!is_done_) {
      functions_.push_back(std::move(function));
      return;
    }
  }
  function(error());
}

void Completion::finish() { end(nullptr); }

void Completion::fail(const PJRT_Error &error) { end(std::make_unique<PJRT_Error>(error)); }

void Completion::end(std::unique_ptr<PJRT_Error> error) {
  std::vector<std::function<void(PJRT_Error *)>> functions;
  {
    std::lock_guard guard(lock_);
    if (is_done_)
      return;
    is_done_ = true;
    error_ = std::move(error);
    functions.swap(functions_);
  }
  changed_.notify_all();
  for (auto &function : functions)
    function(this->error());
}

const CompletionPointer &done() {
  static const CompletionPointer *shared = [] {
    auto *made = new CompletionPointer(std::make_shared<Completion>());
    (*made)->finish();
    return made;
  }();
  return *shared;
}

} // namespace hlokit::pjrt
