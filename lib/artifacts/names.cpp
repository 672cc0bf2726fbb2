#include "artifacts/names.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "artifacts/schema.h"

namespace hlokit {
namespace {

// Dialects that the bindings may have. Some of these dialects verify attributes of any operation whose names begin with
// the dialect's name.
constexpr std::string_view dialects[] = {
    "acc",    "affine",     "amdgpu",        "amx",         "arith",     "arm_neon", "arm_sme",   "arm_sve",
    "async",  "builtin",    "bufferization", "cf",          "chlo",      "complex",  "dlti",      "emitc",
    "func",   "gpu",        "index",         "interpreter", "irdl",      "linalg",   "llvm",      "math",
    "memref", "mesh",       "ml_program",    "mpi",         "mpmd",      "nvgpu",    "nvvm",      "omp",
    "pdl",    "pdl_interp", "ptr",           "quant",       "rocdl",     "scf",      "sdy",       "shape",
    "shard",  "smt",        "sparse_tensor", "spirv",       "tensor",    "tosa",     "transform", "ub",
    "vector", "vhlo",       "wasmssa",       "x86",         "x86vector", "xegpu",    "xevm",
};
// Attributes that operations of StableHLO have and operations of VHLO lack.
constexpr std::string_view other_names[] = {
    "algorithm",
    "channel_handle",
    "dimension_numbers",
    "dot_dimension_numbers",
    "no_inline",
    "operandSegmentSizes",
    "operand_segment_sizes",
    "resultSegmentSizes",
    "result_segment_sizes",
    "scatter_dimension_numbers",
};

} // namespace

bool is_free_name(std::string_view name) {
  const size_t dot = name.find('.');
  return dot != std::string_view::npos && dot > 0 &&
         std::find(std::begin(dialects), std::end(dialects), name.substr(0, dot)) == std::end(dialects);
}

bool is_unused_name(std::string_view name) {
  return name.find('.') == std::string_view::npos && !is_attribute(name) &&
         std::find(std::begin(other_names), std::end(other_names), name) == std::end(other_names);
}

bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<uint8_t>(text[i++]);
    if (first < 0x80)
      continue;
    const int following = first >= 0xC2 && first < 0xE0   ? 1
                          : first >= 0xE0 && first < 0xF0 ? 2
                          : first >= 0xF0 && first < 0xF5 ? 3
                                                          : 0;
    if (following == 0 || text.size() - i < static_cast<size_t>(following))
      return false;
    uint32_t point = first & (0x3F >> following);
    for (int k = 0; k < following; ++k) {
      const auto next = static_cast<uint8_t>(text[i++]);
      if ((next & 0xC0) != 0x80)
        return false;
      point = point << 6 | (next & 0x3F);
    }
    constexpr uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    if (point < smallest[following] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
      return false;
  }
  return true;
}

} // namespace hlokit
