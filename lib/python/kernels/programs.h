// Programs in the form in which Python passes them.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/elements/type_names.h"
#include "vm/instruction.h"

namespace hlokit {

using Code = std::vector<std::tuple<int, uint32_t, uint32_t, uint32_t, uint32_t>>;

inline std::vector<ElementType> types_of(const std::vector<std::string> &names) {
  std::vector<ElementType> result;
  result.reserve(names.size());
  for (const std::string &name : names)
    result.push_back(element_type(name));
  return result;
}

inline std::vector<vm::Instruction> program_of(const Code &code) {
  std::vector<vm::Instruction> result;
  result.reserve(code.size());
  for (const auto &[opcode, to, a, b, c] : code)
    result.push_back({opcode, to, a, b, c});
  return result;
}

} // namespace hlokit
