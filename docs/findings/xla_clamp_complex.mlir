// Reduced by hlokit from @clamp_op_complex: diverges:xla
//   hlokit diff docs/findings/xla_clamp_complex.mlir --against=xla
// element [0]: 1+3j expected, 1+0j there

module {
  func.func @main() -> tensor<1xcomplex<f32>> {
    %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,3.000000e+00)> : tensor<1xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,5.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.clamp %cst, %cst_0, %cst_1 : (tensor<complex<f32>>, tensor<1xcomplex<f32>>, tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    return %0 : tensor<1xcomplex<f32>>
  }
}
