// The extension module hlokit._bytecode: readers of bytecode, without kernels, and how processes end.
#include "python/bytecode/module.h"

NB_MODULE(_bytecode, m) {
  m.doc() = "MLIR's binary format without MLIR: container, structure and validation; and a first look at MLIR's text.";
  nanobind::set_leak_warnings(false); // programs that a framework keeps until the process ends refer to their text
  hlokit::bind_container(m);
  hlokit::bind_hlo(m);
  hlokit::bind_lifetime(m);
  hlokit::bind_structure(m);
  hlokit::bind_text(m);
}
