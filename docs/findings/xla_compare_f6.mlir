// Reduced by hlokit from @compare_op_lt_total_order_narrow_floats: diverges:xla
//   hlokit diff docs/findings/xla_compare_f6.mlir --against=xla
// crash: its process died of SIGSEGV

module {
  func.func @main() -> tensor<1xi1> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<1xf6E2M3FN>
    %0 = stablehlo.optimization_barrier %cst : tensor<1xf6E2M3FN>
    %1 = stablehlo.compare LT, %0, %0, TOTALORDER : (tensor<1xf6E2M3FN>, tensor<1xf6E2M3FN>) -> tensor<1xi1>
    return %1 : tensor<1xi1>
  }
}
