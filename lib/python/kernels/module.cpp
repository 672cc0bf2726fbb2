// The extension module hlokit._kernels: everything that computes.
#include "python/kernels/module.h"

#include "python/kernels/numpy.h"

NB_MODULE(_kernels, m) {
  m.doc() = "Kernels: pointwise programs, contractions, Fourier transforms, regions, linear algebra, copies.";
  // Programs that Python keeps until the process ends are not leaks.
  nanobind::set_leak_warnings(false);
  hlokit::numpy::import();
  hlokit::bind_opcodes(m);
  hlokit::bind_program(m);
  hlokit::bind_fused_program(m);
  hlokit::bind_regions(m);
  hlokit::bind_random(m);
  hlokit::bind_product(m);
  hlokit::bind_fft(m);
  hlokit::bind_linalg(m);
  hlokit::bind_copies(m);
  hlokit::bind_nans(m);
  hlokit::bind_exact(m);
}
