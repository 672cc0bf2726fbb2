// `power` of integers: only the low bits of the exponent count.
//   hlokit diff docs/findings/xla_power_integer.mlir --against=xla
// element []: 0 expected, 1 there

func.func @main() -> tensor<i32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %exponent = stablehlo.constant dense<64> : tensor<i32>
  %kept = stablehlo.optimization_barrier %two : tensor<i32>
  %0 = stablehlo.power %kept, %exponent : tensor<i32>
  return %0 : tensor<i32>
}
