// The loops of combinations.cpp for processors with AVX2: CMake sets the flag.
#ifdef __AVX2__
#define HLOKIT_COMBINATIONS avx2_combinations
#include "combinations.cpp"
#else
#include "combinations.h"

namespace hlokit::regions {

Combinations avx2_combinations() { return {nullptr, 0}; }

} // namespace hlokit::regions
#endif
