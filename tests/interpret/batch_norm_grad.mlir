// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %mean = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %variance = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %grad_output = stablehlo.constant dense<0.1> : tensor<2x2x2xf64>
  %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) {
    epsilon = 0.0 : f32,
    feature_index = 2 : i64
  } : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %grad_operand, dense<0.0> : tensor<2x2x2xf64>
  check.expect_almost_eq_const %grad_scale, dense<0.0> : tensor<2xf64>
  check.expect_almost_eq_const %grad_offset, dense<0.4> : tensor<2xf64>
  func.return
}

// -----

// Feature 0: centered -2, -1, 0, 3; variance + epsilon 4; sum of grad_output 8, of its products with centered -16.
// Feature 1: centered 0; variance + epsilon 0.25.
func.func @epsilon_and_first_feature_index() {
  %operand = stablehlo.constant dense<[[0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<2x4xf32>
  %scale = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %mean = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %variance = stablehlo.constant dense<[3.75, 0.0]> : tensor<2xf32>
  %grad_output = stablehlo.constant dense<[[8.0, 0.0, 0.0, 0.0], [1.0, -1.0, 0.0, 4.0]]> : tensor<2x4xf32>
  %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) {
    epsilon = 0.25 : f32,
    feature_index = 0 : i64
  } : (tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>)
  // 2 / 2 * (grad_output - 8 / 4 + centered * 16 / (4 * 4)), and 3 / 0.5 * (grad_output - 4 / 4).
  check.expect_eq_const %grad_operand, dense<[[4.0, -3.0, -2.0, 1.0], [0.0, -12.0, -6.0, 18.0]]> : tensor<2x4xf32>
  check.expect_eq_const %grad_scale, dense<[-8.0, 0.0]> : tensor<2xf32>
  check.expect_eq_const %grad_offset, dense<[8.0, 4.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @bf16() {
  %operand = stablehlo.constant dense<[0.0, 2.0]> : tensor<2xbf16>
  %scale = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xbf16>
  %mean = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xbf16>
  %variance = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xbf16>
  %grad_output = stablehlo.constant dense<[3.0, 6.0]> : tensor<2xbf16>
  %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) {
    epsilon = 0.0 : f32,
    feature_index = 0 : i64
  } : (tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  // One element a feature: (3 - 3 - 3 / 1) / 1 and (6 - 6 - 6 / 4) / 2.
  check.expect_eq_const %grad_operand, dense<[-3.0, -0.75]> : tensor<2xbf16>
  check.expect_eq_const %grad_scale, dense<[-3.0, 3.0]> : tensor<2xbf16>
  check.expect_eq_const %grad_offset, dense<[3.0, 6.0]> : tensor<2xbf16>
  func.return
}
