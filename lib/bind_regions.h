#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_regions(nanobind::module_ &m);

} // namespace hlokit
