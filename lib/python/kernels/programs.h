// Programs and index vectors in the form in which Python passes them.
#pragma once

#include <nanobind/stl/detail/nb_list.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/elements/type_names.h"
#include "kernels/regions/index_vectors.h"
#include "python/array.h"
#include "vm/instruction.h"

namespace nanobind::detail {
template <> struct type_caster<hlokit::vm::Registers> : list_caster<hlokit::vm::Registers, uint32_t> {};
} // namespace nanobind::detail

namespace hlokit {

// Opcode, results, operands and numbers of each instruction.
using Code = std::vector<std::tuple<int, vm::Registers, vm::Registers, vm::Numbers>>;

inline std::vector<ElementType> types_of(const std::vector<std::string> &names) {
  std::vector<ElementType> result;
  result.reserve(names.size());
  for (const std::string &name : names)
    result.push_back(element_type(name));
  return result;
}

inline std::vector<vm::Instruction> program_of(Code code) {
  std::vector<vm::Instruction> result;
  result.reserve(code.size());
  for (auto &[opcode, results, operands, numbers] : code)
    result.push_back({opcode, std::move(results), std::move(operands), std::move(numbers)});
  return result;
}

// The number of elements of an array. Throws ProgramError if no array has as many.
inline size_t product(size_t a, size_t b) {
  constexpr size_t most = PTRDIFF_MAX / 16;
  if (b != 0 && a > most / b)
    throw vm::ProgramError("an array must have at most " + std::to_string(most) + " elements, got " + std::to_string(a) +
                       " times " + std::to_string(b));
  return a * b;
}

using Components = std::vector<std::pair<int64_t, int64_t>>; // extent, step

// An array [component, vector], or a tuple of arrays, one for each component. Must outlive all vectors that it returns.
class IndexArrays {
public:
  // Throws ProgramError for other arrays.
  IndexArrays(nanobind::handle indices, const std::string &type) : type_(element_type(type)) {
    const bool are_apart = nanobind::isinstance<nanobind::tuple>(indices);
    if (are_apart)
      for (nanobind::handle component : nanobind::borrow<nanobind::tuple>(indices))
        arrays_.emplace_back(component, PyBUF_STRIDES);
    else
      arrays_.emplace_back(indices, PyBUF_STRIDES);
    axis_ = are_apart ? 0 : 1;
    bool fits = is_integer(type_) && !arrays_.empty();
    for (const Array &array : arrays_)
      fits = fits && array.rank() == axis_ + 1 && array.item_size() == size_of(type_) &&
             array.extent(axis_) == arrays_[0].extent(axis_);
    if (!fits)
      throw vm::ProgramError("indices must be integers, in an array [component, vector] or a tuple of arrays of one size, with "
                             "items of " + type);
  }

  size_t size() const { return axis_ ? arrays_[0].extent(0) : arrays_.size(); } // components
  size_t count() const { return arrays_[0].extent(axis_); }                     // vectors

  regions::IndexVectors vectors(const Components &components) const {
    if (components.size() != size())
      throw vm::ProgramError("indices must have " + std::to_string(components.size()) + " components, got " +
                             std::to_string(size()));
    regions::IndexVectors result{type_, count(), {}};
    for (size_t i = 0; i < components.size(); ++i)
      result.components.push_back({components[i].first, components[i].second, data(i), stride(i)});
    return result;
  }
  // One of the components.
  regions::IndexVectors component(size_t i, int64_t extent) const {
    if (i >= size())
      throw vm::ProgramError("index vectors have no component " + std::to_string(i));
    regions::IndexVectors result{type_, count(), {}};
    result.components.push_back({extent, 1, data(i), stride(i)});
    return result;
  }

private:
  ptrdiff_t stride(size_t i) const { return axis_ ? arrays_[0].stride(1) : arrays_[i].stride(0); }
  const unsigned char *data(size_t i) const {
    return axis_ ? arrays_[0].data() + static_cast<ptrdiff_t>(i) * arrays_[0].stride(0) : arrays_[i].data();
  }

  ElementType type_;
  std::vector<Array> arrays_;
  size_t axis_ = 0; // of the vectors
};

} // namespace hlokit
