// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %offset = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {
    epsilon = 0.0 : f32,
    feature_index = 2 : i64
  } : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_eq_const %output, dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  check.expect_eq_const %batch_mean, dense<[2.0, 3.0]> : tensor<2xf64>
  check.expect_eq_const %batch_var, dense<[1.0, 1.0]> : tensor<2xf64>
  func.return
}

// -----

// The variance is that of the batch: 14 / 4 = 3.5, not 14 / 3.
func.func @epsilon_and_middle_feature_index() {
  %operand = stablehlo.constant dense<[[[0.0, 1.0], [1.0, 1.0]], [[2.0, 5.0], [1.0, 1.0]]]> : tensor<2x2x2xf32>
  %scale = stablehlo.constant dense<[4.0, 7.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {
    epsilon = 0.5 : f32,
    feature_index = 1 : i64
  } : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %output, dense<[[[-3.0, -1.0], [3.0, 3.0]], [[1.0, 7.0], [3.0, 3.0]]]> : tensor<2x2x2xf32>
  check.expect_eq_const %batch_mean, dense<[2.0, 1.0]> : tensor<2xf32>
  check.expect_eq_const %batch_var, dense<[3.5, 0.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @f16_sums_beyond_its_range() {
  %operand = stablehlo.constant dense<[[60000.0], [59000.0], [60000.0], [59000.0]]> : tensor<4x1xf16>
  %scale = stablehlo.constant dense<[1.0]> : tensor<1xf16>
  %offset = stablehlo.constant dense<[0.0]> : tensor<1xf16>
  %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {
    epsilon = 0.0 : f32,
    feature_index = 1 : i64
  } : (tensor<4x1xf16>, tensor<1xf16>, tensor<1xf16>) -> (tensor<4x1xf16>, tensor<1xf16>, tensor<1xf16>)
  // 59008 is the nearest f16 to 59000.
  check.expect_eq_const %output, dense<[[1.0], [-1.0], [1.0], [-1.0]]> : tensor<4x1xf16>
  check.expect_eq_const %batch_mean, dense<[59520.0]> : tensor<1xf16>
  func.return
}
