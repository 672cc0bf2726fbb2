// Reduced by hlokit from @atan2_op_special_values_f32: diverges:iree
//   hlokit diff docs/findings/iree_atan2_infinite.mlir --against=iree
// element [0]: 0.785398185 expected, nan there

module {
  func.func @main() -> tensor<1xf32> {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<1xf32>
    %0 = stablehlo.optimization_barrier %cst : tensor<1xf32>
    %1 = stablehlo.atan2 %0, %0 : tensor<1xf32>
    return %1 : tensor<1xf32>
  }
}
