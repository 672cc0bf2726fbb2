// Reduced by hlokit from @sign_op_f32: diverges:xla
//   hlokit diff docs/findings/xla_sign_subnormal.mlir --against=xla --flush=none
// element [0]: 1 expected, 0 there

module {
  func.func @main() -> tensor<1xf32> {
    %cst = stablehlo.constant dense<1.401300e-45> : tensor<1xf32>
    %0 = stablehlo.optimization_barrier %cst : tensor<1xf32>
    %1 = stablehlo.sign %0 : tensor<1xf32>
    return %1 : tensor<1xf32>
  }
}
