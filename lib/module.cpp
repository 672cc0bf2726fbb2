#include "bind_bytecode.h"
#include "bind_vm.h"

NB_MODULE(_native, m) {
  m.doc() = "Readers of MLIR's binary formats, without MLIR, and machines for pointwise operations.";
  hlokit::bind_bytecode(m);
  hlokit::bind_vm(m);
}
