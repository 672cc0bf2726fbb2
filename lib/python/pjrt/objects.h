// The objects behind the opaque types of PJRT's C API.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "python/pjrt/completion.h"

// A device that may exist, as a topology describes it.
struct PJRT_DeviceDescription {
  int id;
  std::string name; // for people, and for messages
};

struct PJRT_TopologyDescription {
  explicit PJRT_TopologyDescription(int devices);

  std::vector<std::unique_ptr<PJRT_DeviceDescription>> owned;
  std::vector<PJRT_DeviceDescription *> descriptions;
};

namespace hlokit::pjrt {

// Of each device, for which JAX asks: those of XLA:CPU, the default first. All are the memory of the process.
inline constexpr const char *MEMORY_KINDS[] = {"device", "pinned_host", "unpinned_host"};

} // namespace hlokit::pjrt

struct PJRT_Memory {
  int id;
  int kind_id;
  std::string kind;
  std::string name;
  PJRT_Device *device;
};

namespace hlokit::pjrt {

// The memory of the buffers of a device, in bytes.
struct Usage {
  std::atomic<int64_t> now{0}, most{0}, largest{0}, allocations{0};

  void add(int64_t size);
};

} // namespace hlokit::pjrt

struct PJRT_Device {
  PJRT_Client *client;
  PJRT_DeviceDescription *description;
  std::vector<PJRT_Memory *> memories; // in the order of MEMORY_KINDS
  std::shared_ptr<hlokit::pjrt::Usage> usage = std::make_shared<hlokit::pjrt::Usage>();
};

namespace hlokit::pjrt {

// Whether the thread may use Python. While Python ends, only its main thread may, and after its end none: objects are left
// alone then.
bool is_python_alive();
// Waits, and lets other threads run Python meanwhile.
void wait(const Completion &completion);

// An array, perhaps not computed yet. The last owner releases it, with the GIL.
struct Value {
  Value(const PJRT_Device &device, CompletionPointer computed) : ready(std::move(computed)), usage(device.usage) {}
  Value(const Value &) = delete;
  Value &operator=(const Value &) = delete;
  ~Value();

  // The array is ready. The caller holds the GIL.
  void set(nanobind::object array);

  CompletionPointer ready;
  std::shared_ptr<Usage> usage;
  nanobind::object array; // in row-major order; null until it is ready
  void *data = nullptr;
  size_t size = 0; // in bytes
};

using ValuePointer = std::shared_ptr<Value>;

// Types and shapes of results.
struct Outputs {
  std::vector<PJRT_Buffer_Type> types;
  std::vector<int64_t> dims; // of all results
  std::vector<size_t> ranks;
  std::vector<size_t> memories; // of MEMORY_KINDS
  std::vector<const char *> memory_kinds;
  std::vector<size_t> memory_kind_sizes;
};

// Named numbers, for cost analyses.
struct NamedNumbers {
  std::vector<std::string> names;
  std::vector<PJRT_NamedValue> values;
};

// The type and the shape of a parameter.
struct Input {
  PJRT_Buffer_Type type;
  std::vector<int64_t> dims;
};

// A compiled program, whose work Python does.
struct Program {
  explicit Program(nanobind::object python);
  ~Program();

  nanobind::object python; // hlokit.clients.pjrt.executables.Executable
  nanobind::object direct; // its attribute of this name; None or null before it is one. To read it needs the GIL.
  std::string name, fingerprint;
  size_t replicas, partitions;
  std::vector<int> devices; // by process
  std::vector<bool> donated;
  std::vector<Input> inputs;
  Outputs outputs;
  std::unique_ptr<NamedNumbers> costs;
  bool has_effects;                 // it calls functions of Python, even if nobody wants its results
  std::atomic<int> long_runs{0};    // how many of its last runs took long, one after the other

  // Whether a run is worth its hand-over to a thread. One long run may be an accident.
  bool is_slow() const { return long_runs > 1; }
};

// One run of a program on all its devices.
struct Task {
  std::shared_ptr<Program> program;
  std::vector<std::vector<ValuePointer>> arguments, results; // by device
  CompletionPointer completion;
  bool fits = false; // the arguments have the types of the program, and its runs have no options

  // Runs the program. Returns the error, which the caller owns; null without.
  PJRT_Error *run();
  // Whether nobody can see what the run does: it has no effects, and its results belong to no buffer.
  bool is_unwanted() const;

private:
  // The shortest way, for programs with a function `direct`. The caller holds the GIL.
  void run_directly();
};

// A thread that runs tasks in their order. It starts with the first task.
class Worker {
public:
  ~Worker();
  // Whether tasks of slow programs wait or run, and the caller is not one of them.
  bool has_slow_tasks();
  void add(Task task);
  // Interrupts the running task if it has run for long and is unwanted, as after control-C. Any thread may call this.
  void interrupt_unwanted();
  // Waits until no task waits or runs. The caller does not hold the GIL.
  void wait_until_idle();
  bool is_idle();
  // Ends the thread, for good, after the tasks that wait.
  void stop();
  bool is_stopped();

private:
  void work();
  bool is_own_thread() const;
  // In a fork, which has no thread of its parent's: nothing may wait for it, as the destructors of conditions do.
  void forget_parent();

  std::atomic<bool> has_worked_{false}; // a task was added at some time, in this process or one that it is a fork of
  std::mutex lock_; // a thread that holds it does not wait for the GIL
  std::condition_variable changed_, idle_;
  std::deque<Task> tasks_;
  std::unique_ptr<Task> running_;
  std::chrono::steady_clock::time_point begin_; // of the running task
  unsigned long interruptible_ = 0; // Python's number of the thread while it runs a task
  nanobind::handle interrupt_;      // what an interrupted task raises
  bool is_stopped_ = false; // programs run in their caller's thread
  int process_ = 0; // whose thread it is: a fork has none
  std::unique_ptr<std::thread> thread_;
};

// The module with the parts in Python.
nanobind::object host();
// The error for an exception of Python. The caller holds the GIL.
PJRT_Error error_of(nanobind::python_error &error);
// The dtype of a type of elements. The caller holds the GIL.
nanobind::object dtype_of(PJRT_Buffer_Type type);
size_t item_size_of(PJRT_Buffer_Type type);

} // namespace hlokit::pjrt

struct PJRT_Client {
  explicit PJRT_Client(int devices);

  std::string platform_version;
  PJRT_TopologyDescription topology;
  std::vector<std::unique_ptr<PJRT_Device>> owned_devices;
  std::vector<std::unique_ptr<PJRT_Memory>> owned_memories;
  std::vector<PJRT_Device *> devices;
  std::vector<PJRT_Memory *> memories;
  hlokit::pjrt::Worker worker;
};

struct PJRT_Buffer {
  PJRT_Buffer(PJRT_Memory *where, PJRT_Buffer_Type elements, std::vector<int64_t> shape, hlokit::pjrt::ValuePointer content)
      : memory(where), type(elements), dims(std::move(shape)), value(std::move(content)) {}
  PJRT_Buffer(const PJRT_Buffer &) = delete;
  PJRT_Buffer &operator=(const PJRT_Buffer &) = delete;
  ~PJRT_Buffer() { release(); }

  // Deletes the content. Other libraries that refer to its memory keep it until they have ended.
  void release();

  PJRT_Memory *memory;
  PJRT_Buffer_Type type;
  std::vector<int64_t> dims;
  hlokit::pjrt::ValuePointer value; // null if the buffer is deleted
  std::atomic<int> references{0};   // of other libraries to the memory
  hlokit::pjrt::ValuePointer held;  // for them, after the buffer was deleted
};

struct PJRT_Executable {
  std::shared_ptr<hlokit::pjrt::Program> program;
};

struct PJRT_LoadedExecutable {
  PJRT_Client *client;
  std::shared_ptr<hlokit::pjrt::Program> program; // null if it is deleted
  std::vector<PJRT_Device *> devices;
};
