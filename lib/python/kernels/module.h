// The functions that add the classes and functions of this folder to hlokit._kernels. Functions take arrays through the
// buffer protocol, and release the interpreter's lock while they compute.
#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_fused_program(nanobind::module_ &m);
void bind_copies(nanobind::module_ &m);
void bind_exact(nanobind::module_ &m);
void bind_nans(nanobind::module_ &m);
void bind_fft(nanobind::module_ &m);
void bind_linalg(nanobind::module_ &m);
void bind_opcodes(nanobind::module_ &m);
void bind_product(nanobind::module_ &m);
void bind_program(nanobind::module_ &m);
void bind_random(nanobind::module_ &m);
void bind_regions(nanobind::module_ &m);

} // namespace hlokit
