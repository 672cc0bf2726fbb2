#include "bind_bytecode.h"
#include "bind_copies.h"
#include "bind_fft.h"
#include "bind_matmul.h"
#include "bind_regions.h"
#include "bind_segment.h"
#include "bind_structure.h"
#include "bind_text.h"
#include "bind_triangles.h"
#include "bind_vm.h"

NB_MODULE(_native, m) {
  m.doc() = "MLIR's binary formats without MLIR, machines for pointwise operations, products of matrices.";
  // Programs that live as long as the process are no leaks.
  nanobind::set_leak_warnings(false);
  hlokit::bind_bytecode(m);
  hlokit::bind_copies(m);
  hlokit::bind_fft(m);
  hlokit::bind_matmul(m);
  hlokit::bind_vm(m);
  hlokit::bind_segment(m);
  hlokit::bind_regions(m);
  hlokit::bind_structure(m);
  hlokit::bind_text(m);
  hlokit::bind_triangles(m);
}
