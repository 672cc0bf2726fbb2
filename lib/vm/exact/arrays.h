// Arrays of exact numbers: of floats and integers, and products of matrices.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/exact/operation.h"

namespace hlokit::exact {

// Floats and integers that stand for themselves. Integers have 1, 2, 4 or 8 bytes.
void embed_floats(const double *values, Number *to, size_t count);
void embed_integers(const void *values, size_t item_size, bool is_signed, Number *to, size_t count);
// Floats of a function of everything that `state` is a digest of; elements have different numbers.
void number_by_place(const double *values, uint64_t state, Number *to, size_t count);

// Numbers of the second source where the predicate holds, else of the first one.
void select(const unsigned char *pred, const unsigned char *const (&sources)[2], unsigned char *to, size_t count);

// Sums, differences, products and negatives of complex numbers; `is_one` is as in `Operands`. Returns whether all floats
// are finite: if not, the results are not valid.
bool compute_complex(Formula formula, const ComplexNumber *const (&operands)[2], const bool (&is_one)[2],
                     ComplexNumber *to, size_t count);

// The number of rows, terms and columns of a product of two matrices in row-major order.
struct Extents {
  size_t rows, terms, columns;
};
// Numbers of the field, and exact numbers. The degrees of the results are one bound of all of them.
void multiply_matrices(const uint64_t *lhs, const uint64_t *rhs, uint64_t *to, const Extents &extents);
void multiply_matrices(const Number *lhs, const Number *rhs, Number *to, const Extents &extents);
void multiply_matrices(const ComplexNumber *lhs, const ComplexNumber *rhs, ComplexNumber *to, const Extents &extents);

} // namespace hlokit::exact
