// Runs of programs, and the thread that runs the long ones.
#include "python/pjrt/entries.h"

#include <unistd.h>

namespace nb = nanobind;

namespace hlokit::pjrt {
namespace {

// A program whose last run took longer runs on the worker, beside the caller; to hand over a run takes some 50 us.
constexpr auto LONG = std::chrono::milliseconds(5);
// Runs that took less time are not interrupted: they end soon, and an interrupt may come at any place.
constexpr auto INTERRUPTIBLE = std::chrono::milliseconds(100);

nb::list arrays_of(const std::vector<std::vector<ValuePointer>> &values) {
  nb::list lists;
  for (const auto &row : values) {
    nb::list arrays;
    for (const ValuePointer &value : row)
      arrays.append(value->array);
    lists.append(arrays);
  }
  return lists;
}

void store(nb::handle computed, const std::vector<std::vector<ValuePointer>> &results) {
  for (size_t device = 0; device < results.size(); ++device) {
    nb::object row = computed[device];
    for (size_t i = 0; i < results[device].size(); ++i)
      results[device][i]->set(row[i]);
  }
}

} // namespace

PJRT_Error *Task::run() {
  std::unique_ptr<PJRT_Error> error;
  for (const auto &row : arguments)
    for (const ValuePointer &value : row)
      if (!error && value->ready != done())
        error.reset(value->ready->error());
  const auto begin = std::chrono::steady_clock::now();
  if (!error)
    try {
      with_python([&] {
        nb::list lists = arrays_of(arguments);
        store(program->python.attr("execute")(lists), results);
      });
    } catch (const Failure &failure) {
      error = std::make_unique<PJRT_Error>(PJRT_Error{failure.code, failure.message});
    } catch (const std::exception &exception) {
      error = std::make_unique<PJRT_Error>(PJRT_Error{PJRT_Error_Code_INTERNAL, exception.what()});
    }
  program->long_runs = std::chrono::steady_clock::now() - begin > LONG ? program->long_runs + 1 : 0;
  arguments.clear();
  if (error)
    completion->fail(*error);
  else
    completion->finish();
  return error.release();
}

bool Task::is_unwanted() const {
  if (program->has_effects)
    return false;
  for (const auto &row : results)
    for (const ValuePointer &value : row)
      if (value.use_count() > 1)
        return false;
  return true;
}

bool Worker::has_slow_tasks() {
  std::lock_guard guard(lock_);
  if (process_ != getpid() || std::this_thread::get_id() == thread_.get_id())
    return false;
  if (running_ && running_->program->is_slow())
    return true;
  for (const Task &task : tasks_)
    if (task.program->is_slow())
      return true;
  return false;
}

void Worker::add(Task task) {
  std::lock_guard guard(lock_);
  if (process_ != getpid()) { // the first task, or the first after a fork, which took no thread along
    if (thread_.joinable())
      thread_.detach();
    tasks_.clear();
    running_.release();
    interruptible_ = 0;
    process_ = getpid();
    thread_ = std::thread([this] { work(); });
  }
  tasks_.push_back(std::move(task));
  changed_.notify_one();
}

void Worker::interrupt_unwanted() {
  if (!is_python_alive())
    return;
  nb::gil_scoped_acquire gil;
  std::lock_guard guard(lock_);
  const bool has_run = std::chrono::steady_clock::now() - begin_ > INTERRUPTIBLE;
  if (process_ == getpid() && running_ && interruptible_ && has_run && running_->is_unwanted())
    PyThreadState_SetAsyncExc(interruptible_, interrupt_.ptr());
}

void Worker::work() {
  const unsigned long thread = PyThread_get_thread_ident();
  if (!interrupt_.is_valid()) {
    nb::gil_scoped_acquire gil;
    interrupt_ = host().attr("Interrupted").inc_ref(); // for as long as the process runs
  }
  std::unique_lock guard(lock_);
  while (true) {
    changed_.wait(guard, [this] { return is_stopped_ || !tasks_.empty(); });
    if (tasks_.empty())
      return;
    running_ = std::make_unique<Task>(std::move(tasks_.front()));
    tasks_.pop_front();
    interruptible_ = thread;
    begin_ = std::chrono::steady_clock::now();
    Task &task = *running_;
    guard.unlock();
    delete task.run();
    std::unique_ptr<Task> ended;
    if (is_python_alive()) {
      nb::gil_scoped_acquire gil;
      guard.lock();
      interruptible_ = 0;
      PyThreadState_SetAsyncExc(thread, nullptr); // an interrupt that came too late
      ended = std::move(running_);
      guard.unlock();
    }
    ended.reset();
    guard.lock();
    if (tasks_.empty())
      idle_.notify_all();
  }
}

bool Worker::is_idle() {
  std::lock_guard guard(lock_);
  return process_ != getpid() || std::this_thread::get_id() == thread_.get_id() || (tasks_.empty() && !running_);
}

void Worker::wait_until_idle() {
  std::unique_lock guard(lock_);
  idle_.wait(guard, [this] {
    return process_ != getpid() || std::this_thread::get_id() == thread_.get_id() || (tasks_.empty() && !running_);
  });
}

bool Worker::is_stopped() {
  std::lock_guard guard(lock_);
  return is_stopped_;
}

void Worker::stop() {
  bool has_thread;
  {
    std::lock_guard guard(lock_);
    is_stopped_ = true;
    has_thread = thread_.joinable() && process_ == getpid();
    if (!has_thread && thread_.joinable())
      thread_.detach();
    changed_.notify_one();
  }
  if (has_thread)
    thread_.join();
}

Worker::~Worker() {
  if (!is_python_alive()) {
    stop();
    return;
  }
  nb::gil_scoped_acquire gil; // the caller may hold it, and the tasks need it
  nb::gil_scoped_release others;
  stop();
}

} // namespace hlokit::pjrt
