// Reduced by hlokit from @cbrt_op_special_values: diverges:iree
//   hlokit diff docs/findings/iree_cbrt_infinite.mlir --against=iree
// element [0]: inf expected, nan there

module {
  func.func @main() -> tensor<1xf32> {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<1xf32>
    %0 = stablehlo.optimization_barrier %cst : tensor<1xf32>
    %1 = stablehlo.cbrt %0 : tensor<1xf32>
    return %1 : tensor<1xf32>
  }
}
