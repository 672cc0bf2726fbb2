// The operations of vm_complex.cpp for processors with AVX-512: CMake sets the flags.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define HLOKIT_VM_COMPLEX_OPERATIONS avx512_complex_operations
#include "vm_complex.cpp"
#else
#include "vm.h"

namespace hlokit::vm {

Operations avx512_complex_operations() { return {}; }

} // namespace hlokit::vm
#endif
