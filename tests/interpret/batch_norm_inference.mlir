// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %offset = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %mean = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %variance = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {
    epsilon = 0.0 : f32,
    feature_index = 2 : i64
  } : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  check.expect_eq_const %result, dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  func.return
}

// -----

// Variance 3.75 + 0.25 and 0.
func.func @epsilon_and_first_feature_index() {
  %operand = stablehlo.constant dense<[[1.0, 5.0], [2.0, 2.5]]> : tensor<2x2xf32>
  %scale = stablehlo.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[0.5, 10.0]> : tensor<2xf32>
  %mean = stablehlo.constant dense<[3.0, 2.0]> : tensor<2xf32>
  %variance = stablehlo.constant dense<[3.75, 0.0]> : tensor<2xf32>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {
    epsilon = 0.25 : f32,
    feature_index = 0 : i64
  } : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[-2.5, 3.5], [10.0, 9.0]]> : tensor<2x2xf32>
  func.return
}

// -----

// 766 becomes 768. In steps, 3 * 255 would become 764, and 764 + 1 as well.
func.func @bf16_rounds_once() {
  %operand = stablehlo.constant dense<[256.0]> : tensor<1xbf16>
  %scale = stablehlo.constant dense<[3.0]> : tensor<1xbf16>
  %offset = stablehlo.constant dense<[1.0]> : tensor<1xbf16>
  %mean = stablehlo.constant dense<[1.0]> : tensor<1xbf16>
  %variance = stablehlo.constant dense<[1.0]> : tensor<1xbf16>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {
    epsilon = 0.0 : f32,
    feature_index = 0 : i64
  } : (tensor<1xbf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1xbf16>
  check.expect_eq_const %result, dense<[768.0]> : tensor<1xbf16>
  func.return
}
