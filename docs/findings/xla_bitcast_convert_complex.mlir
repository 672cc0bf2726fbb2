// Reduced by hlokit from @bitcast_convert_op_complex: diverges:xla
//   hlokit diff docs/findings/xla_bitcast_convert_complex.mlir --against=xla
// crash: its process died of SIGABRT

module {
  func.func @main() -> tensor<2xcomplex<f64>> {
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<2x2xcomplex<f32>>
    %0 = stablehlo.bitcast_convert %cst : (tensor<2x2xcomplex<f32>>) -> tensor<2xcomplex<f64>>
    return %0 : tensor<2xcomplex<f64>>
  }
}
