// hlokit._bytecode.end_with_parent and end_with_pipe: end a process when its parent ends, or when a pipe is closed;
// end_quietly_without_memory: the end of a process that lacks memory.
#include "python/bytecode/module.h"

#if defined(__unix__) || defined(__APPLE__)
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

bool end_with_parent([[maybe_unused]] long parent) {
#if defined(__linux__)
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
    return false;
  if (getppid() != parent) // the parent died before the watch began
    kill(getpid(), SIGKILL);
  return true;
#else
  return false;
#endif
}

#if defined(__unix__) || defined(__APPLE__)
void *watch(void *argument) {
  pollfd watched{static_cast<int>(reinterpret_cast<intptr_t>(argument)), 0, 0};
  // No events are requested: `poll` returns only when the last writer has closed the pipe, even with data left to read.
  while (poll(&watched, 1, -1) < 0 && errno == EINTR) {
  }
  // A process that leads its group ends with the programs that it has started.
  if (watched.revents & POLLHUP)
    kill(getpgrp() == getpid() ? 0 : getpid(), SIGKILL);
  return nullptr;
}
#endif

// If no further thread can start, the process ends when it reads the end of the pipe. No error is necessary.
void end_with_pipe([[maybe_unused]] int descriptor) {
#if defined(__unix__) || defined(__APPLE__)
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t{1} << 17);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // Signals are for the other threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_create(&thread, &attributes, watch, reinterpret_cast<void *>(static_cast<intptr_t>(descriptor)));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
#endif
}

std::terminate_handler others = nullptr;

[[noreturn]] void terminate_quietly_without_memory() {
  if (std::current_exception()) {
    try {
      throw;
    } catch (const std::bad_alloc &) {
      std::abort();
    } catch (...) {
    }
  }
  others();
  std::abort();
}

void end_quietly_without_memory() {
  if (std::get_terminate() != terminate_quietly_without_memory)
    others = std::set_terminate(terminate_quietly_without_memory);
}

} // namespace

void bind_lifetime(nb::module_ &m) {
  m.def("end_with_parent", &end_with_parent, "parent"_a,
        "End this process when the thread of its parent process that forked it ends, by whatever means. False\n"
        "where the system cannot do that.");
  m.def("end_with_pipe", &end_with_pipe, "descriptor"_a,
        "End this process when nobody has the writing side of a pipe open any more; if it leads its process\n"
        "group, end the group. A thread of its own watches.");
  m.def("end_quietly_without_memory", &end_quietly_without_memory,
        "Let std::bad_alloc that nobody catches abort this process without a message on the standard error.");
}

} // namespace hlokit
