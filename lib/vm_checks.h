// What the machines of vm.h have in common: the checks of a program when it is made.
#pragma once

#include <cstdint>
#include <vector>

#include "vm.h"

namespace hlokit::vm {

// Each throws ProgramError for what does not hold.
void check_register(const std::vector<Type> &types, uint32_t index);
void check_type(const std::vector<Type> &types, uint32_t index, Type type);
// No complex numbers, whose operations compute arrays only.
void check_simple(const std::vector<Type> &types);
// Gives the operation of a source, which is no jump, if its registers have the types that it expects.
const Operation &check_operation(const std::vector<Type> &types, const Source &source);

} // namespace hlokit::vm
