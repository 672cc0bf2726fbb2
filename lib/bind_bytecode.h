#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_bytecode(nanobind::module_ &m);

} // namespace hlokit
