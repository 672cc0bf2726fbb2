// The functions that add the classes and functions of this folder to hlokit._bytecode.
#pragma once

#include <nanobind/nanobind.h>

namespace hlokit {

void bind_container(nanobind::module_ &m);
void bind_hlo(nanobind::module_ &m);
void bind_lifetime(nanobind::module_ &m);
void bind_structure(nanobind::module_ &m);
void bind_text(nanobind::module_ &m);

} // namespace hlokit
