// Singular value decomposition. Matrices are in row-major order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/linalg/scalars.h"
#include "kernels/linalg/workspace.h"

namespace hlokit::linalg {

// Singular values of a [m, n] in falling order, k = min(m, n) of them, and a = u diag(values) vt. u is [m, u_columns] and vt
// [vt_rows, n], with k columns and rows or all m and n; both are null if there are to be no vectors. `a` is lost. Returns 0; or
// 1 with NaN everywhere, if a number is not finite or there is no convergence.
template <class T>
int32_t gesvd(T *a, size_t m, size_t n, double *values, T *u, size_t u_columns, T *vt, size_t vt_rows, Workspace &);

} // namespace hlokit::linalg
