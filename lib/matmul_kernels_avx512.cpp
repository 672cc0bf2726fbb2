// The kernels of matmul_kernels.cpp for processors with AVX-512: CMake sets the flags.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__GNUC__)
#define HLOKIT_MATMUL_KERNELS avx512_kernels
#include "matmul_kernels.cpp"
#else
#include "matmul_kernels.h"

namespace hlokit::matmul {

const Kernels<float> *avx512_kernels(float) { return nullptr; }
const Kernels<double> *avx512_kernels(double) { return nullptr; }

} // namespace hlokit::matmul
#endif
