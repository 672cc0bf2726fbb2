// What bindings of machines have in common: programs as Python gives them, and the memory of arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "vm.h"

namespace hlokit {

using Code = std::vector<std::tuple<int, uint32_t, uint32_t, uint32_t, uint32_t>>;

inline vm::Type type_of(std::string_view name) {
  for (size_t i = 0; i < vm::type_count; ++i)
    if (name == vm::type_names[i])
      return static_cast<vm::Type>(i);
  throw vm::ProgramError("there is no type " + std::string(name));
}

inline std::vector<vm::Type> types_of(const std::vector<std::string> &names) {
  std::vector<vm::Type> result;
  result.reserve(names.size());
  for (const std::string &name : names)
    result.push_back(type_of(name));
  return result;
}

inline std::vector<vm::Source> sources_of(const Code &code) {
  std::vector<vm::Source> result;
  result.reserve(code.size());
  for (const auto &[operation, to, a, b, c] : code)
    result.push_back({operation, to, a, b, c});
  return result;
}

// The memory of an array, which can neither move nor go away during the lifetime of this.
class Array {
public:
  Array(nanobind::handle object, int flags) {
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0)
      throw nanobind::python_error();
  }
  ~Array() {
    if (view_.obj)
      PyBuffer_Release(&view_);
  }
  Array(Array &&other) noexcept : view_(other.view_) { other.view_.obj = nullptr; }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  Array &operator=(Array &&) = delete;

  unsigned char *data() const { return static_cast<unsigned char *>(view_.buf); }
  size_t size() const { return static_cast<size_t>(view_.len); }
  size_t item_size() const { return static_cast<size_t>(view_.itemsize); }
  size_t rank() const { return static_cast<size_t>(view_.ndim); }
  ptrdiff_t stride(size_t i) const { return view_.strides[i]; }
  std::vector<size_t> shape() const { return {view_.shape, view_.shape + view_.ndim}; }
  // The bytes from the first one in memory to the last, where strides are known.
  const unsigned char *begin() const { return data() + reach(-1); }
  const unsigned char *end() const { return data() + reach(1) + item_size(); }
  bool has_shape(const std::vector<size_t> &shape) const {
    bool result = rank() == shape.size();
    for (size_t i = 0; result && i < shape.size(); ++i)
      result = static_cast<size_t>(view_.shape[i]) == shape[i];
    return result;
  }
  bool is_row_major() const { return PyBuffer_IsContiguous(&view_, 'C') != 0; }
  // A copy of the elements, in row-major order.
  std::unique_ptr<unsigned char[]> row_major() const {
    std::unique_ptr<unsigned char[]> result(new unsigned char[size()]);
    if (PyBuffer_ToContiguous(result.get(), &view_, view_.len, 'C') != 0)
      throw nanobind::python_error();
    return result;
  }
  bool is_aligned() const { return is_aligned(item_size()); }
  bool is_aligned(size_t to) const { return reinterpret_cast<uintptr_t>(view_.buf) % to == 0; }

private:
  ptrdiff_t reach(int sign) const {
    ptrdiff_t result = 0;
    for (size_t i = 0; view_.strides && i < rank(); ++i)
      if (ptrdiff_t all = view_.strides[i] * (view_.shape[i] - 1); (all < 0) == (sign < 0))
        result += all;
    return result;
  }

  Py_buffer view_;
};

} // namespace hlokit
