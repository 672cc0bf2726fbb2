#include "vm/pointwise/kernel_choice.h"

namespace hlokit::vm {
namespace {

// Adds the kernels of a level to those of the levels below.
void improve(Kernel *kernels, const Kernel *variants, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const Handler handler = variants[i].handler ? variants[i].handler : kernels[i].handler;
    if (variants[i].sweep)
      kernels[i] = variants[i];
    kernels[i].handler = handler;
  }
}

} // namespace

Kernels kernels_for(CpuLevel level) {
  const KernelTable table = HLOKIT_VARIANT_FOR(level, kernel_table());
  const size_t real = table.count, complex = baseline::complex_kernel_table().count;
  Kernels result{std::vector<Kernel>(real + complex), table.pairs, table.pair_count};
  improve(result.of_opcodes.data(), scalar_kernels(), real);
  for (CpuLevel step : {CpuLevel::baseline, CpuLevel::avx2, CpuLevel::avx512}) {
    if (step > level)
      break;
    improve(result.of_opcodes.data(), HLOKIT_VARIANT_FOR(step, kernel_table()).kernels, real);
    improve(result.of_opcodes.data() + real, HLOKIT_VARIANT_FOR(step, complex_kernel_table()).kernels, complex);
  }
  return result;
}

const Kernels &kernels() {
  static const Kernels chosen = kernels_for(cpu_level());
  return chosen;
}

const Kernel &kernel_of(int opcode) { return kernels().of_opcodes[static_cast<size_t>(opcode)]; }

} // namespace hlokit::vm
