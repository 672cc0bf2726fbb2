// Reduced by hlokit from @window_reversal: diverges:xla
//   hlokit diff docs/findings/xla_window_reversal.mlir --against=xla
// element [0, 0, 0, 0]: 6 expected, 10 there

module {
  func.func @main() -> tensor<1x1x1x1xi32> {
    %c = stablehlo.constant dense<[[[[1]]], [[[3]]]]> : tensor<2x1x1x1xi32>
    %0 = stablehlo.convolution(%c, %c) dim_numbers = [0, 1, b, f]x[0, 1, i, o]->[0, 1, b, f], window = {reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<1x1x1x1xi32>
    return %0 : tensor<1x1x1x1xi32>
  }
}
