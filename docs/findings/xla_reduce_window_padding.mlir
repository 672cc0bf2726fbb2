// Reduced by hlokit from @padding_holds_init_value: diverges:xla
//   hlokit diff docs/findings/xla_reduce_window_padding.mlir --against=xla
// element [2]: 1 expected, 0 there

module {
  func.func @main() -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<2xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %0 = "stablehlo.reduce_window"(%c, %c_0) <{padding = dense<[[1, 2]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      stablehlo.return %arg1 : tensor<i32>
    }) : (tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
