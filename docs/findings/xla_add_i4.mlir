// Reduced by hlokit from @bits: diverges:xla
//   hlokit diff docs/findings/xla_add_i4.mlir --against=xla
// element [0]: -4 expected, 12 there

module {
  func.func @main() -> tensor<1xi8> {
    %c = stablehlo.constant dense<6> : tensor<1xi4>
    %0 = stablehlo.optimization_barrier %c : tensor<1xi4>
    %1 = stablehlo.add %0, %0 : tensor<1xi4>
    %2 = stablehlo.convert %1 : (tensor<1xi4>) -> tensor<1xi8>
    return %2 : tensor<1xi8>
  }
}
