// The kernels of byte_kernels.cpp: products of i8 whose sums are i32, by instructions for sums of four products of bytes.
#pragma once

#include <cstdint>

#include "kernels/matmul/kernels.h"

namespace hlokit::matmul {

// Null where they are not compiled; other processors than those of `has_byte_products` (support/cpu.h) cannot run them.
HLOKIT_DECLARE_VARIANTS(const Kernels<int8_t> *byte_kernels())

} // namespace hlokit::matmul
