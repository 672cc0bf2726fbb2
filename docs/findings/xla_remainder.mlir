// Reduced by hlokit from @remainder_op_f32_is_exact: diverges:xla
//   hlokit diff docs/findings/xla_remainder.mlir --against=xla --flush=none
// element [0]: 0 expected, nan there

module {
  func.func @main() -> tensor<1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<1xf32>
    %cst_0 = stablehlo.constant dense<9.99999935E-39> : tensor<1xf32>
    %0:2 = stablehlo.optimization_barrier %cst, %cst_0 : tensor<1xf32>, tensor<1xf32>
    %1 = stablehlo.remainder %0#0, %0#1 : tensor<1xf32>
    return %1 : tensor<1xf32>
  }
}
