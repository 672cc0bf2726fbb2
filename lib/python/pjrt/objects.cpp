#include "python/pjrt/objects.h"

#include "python/kernels/numpy.h"

namespace nb = nanobind;

namespace hlokit::pjrt {

void Usage::add(int64_t size) {
  const int64_t sum = now += size;
  ++allocations;
  for (int64_t seen = most; seen < sum && !most.compare_exchange_weak(seen, sum);) {
  }
  for (int64_t seen = largest; seen < size && !largest.compare_exchange_weak(seen, size);) {
  }
}

void Value::set(nb::object computed) {
  numpy::Elements elements;
  if (!numpy::is_array(computed, elements))
    throw std::runtime_error("a value must be an array of numbers");
  data = elements.data;
  size = elements.item_size;
  for (size_t i = 0; i < elements.rank; ++i)
    size *= static_cast<size_t>(elements.shape[i]);
  array = std::move(computed);
  usage->add(static_cast<int64_t>(size));
}

Value::~Value() {
  if (!array.is_valid())
    return;
  usage->now -= static_cast<int64_t>(size);
  if (!is_python_alive()) {
    array.release();
    return;
  }
  nb::gil_scoped_acquire gil;
  array.reset();
}

void wait(const Completion &completion) {
  if (completion.is_done())
    return;
  if (!is_python_alive())
    return completion.wait();
  nb::gil_scoped_acquire gil; // the caller may hold it, or not
  nb::gil_scoped_release others;
  completion.wait();
}

nb::object host() { return nb::module_::import_("hlokit.clients.pjrt.host"); }

PJRT_Error error_of(nb::python_error &error) {
  try {
    nb::object described = host().attr("describe")(error.value());
    // The framework raises its own exception for the error; then Python raises KeyboardInterrupt, as for any control-C.
    if (error.matches(PyExc_KeyboardInterrupt))
      PyErr_SetInterrupt();
    return {static_cast<PJRT_Error_Code>(nb::cast<int>(described[0])), nb::cast<std::string>(described[1])};
  } catch (nb::python_error &another) { // Python ends, or has no memory left
    return {PJRT_Error_Code_INTERNAL, error.what()};
  }
}

nb::object dtype_of(PJRT_Buffer_Type type) {
  static const nb::handle dtypes = host().attr("DTYPES").inc_ref(); // for as long as the process runs
  nb::object dtype = nb::borrow(dtypes)[static_cast<int>(type)];
  if (dtype.is_none())
    throw Failure{PJRT_Error_Code_UNIMPLEMENTED, "hlokit has no element type for PJRT's type number " + std::to_string(type)};
  return dtype;
}

} // namespace hlokit::pjrt
