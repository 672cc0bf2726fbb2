// Values of NumPy, through its C API: arrays, and scalars for arrays of rank 0.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/elements/type.h"

namespace hlokit::numpy {

using Extents = std::vector<intptr_t>;

// Imports NumPy. Must be called before all other functions of this file.
void import();

// The type of the scalars of an element type; null for types that NumPy itself lacks.
PyTypeObject *scalar_type_of(ElementType type);
// The size of an element. Throws nanobind::type_error for objects that are not dtypes.
size_t item_size(nanobind::handle dtype);

// The memory of an array. Memory and shape belong to the array.
struct Elements {
  unsigned char *data;
  size_t item_size;
  const intptr_t *shape;
  size_t rank;
  bool is_row_major; // and every element at a multiple of its size
};

// Whether an object is an array of numbers; if so, fills `elements`.
bool is_array(nanobind::handle object, Elements &elements);
// The same for an array of records of a size.
bool is_record_array(nanobind::handle object, size_t size, Elements &elements);
// Whether an object is one of NumPy's scalars.
bool is_scalar(nanobind::handle object);
// Copies the value of a scalar whose type is `scalar_type_of` a type of this size.
void read_scalar(nanobind::handle scalar, size_t size, void *to);
// A new array of the elements of a value, in row-major order.
nanobind::object copy_of(nanobind::handle value);

// Makes arrays and scalars of a dtype. A new array is not initialised; the elements of an array over memory belong to
// `owner`. Strides are in bytes.
nanobind::object new_array(const Extents &shape, nanobind::handle dtype);
nanobind::object array_over(unsigned char *memory, const Extents &shape, const Extents &strides, nanobind::handle dtype,
                            nanobind::handle owner);
// A view of an array, from its first element on, that cannot be written. Throws if it is not inside the array.
nanobind::object strided(nanobind::handle array, const Extents &shape, const Extents &strides);
nanobind::object scalar_of(const void *value, nanobind::handle dtype);
// The scalar of an array of rank 0.
nanobind::object scalar_in(nanobind::handle array);
// An array with memory of its own, in row-major order: that of a value to which only the caller refers, or of a scalar.
// Null for other values.
nanobind::object own_array(nanobind::handle value);
// The memory of an array that `new_array` made.
unsigned char *data_of(nanobind::handle array);

} // namespace hlokit::numpy
