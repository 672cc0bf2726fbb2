// Reduced by hlokit, and then by hand: diverges:eval-module
//   hlokit diff docs/findings/eval_module_scatter_in_place.mlir --against=eval-module
// element [0]: 1 expected, 0 there

module {
  func.func @main() -> tensor<1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<1xf32>
    %c = stablehlo.constant dense<0> : tensor<1x1xi32>
    %0 = "stablehlo.scatter"(%cst, %c, %cst_0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
      stablehlo.return %arg1 : tensor<f32>
    }) : (tensor<1xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<1xf32>
    %1 = stablehlo.subtract %0, %cst : tensor<1xf32>
    return %1 : tensor<1xf32>
  }
}
