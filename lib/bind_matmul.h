#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_matmul(nanobind::module_ &m);

}
