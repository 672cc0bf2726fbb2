// Compiled programs on the devices of a client: their runs.
#include "python/pjrt/entries.h"

#include <algorithm>
#include <unordered_map>

namespace nb = nanobind;

namespace hlokit::pjrt {
namespace {

Program &program_of(const PJRT_LoadedExecutable &executable) {
  if (!executable.program)
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "the program must exist, got one that was deleted"};
  return *executable.program;
}

// The devices of a call: those of the program, or the one that the caller names for a program of one process.
std::vector<PJRT_Device *> devices_of(const PJRT_LoadedExecutable_Execute_Args &args) {
  const std::vector<PJRT_Device *> &own = args.executable->devices;
  if (args.execute_device) {
    if (program_of(*args.executable).replicas * program_of(*args.executable).partitions != 1 || args.num_devices != 1)
      throw Failure{PJRT_Error_Code_UNIMPLEMENTED, "a run on a device of the caller's choice must be of one process"};
    return {args.execute_device};
  }
  if (args.num_devices != own.size())
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "a run must have arguments for " + std::to_string(own.size()) +
                                                        " devices, got " + std::to_string(args.num_devices)};
  return own;
}

std::vector<ValuePointer> values_of(PJRT_Buffer *const *buffers, size_t count) {
  std::vector<ValuePointer> values(count);
  for (size_t i = 0; i < count; ++i) {
    if (!buffers[i]->value)
      throw Failure{PJRT_Error_Code_INVALID_ARGUMENT,
                    "argument " + std::to_string(i) + " must exist, got a buffer that was deleted or donated"};
    values[i] = buffers[i]->value;
  }
  return values;
}

bool have_types(PJRT_Buffer *const *buffers, size_t count, const std::vector<Input> &inputs) {
  bool have = count == inputs.size();
  for (size_t i = 0; have && i < count; ++i)
    have = buffers[i]->type == inputs[i].type && buffers[i]->dims == inputs[i].dims;
  return have;
}

enum class State { pending, computed, failed };

State state_of(const std::vector<std::vector<ValuePointer>> &rows) {
  State state = State::computed;
  for (const auto &row : rows)
    for (const ValuePointer &value : row) {
      if (value->ready == done())
        continue;
      if (!value->ready->is_done())
        return State::pending;
      if (std::unique_ptr<PJRT_Error> error{value->ready->error()})
        state = State::failed;
    }
  return state;
}

void wait_until_idle(Worker &worker) {
  if (worker.is_idle())
    return;
  nb::gil_scoped_acquire gil; // the caller may hold it, and the tasks need it
  nb::gil_scoped_release others;
  worker.wait_until_idle();
}

// New buffers for the results of one device.
std::vector<PJRT_Buffer *> new_buffers(const Outputs &outputs, PJRT_Device *device, const CompletionPointer &ready) {
  std::vector<PJRT_Buffer *> buffers;
  const int64_t *dims = outputs.dims.data();
  for (size_t i = 0; i < outputs.types.size(); ++i) {
    buffers.push_back(new PJRT_Buffer(device->memories[outputs.memories[i]], outputs.types[i], {dims, dims + outputs.ranks[i]},
                                      std::make_shared<Value>(*device, ready)));
    dims += outputs.ranks[i];
  }
  return buffers;
}

// The arguments that the caller gives up.
std::vector<size_t> donated_by(const PJRT_LoadedExecutable_Execute_Args &args) {
  const PJRT_ExecuteOptions &options = *args.options;
  const std::vector<bool> &donated = program_of(*args.executable).donated;
  const int64_t *kept = options.non_donatable_input_indices;
  const int64_t *end = kept + options.num_non_donatable_input_indices;
  std::vector<size_t> numbers;
  for (size_t i = 0; i < donated.size() && i < args.num_args; ++i)
    if (donated[i] && std::find(kept, end, static_cast<int64_t>(i)) == end)
      numbers.push_back(i);
  return numbers;
}

// A buffer that the caller gives up is one argument only.
void check_donations(const PJRT_LoadedExecutable_Execute_Args &args, const std::vector<size_t> &donated) {
  if (donated.empty())
    return;
  for (size_t device = 0; device < args.num_devices; ++device) {
    PJRT_Buffer *const *buffers = args.argument_lists[device];
    std::unordered_map<PJRT_Buffer *, size_t> uses;
    for (size_t i = 0; i < args.num_args; ++i)
      ++uses[buffers[i]];
    for (size_t i : donated)
      if (uses[buffers[i]] > 1)
        throw Failure{PJRT_Error_Code_INVALID_ARGUMENT,
                      "an array that is donated must be one argument, got argument " + std::to_string(i) +
                          " also as another one"};
  }
}

void give_up(const PJRT_LoadedExecutable_Execute_Args &args, const std::vector<size_t> &donated) {
  for (size_t i : donated)
    for (size_t device = 0; device < args.num_devices; ++device)
      args.argument_lists[device][i]->release();
}

void LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args &args) {
  const Program &program = program_of(*args.executable);
  const std::vector<PJRT_Device *> devices = devices_of(args);
  Task task;
  task.program = args.executable->program;
  for (size_t device = 0; device < args.num_devices; ++device)
    task.arguments.push_back(values_of(args.argument_lists[device], args.num_args));
  const std::vector<size_t> donated = donated_by(args);
  check_donations(args, donated);
  Worker &worker = args.executable->client->worker;
  const bool stays_here = !program.is_slow() || !runs_beside_callers || worker.is_stopped();
  const bool runs_here_soon = stays_here && !worker.has_slow_tasks();
  if (runs_here_soon)
    wait_until_idle(worker); // in the order of the calls
  const State arguments = state_of(task.arguments);
  const bool runs_here = arguments == State::computed && runs_here_soon;
  const CompletionPointer completion = runs_here ? done() : std::make_shared<Completion>();
  task.completion = completion;
  task.fits = runs_beside_callers && args.num_devices == 1 &&
              have_types(args.argument_lists[0], args.num_args, program.inputs);
  std::vector<std::vector<PJRT_Buffer *>> buffers;
  for (PJRT_Device *device : devices) {
    buffers.push_back(new_buffers(program.outputs, device, completion));
    task.results.emplace_back();
    for (PJRT_Buffer *buffer : buffers.back())
      task.results.back().push_back(buffer->value);
  }
  if (runs_here) {
    if (std::unique_ptr<PJRT_Error> error{task.run()}) {
      for (const auto &row : buffers)
        for (PJRT_Buffer *buffer : row)
          delete buffer;
      throw Failure{error->code, error->message};
    }
    give_up(args, donated);
  } else {
    give_up(args, donated);
    if (arguments == State::failed)
      delete task.run(); // which gives the results the error of the argument
    else
      worker.add(std::move(task));
  }
  for (size_t device = 0; device < args.num_devices; ++device) {
    std::copy(buffers[device].begin(), buffers[device].end(), args.output_lists[device]);
    if (args.device_complete_events)
      args.device_complete_events[device] = new PJRT_Event{completion};
  }
}

void LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args &args) { delete args.executable; }

void LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args &args) {
  program_of(*args.loaded_executable);
  args.executable = new PJRT_Executable{args.loaded_executable->program};
}

void LoadedExecutable_AddressableDevices(PJRT_LoadedExecutable_AddressableDevices_Args &args) {
  args.addressable_devices = args.executable->devices.data();
  args.num_addressable_devices = args.executable->devices.size();
}

void LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args &args) { args.executable->program.reset(); }

void LoadedExecutable_IsDeleted(PJRT_LoadedExecutable_IsDeleted_Args &args) {
  args.is_deleted = !args.executable->program;
}

void LoadedExecutable_Fingerprint(PJRT_LoadedExecutable_Fingerprint_Args &args) {
  const Program &program = program_of(*args.executable);
  args.executable_fingerprint = program.fingerprint.data();
  args.executable_fingerprint_size = program.fingerprint.size();
}

// Options of a run that callers set after they made the context; hlokit has none.
void ExecuteContext_Create(PJRT_ExecuteContext_Create_Args &args) {
  args.context = reinterpret_cast<PJRT_ExecuteContext *>(new char);
}

void ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args &args) { delete reinterpret_cast<char *>(args.context); }

} // namespace

std::atomic<bool> runs_beside_callers{true};

void set_loaded_executables(PJRT_Api &api) {
  HLOKIT_PJRT_SET(api, LoadedExecutable_Execute);
  HLOKIT_PJRT_SET(api, LoadedExecutable_Destroy);
  HLOKIT_PJRT_SET(api, LoadedExecutable_GetExecutable);
  HLOKIT_PJRT_SET(api, LoadedExecutable_AddressableDevices);
  HLOKIT_PJRT_SET(api, LoadedExecutable_Delete);
  HLOKIT_PJRT_SET(api, LoadedExecutable_IsDeleted);
  HLOKIT_PJRT_SET(api, LoadedExecutable_Fingerprint);
  HLOKIT_PJRT_SET(api, ExecuteContext_Create);
  HLOKIT_PJRT_SET(api, ExecuteContext_Destroy);
}

} // namespace hlokit::pjrt
