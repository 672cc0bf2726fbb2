// hlokit diff docs/findings/xla_sort_iota.mlir --against=xla
// element [0, 0, 0]: 0 expected, 1 there

module {
  func.func @main() -> tensor<1x2x1xi32> {
    %cst = stablehlo.constant dense<[[[1.0, 2.0], [4.0, 3.0]]]> : tensor<1x2x2xf32>
    %0 = stablehlo.optimization_barrier %cst : tensor<1x2x2xf32>
    %1 = stablehlo.iota dim = 1 : tensor<1x2x2xi32>
    %2:2 = "stablehlo.sort"(%0, %1) <{dimension = 2 : i64, is_stable = true}> ({
    ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>):
      %4 = stablehlo.compare GT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<1x2x2xf32>, tensor<1x2x2xi32>) -> (tensor<1x2x2xf32>, tensor<1x2x2xi32>)
    %3 = stablehlo.slice %2#1 [0:1, 0:2, 0:1] : (tensor<1x2x2xi32>) -> tensor<1x2x1xi32>
    return %3 : tensor<1x2x1xi32>
  }
}
