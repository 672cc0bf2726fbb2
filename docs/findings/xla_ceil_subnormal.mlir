// Reduced by hlokit from @ceil_op_special_values: diverges:xla
//   hlokit diff docs/findings/xla_ceil_subnormal.mlir --against=xla --flush=none
// element [0]: 1 expected, 0 there

module {
  func.func @main() -> tensor<1xf64> {
    %cst = stablehlo.constant dense<4.940660e-324> : tensor<1xf64>
    %0 = stablehlo.ceil %cst : tensor<1xf64>
    return %0 : tensor<1xf64>
  }
}
