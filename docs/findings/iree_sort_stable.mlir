// Reduced by hlokit from @main of a program that sorts equal keys: diverges:iree
//   hlokit diff docs/findings/iree_sort_stable.mlir --against=iree
// element [0]: 5 expected, 0 there

module {
  func.func @main() -> tensor<3xi32> {
    %c = stablehlo.constant dense<[1, 1, 2]> : tensor<3xi32>
    %c_0 = stablehlo.constant dense<[5, 0, 0]> : tensor<3xi32>
    %0:2 = "stablehlo.sort"(%c, %c_0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>):
      %1 = stablehlo.compare LT, %arg0, %arg1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
    return %0#1 : tensor<3xi32>
  }
}
