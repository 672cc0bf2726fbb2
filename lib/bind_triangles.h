#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_triangles(nanobind::module_ &m);

}
