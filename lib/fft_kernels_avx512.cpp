// The kernels of fft_kernels.cpp for processors with AVX-512: CMake sets the flags.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__GNUC__)
#define HLOKIT_FFT_KERNELS avx512_kernels
#include "fft_kernels.cpp"
#else
#include "fft_kernels.h"

namespace hlokit::fft {

Kernels avx512_kernels() { return {}; }

} // namespace hlokit::fft
#endif
