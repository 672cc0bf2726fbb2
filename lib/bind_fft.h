#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_fft(nanobind::module_ &m);

}
