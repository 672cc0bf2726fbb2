// Reduced by hlokit from @philox_i16: diverges:xla
//   hlokit diff docs/findings/xla_rng_bit_generator_type.mlir --against=xla
// int32[1] expected, uint32[1] there

module {
  func.func @main() -> tensor<1xi32> {
    %c = stablehlo.constant dense<0> : tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %c, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1xi32>)
    return %output : tensor<1xi32>
  }
}
