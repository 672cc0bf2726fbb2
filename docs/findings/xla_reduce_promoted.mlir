// Reduced by hlokit from @operands_are_promoted_to_the_body_type: diverges:xla
//   hlokit diff docs/findings/xla_reduce_promoted.mlir --against=xla
// float32[1] expected, float16[1] there

module {
  func.func @main() -> tensor<1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<1xf16>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %0 = stablehlo.reduce(%cst init: %cst_0) across dimensions = [] : (tensor<1xf16>, tensor<f16>) -> tensor<1xf32>
     reducer(%arg0: tensor<f32>, %arg1: tensor<f32>)  {
      stablehlo.return %arg0 : tensor<f32>
    }
    return %0 : tensor<1xf32>
  }
}
