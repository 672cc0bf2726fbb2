#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_text(nanobind::module_ &m);

} // namespace hlokit
