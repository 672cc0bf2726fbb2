// Reduced by hlokit from @main of instrumented.mlir: crashes:xla
//   hlokit diff docs/findings/xla_scatter_same_operands.mlir --against=xla --mode=whole
// crash: its process died of SIGSEGV

module {
  func.func @main() -> tensor<1x2xf32> {
    %input = stablehlo.constant dense<0.0> : tensor<1x2xf32>
    %index = stablehlo.constant dense<0> : tensor<2x1xi32>
    %update = stablehlo.constant dense<1.0> : tensor<2x2xf32>
    %0:3 = "stablehlo.scatter"(%input, %input, %input, %index, %update, %update, %update) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<f32>, %f: tensor<f32>):
      stablehlo.return %d, %e, %f : tensor<f32>, tensor<f32>, tensor<f32>
    }) : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x1xi32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
    return %0#0 : tensor<1x2xf32>
  }
}
