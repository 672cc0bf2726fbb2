// The operations of vm_kernels.cpp for processors with AVX-512: CMake sets the flags.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define HLOKIT_VM_OPERATIONS avx512_operations
#include "vm_kernels.cpp"
#else
#include "vm.h"

namespace hlokit::vm {

Operations avx512_operations() { return {}; }

} // namespace hlokit::vm
#endif
