func.func @main(%0: tensor<3x7x$>) -> tensor<3x$> {
  %s = "stablehlo.sort"(%0) ({
  ^bb0(%a: tensor<$>, %b: tensor<$>):
    %p = stablehlo.compare LT, %a, %b : (tensor<$>, tensor<$>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<3x7x$>) -> tensor<3x7x$>
  %m = stablehlo.slice %s [0:3, 3:4] : (tensor<3x7x$>) -> tensor<3x1x$>
  %r = stablehlo.reshape %m : (tensor<3x1x$>) -> tensor<3x$>
  return %r : tensor<3x$>
}
