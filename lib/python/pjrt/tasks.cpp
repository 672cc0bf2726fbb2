// Runs of programs, and the thread that runs the long ones.
#include "python/pjrt/entries.h"

#include <unistd.h>

#include "python/kernels/numpy.h"

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
        if (fits && program->direct.is_valid() && !program->direct.is_none())
          return run_directly();
        nb::list lists = arrays_of(arguments);
        store(program->python.attr("execute")(lists), results);
        program->direct = program->python.attr("direct");
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

void Task::run_directly() {
  const nb::object direct = program->direct; // a run on another thread may replace it
  const std::vector<ValuePointer> &values = arguments[0];
  std::vector<nb::object> operands;
  std::vector<PyObject *> pointers{nullptr}; // room for the callee
  for (size_t i = 0; i < values.size(); ++i) {
    const bool is_scalar = program->inputs[i].dims.empty(); // which is no array, among values
    operands.push_back(is_scalar ? numpy::scalar_in(values[i]->array) : values[i]->array);
    pointers.push_back(operands.back().ptr());
  }
  const size_t count = values.size() | PY_VECTORCALL_ARGUMENTS_OFFSET;
  nb::object computed = nb::steal(PyObject_Vectorcall(direct.ptr(), &pointers[1], count, nullptr));
  if (!computed.is_valid())
    throw nb::python_error();
  std::vector<nb::object> arrays;
  const bool is_one = results[0].size() == 1;
  bool are_own = true;
  for (size_t i = 0; i < results[0].size(); ++i) {
    nb::handle result = is_one ? nb::handle(computed) : nb::handle(PyTuple_GetItem(computed.ptr(), Py_ssize_t(i)));
    nb::object array = numpy::own_array(result);
    are_own = are_own && array.is_valid();
    arrays.push_back(std::move(array));
  }
  if (!are_own) { // views, arguments, constants, an array twice
    nb::object all = is_one ? nb::object(nb::make_tuple(computed)) : computed;
    arrays.clear();
    nb::list list;
    for (const nb::object &operand : operands)
      list.append(operand);
    for (nb::handle array : program->python.attr("arrays")(all, list))
      arrays.push_back(nb::borrow(array));
  }
  for (size_t i = 0; i < arrays.size(); ++i)
    results[0][i]->set(std::move(arrays[i]));
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

bool Worker::is_own_thread() const { return thread_ && std::this_thread::get_id() == thread_->get_id(); }

bool Worker::has_slow_tasks() {
  if (!has_worked_)
    return false;
  std::lock_guard guard(lock_);
  if (process_ != getpid() || is_own_thread())
    return false;
  if (running_ && running_->program->is_slow())
    return true;
  for (const Task &task : tasks_)
    if (task.program->is_slow())
      return true;
  return false;
}

void Worker::forget_parent() {
  static_cast<void>(thread_.release());
  new (&changed_) std::condition_variable;
  new (&idle_) std::condition_variable;
  tasks_.clear();
  running_.release();
  interruptible_ = 0;
  process_ = getpid();
}

void Worker::add(Task task) {
  std::lock_guard guard(lock_);
  if (process_ != getpid()) { // the first task, or the first after a fork, which took no thread along
    forget_parent();
    thread_ = std::make_unique<std::thread>([this] { work(); });
  }
  has_worked_ = true;
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
  if (!has_worked_)
    return true;
  std::lock_guard guard(lock_);
  return process_ != getpid() || is_own_thread() || (tasks_.empty() && !running_);
}

void Worker::wait_until_idle() {
  std::unique_lock guard(lock_);
  idle_.wait(guard, [this] {
    return process_ != getpid() || is_own_thread() || (tasks_.empty() && !running_);
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
    if (process_ != getpid())
      forget_parent();
    has_thread = thread_ && thread_->joinable();
    changed_.notify_one();
  }
  if (has_thread)
    thread_->join();
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
