// `cbrt` of the smallest f32 is neither its root nor zero.
//   hlokit diff docs/findings/xla_cbrt_subnormal.mlir --against=xla
// element []: 1.11903471e-15 expected, -5.59517354e-16 there

func.func @main() -> tensor<f32> {
  %smallest = stablehlo.constant dense<1.401298e-45> : tensor<f32>
  %kept = stablehlo.optimization_barrier %smallest : tensor<f32>
  %0 = stablehlo.cbrt %kept : tensor<f32>
  return %0 : tensor<f32>
}
