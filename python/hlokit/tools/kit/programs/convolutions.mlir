func.func @main(%0: tensor<1x8x8x2x$>, %1: tensor<3x3x2x4x$>) -> tensor<1x3x3x4x$> {
  %c = "stablehlo.convolution"(%0, %1) {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}
    : (tensor<1x8x8x2x$>, tensor<3x3x2x4x$>) -> tensor<1x6x6x4x$>
  %zero = stablehlo.constant dense<0.0> : tensor<1x6x6x4x$>
  %a = stablehlo.maximum %c, %zero : tensor<1x6x6x4x$>
  %low = stablehlo.constant dense<0.0> : tensor<$>
  %r = "stablehlo.reduce_window"(%a, %low) ({
  ^bb0(%x: tensor<$>, %y: tensor<$>):
    %m = stablehlo.maximum %x, %y : tensor<$>
    stablehlo.return %m : tensor<$>
  }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}
    : (tensor<1x6x6x4x$>, tensor<$>) -> tensor<1x3x3x4x$>
  return %r : tensor<1x3x3x4x$>
}
