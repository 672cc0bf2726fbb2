#include "bind_bytecode.h"
#include "bind_matmul.h"
#include "bind_regions.h"
#include "bind_vm.h"

NB_MODULE(_native, m) {
  m.doc() = "MLIR's binary formats without MLIR, machines for pointwise operations, products of matrices.";
  hlokit::bind_bytecode(m);
  hlokit::bind_matmul(m);
  hlokit::bind_vm(m);
  hlokit::bind_regions(m);
}
