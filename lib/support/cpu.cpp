#include "support/cpu.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>

#if defined(HLOKIT_X86_VARIANTS)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

namespace hlokit {
namespace {

#if defined(HLOKIT_X86_VARIANTS)

// Queries the processor: __builtin_cpu_supports reads a table of the compiler's runtime library, which Zig's library
// leaves empty.
CpuLevel processor_level() {
  unsigned a, b, c, d, extended, word;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !__get_cpuid_count(7, 0, &a, &extended, &word, &d))
    return CpuLevel::baseline;
  const auto all = [](unsigned bits, unsigned wanted) { return (bits & wanted) == wanted; };
  constexpr unsigned fma = 1u << 12, saves_state = 1u << 27, f16c = 1u << 29, avx2 = 1u << 5;
  constexpr unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; // F, DQ, BW, VL
  if (!all(c, saves_state | fma | f16c) || !all(extended, avx2))
    return CpuLevel::baseline;
  // Which registers the system saves: XMM and YMM; masks and both parts of ZMM.
  unsigned saved, upper;
  __asm__ volatile("xgetbv" : "=a"(saved), "=d"(upper) : "c"(0));
  if (!all(saved, 0x6))
    return CpuLevel::baseline;
  if (!all(saved, 0xe6) || !all(extended, avx512))
    return CpuLevel::avx2;
  constexpr unsigned tiles = 1u << 24 | 1u << 25, vnni = 1u << 11; // and products of bytes in tiles
  return all(saved, 0x60000) && all(d, tiles) && all(word, vnni) ? CpuLevel::amx : CpuLevel::avx512;
}

bool processor_has_vnni() {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c >> 11 & 1);
}

#else

CpuLevel processor_level() { return CpuLevel::baseline; }
bool processor_has_vnni() { return false; }

#endif

// Asks the system for room to save the data of tiles. Without it, their instructions end the process.
bool may_use_tiles() {
#if defined(HLOKIT_X86_VARIANTS) && defined(__linux__)
  constexpr long request_permission = 0x1023, tile_data = 18; // of arch_prctl
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}

// The level that HLOKIT_CPU allows; without the variable, every level.
CpuLevel allowed_level() {
  const char *const value = std::getenv("HLOKIT_CPU");
  if (value == nullptr || *value == '\0')
    return CpuLevel::amx;
  const auto *const found = std::find(std::begin(cpu_level_names), std::end(cpu_level_names), std::string(value));
  if (found == std::end(cpu_level_names))
    throw std::invalid_argument("HLOKIT_CPU must be baseline, avx2, avx512 or amx, got '" + std::string(value) + "'");
  return static_cast<CpuLevel>(found - std::begin(cpu_level_names));
}

} // namespace

CpuLevel cpu_level() {
  static const CpuLevel level = std::min(processor_level(), allowed_level());
  return level;
}

bool has_byte_products() {
  static const bool result = cpu_level() >= CpuLevel::avx512 && processor_has_vnni();
  return result;
}

bool has_byte_tiles() {
  static const bool result = cpu_level() == CpuLevel::amx && may_use_tiles();
  return result;
}

} // namespace hlokit
