// The kernels of fft_kernels.cpp for processors with AVX2 and FMA: CMake sets the flags.
#if defined(__AVX2__) && defined(__FMA__) && defined(__GNUC__)
#define HLOKIT_FFT_KERNELS avx2_kernels
#include "fft_kernels.cpp"
#else
#include "fft_kernels.h"

namespace hlokit::fft {

Kernels avx2_kernels() { return {}; }

} // namespace hlokit::fft
#endif
