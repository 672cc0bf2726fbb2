// The kernels for this processor.
#include "vm/opcodes.h"
#include "vm/pointwise/kernels.h"

namespace hlokit::vm {
namespace {

void add(std::vector<Kernel> &to, const Kernel *baseline, const Kernel *variant, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Kernel kernel = variant[i].sweep ? variant[i] : baseline[i];
    if (!kernel.handler)
      kernel.handler = baseline[i].handler;
    to.push_back(kernel);
  }
}

} // namespace

Kernels kernels_for(CpuLevel level) {
  const KernelTable table = HLOKIT_VARIANT_FOR(level, kernel_table());
  Kernels result{{}, table.pairs, table.pair_count, table.reductions, table.reduction_count};
  result.of_opcodes.reserve(opcodes().count);
  add(result.of_opcodes, baseline::kernel_table().kernels, table.kernels, table.count);
  const ComplexKernelTable complex = HLOKIT_VARIANT_FOR(level, complex_kernel_table());
  add(result.of_opcodes, baseline::complex_kernel_table().kernels, complex.kernels, complex.count);
  return result;
}

const Kernels &kernels() {
  static const Kernels chosen = kernels_for(cpu_level());
  return chosen;
}

const Kernel &kernel_of(int opcode) { return kernels().of_opcodes[static_cast<size_t>(opcode)]; }

int find_reduction(std::string_view name, ElementType type) {
  const Kernels &all = kernels();
  for (size_t i = 0; i < all.reduction_count; ++i)
    if (all.reductions[i].type == type && name == all.reductions[i].name)
      return first_reduction - static_cast<int>(i);
  return 0;
}

} // namespace hlokit::vm
