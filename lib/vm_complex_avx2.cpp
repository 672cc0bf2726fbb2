// The operations of vm_complex.cpp for processors with AVX2: CMake sets the flag.
#ifdef __AVX2__
#define HLOKIT_VM_COMPLEX_OPERATIONS avx2_complex_operations
#include "vm_complex.cpp"
#else
#include "vm.h"

namespace hlokit::vm {

Operations avx2_complex_operations() { return {}; }

} // namespace hlokit::vm
#endif
