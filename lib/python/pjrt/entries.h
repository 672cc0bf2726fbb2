// How functions of the C API are written: as functions of their arguments that throw failures.
#pragma once

#include "python/pjrt/objects.h"

namespace hlokit::pjrt {

// Calls a function of the C API: checks that the caller knows all arguments, and returns failures as errors.
template <typename Args, void (*function)(Args &), size_t size> PJRT_Error *entry(Args *args) {
  try {
    if (args->struct_size < size)
      throw Failure{PJRT_Error_Code_INVALID_ARGUMENT,
                    "the caller must have PJRT's C API " + std::to_string(PJRT_API_MAJOR) + "." +
                        std::to_string(PJRT_API_MINOR) + " or later, got arguments of an older one"};
    function(*args);
    return nullptr;
  } catch (const Failure &failure) {
    return new PJRT_Error{failure.code, failure.message};
  } catch (const std::bad_alloc &) {
    return new PJRT_Error{PJRT_Error_Code_RESOURCE_EXHAUSTED, "out of memory"};
  } catch (const std::exception &exception) {
    return new PJRT_Error{PJRT_Error_Code_INTERNAL, exception.what()};
  }
}

// Calls a function with the GIL, and turns exceptions of Python into failures.
template <typename Function> auto with_python(Function function) {
  if (!is_python_alive())
    throw Failure{PJRT_Error_Code_UNAVAILABLE, "Python has ended"};
  nanobind::gil_scoped_acquire gil;
  try {
    return function();
  } catch (nanobind::python_error &exception) {
    PJRT_Error error = error_of(exception);
    throw Failure{error.code, error.message};
  }
}

// Ends the threads of all clients, after their tasks. The caller does not hold the GIL.
void stop_workers();

// Waits until no client has a task. The caller does not hold the GIL.
void wait_for_runs();
// Whether long runs go to the threads of clients, as they do at first.
extern std::atomic<bool> runs_beside_callers;

// Functions that each fill a part of the table.
void set_errors_and_events(PJRT_Api &api);
void set_client(PJRT_Api &api);
void set_devices(PJRT_Api &api);
void set_buffers(PJRT_Api &api);
void set_transfers(PJRT_Api &api);
void set_executables(PJRT_Api &api);
void set_loaded_executables(PJRT_Api &api);
void set_unimplemented(PJRT_Api &api);

} // namespace hlokit::pjrt

// The entry of a function in the table of the C API.
#define HLOKIT_PJRT_SET(api, name)                                                                                     \
  (api).PJRT_##name = entry<PJRT_##name##_Args, name, static_cast<size_t>(PJRT_##name##_Args_STRUCT_SIZE)>
