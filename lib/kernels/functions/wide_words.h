// Helpers that the files of Wide (wide.h) share.
#pragma once

#include "kernels/functions/wide.h"

namespace hlokit::functions {

// The product of two words in two words.
void multiply_words(uint64_t a, uint64_t b, uint64_t &high, uint64_t &low);
int leading_zeros(uint64_t word);
// The same number with the highest bit of its mantissa set.
Wide normalised(Wide value);

// 1 / n! and 1 / n, for n below factorial_count.
constexpr int factorial_count = 60;
const Wide &factorial_reciprocal(int n);
const Wide &reciprocal_of(int n);

} // namespace hlokit::functions
