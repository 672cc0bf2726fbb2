// The vector instructions that kernels may use. No other file queries the processor.
#pragma once

#include <cstdint>

namespace hlokit {

// In rising order: a processor runs the kernels of its own level and of all levels below. "AVX2" means AVX2 with FMA,
// "AVX-512" its parts F, DQ, BW and VL, "AMX" AVX-512 with VNNI and tiles of bytes, which one kernel uses: it has no variants
// of its own. On AArch64 the baseline has NEON; a level for SVE would be one more name here, in support/variants.h and in
// cmake/KernelVariants.cmake.
enum class CpuLevel : uint8_t { baseline, avx2, avx512, amx };

constexpr const char *cpu_level_names[] = {"baseline", "avx2", "avx512", "amx"};

// The highest level of the processor that this build has kernels for, but no higher than the one that the environment
// variable HLOKIT_CPU names. The first call that succeeds decides for the life of the process.
//
// Throws std::invalid_argument if HLOKIT_CPU names no level.
CpuLevel cpu_level();

// Whether the level is at least AVX-512, and the processor also has VNNI: sums of four products of bytes. No level of its
// own, since one kernel uses it, and integers have the same results without it.
bool has_byte_products();

// Whether the level is AMX, and the system lets this process use tiles: the first call asks it.
bool has_byte_tiles();

} // namespace hlokit
