// `reduce_precision` without mantissa bits: a NaN without mantissa is infinity.
//   hlokit diff docs/findings/xla_reduce_precision_nan.mlir --against=xla
// element []: inf expected, nan there

func.func @main() -> tensor<f32> {
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %kept = stablehlo.optimization_barrier %nan : tensor<f32>
  %0 = stablehlo.reduce_precision %kept, format = e8m0 : tensor<f32>
  return %0 : tensor<f32>
}
