// Kernels that are compiled several times: once for each level of processor (support/cpu.h).
//
// CMake's hlokit_kernel_variants compiles a file once for each level, with that level's instructions and HLOKIT_VARIANT
// defined as its name. The file puts its entry point into the namespace of that name:
//
//   namespace HLOKIT_VARIANT { Kernels kernels() { ... } }
//
// Everything else in such a file, and in the headers that only such files include, must have internal linkage: were a
// function shared between the objects, the linker would keep one copy, perhaps of instructions that the processor lacks.
// For the same reason such a file calls no inline function of the standard library.
#pragma once

#include "support/cpu.h"

#if !defined(HLOKIT_VARIANT)
#define HLOKIT_VARIANT baseline
#endif

// The level that the file is being compiled for, and whether it is the baseline.
#define HLOKIT_VARIANT_LEVEL ::hlokit::variants::HLOKIT_VARIANT
#define HLOKIT_IS_BASELINE (HLOKIT_VARIANT_LEVEL == ::hlokit::CpuLevel::baseline)

namespace hlokit::variants {

constexpr CpuLevel baseline = CpuLevel::baseline, avx2 = CpuLevel::avx2, avx512 = CpuLevel::avx512;

} // namespace hlokit::variants

// HLOKIT_X86_VARIANTS is defined where files are compiled for AVX2 and AVX-512 as well. There, only processors of before
// 2013 run the baseline: it is compiled with few optimisations (cmake/KernelVariants.cmake), and lacks kernels that others
// can do the work of.
#if defined(HLOKIT_X86_VARIANTS) && !defined(__AVX2__)
#define HLOKIT_IS_FALLBACK 1
#else
#define HLOKIT_IS_FALLBACK 0
#endif

#if defined(HLOKIT_X86_VARIANTS)

// Declares a function in the namespace of each variant.
#define HLOKIT_DECLARE_VARIANTS(...)                                                                                 \
  namespace baseline {                                                                                               \
  __VA_ARGS__;                                                                                                       \
  }                                                                                                                  \
  namespace avx2 {                                                                                                   \
  __VA_ARGS__;                                                                                                       \
  }                                                                                                                  \
  namespace avx512 {                                                                                                 \
  __VA_ARGS__;                                                                                                       \
  }

// The function of the variant for a level.
#define HLOKIT_VARIANT_FOR(level, function)                                                                          \
  ((level) >= ::hlokit::CpuLevel::avx512 ? avx512::function                                                          \
   : (level) == ::hlokit::CpuLevel::avx2 ? avx2::function                                                            \
                                         : baseline::function)
#define HLOKIT_VARIANT_TO_AVX2_FOR(level, function)                                                                  \
  ((level) >= ::hlokit::CpuLevel::avx2 ? avx2::function : baseline::function)

#else

#define HLOKIT_DECLARE_VARIANTS(...)                                                                                 \
  namespace baseline {                                                                                               \
  __VA_ARGS__;                                                                                                       \
  }
#define HLOKIT_VARIANT_FOR(level, function) (static_cast<void>(level), baseline::function)
#define HLOKIT_VARIANT_TO_AVX2_FOR(level, function) (static_cast<void>(level), baseline::function)

#endif

// The function of the best variant for this processor.
#define HLOKIT_BEST_VARIANT(function) HLOKIT_VARIANT_FOR(::hlokit::cpu_level(), function)
// The same for kernels that are not compiled for AVX-512.
#define HLOKIT_BEST_VARIANT_TO_AVX2(function) HLOKIT_VARIANT_TO_AVX2_FOR(::hlokit::cpu_level(), function)
