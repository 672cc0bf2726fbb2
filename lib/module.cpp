#include "bind_bytecode.h"
#include "bind_structure.h"
#include "bind_vm.h"

NB_MODULE(_native, m) {
  m.doc() = "Readers of MLIR's binary formats, without MLIR, and machines for pointwise operations.";
  // Programs that live as long as the process are no leaks.
  nanobind::set_leak_warnings(false);
  hlokit::bind_bytecode(m);
  hlokit::bind_structure(m);
  hlokit::bind_vm(m);
}
