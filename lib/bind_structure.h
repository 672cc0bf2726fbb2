#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_structure(nanobind::module_ &m);

} // namespace hlokit
