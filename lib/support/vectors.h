// With internal linkage: see support/variants.h.
#pragma once

#include <stddef.h>

namespace hlokit {
namespace {

// Numbers of f64 in two vectors. Compilers vectorise loops of this fixed length without loops for the remainder.
#if defined(__AVX512F__)
constexpr size_t vector_block = 16;
#elif defined(__AVX2__)
constexpr size_t vector_block = 8;
#else
constexpr size_t vector_block = 4;
#endif

} // namespace
} // namespace hlokit
