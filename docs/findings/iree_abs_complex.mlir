// Reduced by hlokit from @abs_op_complex_does_not_overflow: diverges:iree
//   hlokit diff docs/findings/iree_abs_complex.mlir --against=iree
// element [0]: 3.00000001e+38 expected, inf there

module {
  func.func @main() -> tensor<1xf32> {
    %cst = stablehlo.constant dense<(3.000000e+38,0.000000e+00)> : tensor<1xcomplex<f32>>
    %0 = stablehlo.abs %cst : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}
