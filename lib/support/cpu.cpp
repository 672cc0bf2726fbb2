#include "support/cpu.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>

namespace hlokit {
namespace {

CpuLevel processor_level() {
#if defined(HLOKIT_X86_VARIANTS) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    return CpuLevel::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return CpuLevel::avx2;
#endif
  return CpuLevel::baseline;
}

// The level that HLOKIT_CPU allows; without the variable, every level.
CpuLevel allowed_level() {
  const char *const value = std::getenv("HLOKIT_CPU");
  if (value == nullptr || *value == '\0')
    return CpuLevel::avx512;
  const auto *const found = std::find(std::begin(cpu_level_names), std::end(cpu_level_names), std::string(value));
  if (found == std::end(cpu_level_names))
    throw std::invalid_argument("HLOKIT_CPU must be baseline, avx2 or avx512, got '" + std::string(value) + "'");
  return static_cast<CpuLevel>(found - std::begin(cpu_level_names));
}

} // namespace

CpuLevel cpu_level() {
  static const CpuLevel level = std::min(processor_level(), allowed_level());
  return level;
}

} // namespace hlokit
