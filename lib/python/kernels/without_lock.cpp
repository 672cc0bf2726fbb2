#include "python/kernels/without_lock.h"

namespace nb = nanobind;

namespace hlokit {

bool interpreter_interrupts() noexcept {
  const nb::gil_scoped_acquire acquired;
  // The interpreter heeds other threads only when it runs code.
  static PyObject *const nothing = [] {
    PyObject *const globals = PyDict_New();
    // PyRun_String is not in the stable ABI.
    PyObject *const code = globals ? Py_CompileString("lambda: None", "<interrupts>", Py_eval_input) : nullptr;
    PyObject *const function = code ? PyEval_EvalCode(code, globals, globals) : nullptr;
    Py_XDECREF(code);
    Py_XDECREF(globals);
    return function;
  }();
  if (PyErr_CheckSignals() == 0 && nothing)
    Py_XDECREF(PyObject_CallNoArgs(nothing));
  return PyErr_Occurred() != nullptr;
}

} // namespace hlokit
