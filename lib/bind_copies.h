#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_copies(nanobind::module_ &m);

} // namespace hlokit
