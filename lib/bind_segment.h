#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_segment(nanobind::module_ &m);

} // namespace hlokit
