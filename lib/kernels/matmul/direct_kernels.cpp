// Products of small matrices. Compiled once for each level of processor: see support/variants.h for what that forbids.
#include <stddef.h>
#include <stdint.h>

#include "kernels/matmul/direct.h"
#include "kernels/matmul/kernels.h"

namespace hlokit::matmul {
namespace HLOKIT_VARIANT {

DirectFunction<float> choose_direct(const Direct<float> &direct) {
  return direct.is_complex ? function_of_columns<float, true>(direct.columns, direct.terms, false)
                           : function_of_columns<float, false>(direct.columns, direct.terms, direct.is_along_terms);
}

DirectFunction<double> choose_direct(const Direct<double> &direct) {
  return direct.is_complex ? nullptr
                           : function_of_columns<double, false>(direct.columns, direct.terms, direct.is_along_terms);
}

} // namespace HLOKIT_VARIANT
} // namespace hlokit::matmul
