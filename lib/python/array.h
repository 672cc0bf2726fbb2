// The memory of Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace hlokit {

// The items of a Python sequence, which no other code changes while they are in use.
class Items : public nanobind::tuple {
public:
  explicit Items(nanobind::handle sequence)
      : nanobind::tuple(nanobind::steal<nanobind::tuple>(PySequence_Tuple(sequence.ptr()))) {
    if (!is_valid())
      throw nanobind::python_error();
  }
};

// The memory of an object with the buffer protocol. It neither moves nor goes away during the lifetime of an Array.
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
  size_t bytes() const { return static_cast<size_t>(view_.len); }
  std::string_view text() const { return {static_cast<const char *>(view_.buf), bytes()}; }
  size_t item_size() const { return static_cast<size_t>(view_.itemsize); }
  size_t rank() const { return static_cast<size_t>(view_.ndim); }
  size_t extent(size_t i) const { return static_cast<size_t>(view_.shape[i]); }
  ptrdiff_t stride(size_t i) const { return view_.strides[i]; }
  std::vector<size_t> shape() const { return {view_.shape, view_.shape + view_.ndim}; }

  bool has_shape(const std::vector<size_t> &shape) const {
    bool result = rank() == shape.size();
    for (size_t i = 0; result && i < shape.size(); ++i)
      result = extent(i) == shape[i];
    return result;
  }
  bool is_empty() const { return bytes() == 0; }
  bool is_row_major() const { return PyBuffer_IsContiguous(&view_, 'C') != 0; }
  // A copy of the elements in row-major order.
  std::unique_ptr<unsigned char[]> row_major() const {
    std::unique_ptr<unsigned char[]> result(new unsigned char[bytes()]);
    if (PyBuffer_ToContiguous(result.get(), &view_, view_.len, 'C') != 0)
      throw nanobind::python_error();
    return result;
  }

  // Whether the first element is aligned.
  bool is_aligned() const { return is_aligned(item_size()); }
  bool is_aligned(size_t to) const { return reinterpret_cast<uintptr_t>(view_.buf) % to == 0; }
  // Whether strides are multiples of the size of an element.
  bool has_whole_strides() const {
    const auto item = static_cast<ptrdiff_t>(item_size());
    for (size_t i = 0; i < rank(); ++i)
      if (stride(i) % item != 0)
        return false;
    return true;
  }

  // The memory from the first byte of an element to the last; not of an empty array.
  const unsigned char *begin() const { return data() + reach(-1); }
  const unsigned char *end() const { return view_.strides ? data() + reach(1) + item_size() : data() + bytes(); }
  bool overlaps(const Array &other) const {
    return !is_empty() && !other.is_empty() && begin() < other.end() && other.begin() < end();
  }
  // Whether no two elements share memory. Conservative: false for some arrays whose dimensions interleave.
  bool has_distinct_elements() const {
    std::vector<std::pair<size_t, size_t>> dimensions; // distance, extent
    for (size_t i = 0; i < rank(); ++i)
      if (extent(i) > 1)
        dimensions.emplace_back(static_cast<size_t>(stride(i) < 0 ? -stride(i) : stride(i)), extent(i));
    std::sort(dimensions.begin(), dimensions.end());
    size_t reached = item_size();
    for (const auto &[distance, extent] : dimensions) {
      if (distance < reached)
        return false;
      reached += (extent - 1) * distance;
    }
    return true;
  }

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
