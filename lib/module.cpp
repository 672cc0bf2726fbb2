#include "bind_bytecode.h"

NB_MODULE(_native, m) {
  m.doc() = "Readers of MLIR's binary formats, without MLIR.";
  hlokit::bind_bytecode(m);
}
