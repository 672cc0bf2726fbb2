// Reduced by hlokit from @compare_op_ge_complex: diverges:xla
//   hlokit diff docs/findings/xla_compare_complex.mlir --against=xla
// element [0]: False expected, True there

module {
  func.func @main() -> tensor<1xi1> {
    %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<1xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,3.000000e+00)> : tensor<1xcomplex<f32>>
    %0 = stablehlo.compare GE, %cst, %cst_0, FLOAT : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xi1>
    return %0 : tensor<1xi1>
  }
}
