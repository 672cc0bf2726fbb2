// Programs in the form in which Python passes them.
#pragma once

#include <nanobind/stl/detail/nb_list.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/elements/type_names.h"
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

} // namespace hlokit
