// Reduced by hlokit from @ceil_op_special_values: diverges:iree
//   hlokit diff docs/findings/iree_ceil_subnormal.mlir --against=iree --flush=none
// element [0]: 1 expected, 0 there

module {
  func.func @main() -> tensor<1xf64> {
    %cst = stablehlo.constant dense<4.940660e-324> : tensor<1xf64>
    %0 = stablehlo.optimization_barrier %cst : tensor<1xf64>
    %1 = stablehlo.ceil %0 : tensor<1xf64>
    return %1 : tensor<1xf64>
  }
}
