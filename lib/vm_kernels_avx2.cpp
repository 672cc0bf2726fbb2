// The operations of vm_kernels.cpp for processors with AVX2: CMake sets the flag.
#ifdef __AVX2__
#define HLOKIT_VM_OPERATIONS avx2_operations
#include "vm_kernels.cpp"
#else
#include "vm.h"

namespace hlokit::vm {

Operations avx2_operations() { return {}; }

} // namespace hlokit::vm
#endif
