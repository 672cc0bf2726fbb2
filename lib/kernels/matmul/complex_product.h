// Products of complex numbers, as products of real ones.
#pragma once

#include "kernels/matmul/product.h"

namespace hlokit::matmul {

// Bytes of the memory that `run_complex` needs for the second operand.
size_t complex_workspace_bytes(const Product &product);

// Computes a product whose arrays are complex, with parts of its types, which are all its work type: f32 or f64. Strides are
// those of complex numbers. `workspace` is aligned for the parts; otherwise as `run`.
void run_complex(const Product &product, unsigned char *workspace, size_t threads);

} // namespace hlokit::matmul
