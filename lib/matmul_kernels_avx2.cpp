// The kernels of matmul_kernels.cpp for processors with AVX2 and FMA: CMake sets the flags.
#if defined(__AVX2__) && defined(__FMA__) && defined(__GNUC__)
#define HLOKIT_MATMUL_KERNELS avx2_kernels
#include "matmul_kernels.cpp"
#else
#include "matmul_kernels.h"

namespace hlokit::matmul {

const Kernels<float> *avx2_kernels(float) { return nullptr; }
const Kernels<double> *avx2_kernels(double) { return nullptr; }

} // namespace hlokit::matmul
#endif
