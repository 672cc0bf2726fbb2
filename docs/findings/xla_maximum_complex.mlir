// Reduced by hlokit from @maximum_op_complex: diverges:xla
//   hlokit diff docs/findings/xla_maximum_complex.mlir --against=xla
// element [0]: 1+3j expected, 1+0j there

module {
  func.func @main() -> tensor<1xcomplex<f32>> {
    %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<1xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,3.000000e+00)> : tensor<1xcomplex<f32>>
    %0 = stablehlo.maximum %cst, %cst_0 : tensor<1xcomplex<f32>>
    return %0 : tensor<1xcomplex<f32>>
  }
}
