// Computations without the interpreter's lock, which signals and other threads of the interpreter can end.
#pragma once

#include <nanobind/nanobind.h>

#include "support/watch.h"

namespace hlokit {

// Lets the interpreter run handlers of signals, and raise what other threads ask for. Returns whether there is an exception
// now, which stays the thread's.
bool interpreter_interrupts() noexcept;

// Runs `work` without the interpreter's lock. Throws the exception of a signal handler; `work` has then ended early.
template <class Work> void without_lock(const Work &work) {
  Watch watch(interpreter_interrupts);
  {
    nanobind::gil_scoped_release released;
    work();
  }
  if (watch.is_stopped())
    throw nanobind::python_error();
}

} // namespace hlokit
