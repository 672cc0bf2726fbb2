// Reduced by hand: a fold of the conversion takes a splat constant of complex numbers for one of floats
//   hlokit diff docs/findings/xla_convert_complex_splat.mlir --against=xla
// crash: its process died of SIGSEGV

module {
  func.func @main() -> tensor<2xf32> {
    %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<2xcomplex<f32>>
    %0 = stablehlo.convert %cst : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
