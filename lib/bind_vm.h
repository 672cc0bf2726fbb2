#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_vm(nanobind::module_ &m);

} // namespace hlokit
