#include "python/kernels/numpy.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include <cstring>
#include <stdexcept>

namespace nb = nanobind;

namespace hlokit::numpy {
namespace {

PyArrayObject *array_of(nb::handle object) { return reinterpret_cast<PyArrayObject *>(object.ptr()); }

// A new reference to a dtype, for functions that steal it.
PyArray_Descr *descriptor(nb::handle dtype) { return reinterpret_cast<PyArray_Descr *>(nb::object(nb::borrow(dtype)).release().ptr()); }

nb::object checked(PyObject *made) {
  if (!made)
    throw nb::python_error();
  return nb::steal(made);
}

nb::object made(nb::handle dtype, const Extents &shape, const intptr_t *strides, void *data, int flags) {
  return checked(PyArray_NewFromDescr(&PyArray_Type, descriptor(dtype), static_cast<int>(shape.size()), shape.data(),
                                      strides, data, flags, nullptr));
}

// The distances, in bytes, of the nearest and the farthest element from the first one.
struct Range {
  bool is_empty = false;
  intptr_t low = 0, high = 0;
};

Range range_of(const Extents &shape, const Extents &strides) {
  Range result;
  for (size_t i = 0; i < shape.size(); ++i) {
    result.is_empty = result.is_empty || shape[i] <= 0;
    intptr_t &end = strides[i] < 0 ? result.low : result.high;
    end += (shape[i] - 1) * strides[i];
  }
  return result;
}

// The memory of an array, whose elements have an alignment.
Elements elements_of(PyArrayObject *array, size_t alignment) {
  Elements result;
  result.data = static_cast<unsigned char *>(PyArray_DATA(array));
  result.item_size = static_cast<size_t>(PyArray_ITEMSIZE(array));
  result.shape = PyArray_DIMS(array);
  result.rank = static_cast<size_t>(PyArray_NDIM(array));
  const bool is_aligned = alignment != 0 &&
                          (PyArray_SIZE(array) == 0 || reinterpret_cast<uintptr_t>(result.data) % alignment == 0);
  result.is_row_major = PyArray_IS_C_CONTIGUOUS(array) && is_aligned;
  return result;
}

} // namespace

void import() {
  if (_import_array() < 0)
    throw nb::python_error();
}

PyTypeObject *scalar_type_of(ElementType type) {
  switch (type) {
  case ElementType::i1:
    return &PyBoolArrType_Type;
  case ElementType::i8:
    return &PyInt8ArrType_Type;
  case ElementType::i16:
    return &PyInt16ArrType_Type;
  case ElementType::i32:
    return &PyInt32ArrType_Type;
  case ElementType::i64:
    return &PyInt64ArrType_Type;
  case ElementType::ui8:
    return &PyUInt8ArrType_Type;
  case ElementType::ui16:
    return &PyUInt16ArrType_Type;
  case ElementType::ui32:
    return &PyUInt32ArrType_Type;
  case ElementType::ui64:
    return &PyUInt64ArrType_Type;
  case ElementType::f32:
    return &PyFloat32ArrType_Type;
  case ElementType::f64:
    return &PyFloat64ArrType_Type;
  case ElementType::f16:
    return &PyHalfArrType_Type;
  case ElementType::c64:
    return &PyComplex64ArrType_Type;
  case ElementType::c128:
    return &PyComplex128ArrType_Type;
  default:
    return nullptr;
  }
}

size_t item_size(nb::handle dtype) {
  if (!PyArray_DescrCheck(dtype.ptr()))
    throw nb::type_error("a dtype must be an instance of numpy.dtype");
  return static_cast<size_t>(PyDataType_ELSIZE(reinterpret_cast<PyArray_Descr *>(dtype.ptr())));
}

bool is_array(nb::handle object, Elements &elements) {
  PyArrayObject *array = array_of(object);
  if (!PyArray_Check(object.ptr()) ||
      !(PyArray_ISNUMBER(array) || PyArray_ISBOOL(array) || PyArray_ISUSERDEF(array)))
    return false;
  elements = elements_of(array, static_cast<size_t>(PyArray_ITEMSIZE(array)));
  return true;
}

bool is_record_array(nb::handle object, size_t size, Elements &elements) {
  PyArrayObject *array = array_of(object);
  if (!PyArray_Check(object.ptr()) || PyArray_TYPE(array) != NPY_VOID ||
      static_cast<size_t>(PyArray_ITEMSIZE(array)) != size)
    return false;
  elements = elements_of(array, sizeof(double));
  return true;
}

bool is_scalar(nb::handle object) { return PyArray_CheckScalar(object.ptr()); }

void read_scalar(nb::handle scalar, size_t size, void *to) {
  // Scalars of all types have their value at the same offset: after the header of an object.
  std::memcpy(to, &reinterpret_cast<PyBoolScalarObject *>(scalar.ptr())->obval, size);
}

nb::object copy_of(nb::handle value) {
  return checked(PyArray_FromAny(value.ptr(), nullptr, 0, 0, NPY_ARRAY_CARRAY | NPY_ARRAY_ENSURECOPY, nullptr));
}

nb::object new_array(const Extents &shape, nb::handle dtype) { return made(dtype, shape, nullptr, nullptr, 0); }

nb::object array_over(unsigned char *memory, const Extents &shape, const Extents &strides, nb::handle dtype,
                      nb::handle owner) {
  nb::object result = made(dtype, shape, strides.data(), memory, NPY_ARRAY_WRITEABLE);
  PyArray_UpdateFlags(array_of(result), NPY_ARRAY_UPDATE_ALL);
  if (PyArray_SetBaseObject(array_of(result), nb::object(nb::borrow(owner)).release().ptr()) < 0)
    throw nb::python_error();
  return result;
}

nb::object strided(nb::handle array, const Extents &shape, const Extents &strides) {
  Elements elements;
  if (!is_array(array, elements) || shape.size() != strides.size())
    throw std::invalid_argument("a view must have an array, and a stride for each dimension");
  const Range view = range_of(shape, strides);
  const Range all = range_of({elements.shape, elements.shape + elements.rank},
                             {PyArray_STRIDES(array_of(array)), PyArray_STRIDES(array_of(array)) + elements.rank});
  if (!view.is_empty && (all.is_empty || view.low < all.low || view.high > all.high))
    throw std::invalid_argument("a view must lie inside its array");
  nb::object result = array_over(elements.data, shape, strides, array.attr("dtype"), array);
  PyArray_CLEARFLAGS(array_of(result), NPY_ARRAY_WRITEABLE);
  return result;
}

nb::object scalar_of(const void *value, nb::handle dtype) {
  return checked(PyArray_Scalar(const_cast<void *>(value), reinterpret_cast<PyArray_Descr *>(dtype.ptr()), nullptr));
}

nb::object scalar_in(nb::handle array) {
  return checked(PyArray_Scalar(PyArray_DATA(array_of(array)), PyArray_DESCR(array_of(array)), array.ptr()));
}

nb::object own_array(nb::handle value) {
  if (!PyArray_CheckExact(value.ptr()))
    return PyArray_CheckScalar(value.ptr()) ? copy_of(value) : nb::object();
  const bool is_own = Py_REFCNT(value.ptr()) == 1 && !PyArray_BASE(array_of(value)) &&
                      PyArray_CHKFLAGS(array_of(value), NPY_ARRAY_CARRAY | NPY_ARRAY_OWNDATA);
  return is_own ? nb::borrow(value) : nb::object();
}

unsigned char *data_of(nb::handle array) { return static_cast<unsigned char *>(PyArray_DATA(array_of(array))); }

} // namespace hlokit::numpy
