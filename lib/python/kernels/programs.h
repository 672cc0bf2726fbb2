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

// Index vectors of an array [component, vector]. Throws ProgramError for other arrays.
inline regions::IndexVectors index_vectors(const Array &indices, const std::string &type,
                                    const Components &components) {
  regions::IndexVectors result{indices.data(), element_type(type), 0, 0, 0, {}};
  if (indices.rank() != 2 || indices.item_size() != size_of(result.type) ||
      indices.shape()[0] != components.size())
    throw vm::ProgramError("indices must be an array [component, vector] of " + std::to_string(components.size()) +
                       " components with items of " + type);
  result.count = indices.shape()[1];
  result.component_stride = indices.stride(0), result.stride = indices.stride(1);
  for (const auto &[extent, step] : components)
    result.components.push_back({extent, step});
  return result;
}

} // namespace hlokit
