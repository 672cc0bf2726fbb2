// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @next_after_op_f32() {
  %x = stablehlo.constant dense<[1.0, 1.0, 0.0, -0.0, 0x7F800000, 2.0]> : tensor<6xf32>
  %y = stablehlo.constant dense<[2.0, 0.0, -1.0, 1.0, 0.0, 2.0]> : tensor<6xf32>
  %result = chlo.next_after %x, %y : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0000001, 0.99999994, -1.0e-45, 1.0e-45, 3.4028235e+38, 2.0]> : tensor<6xf32>
  func.return
}

// -----

func.func @next_after_op_of_zeros_is_the_second() {
  %x = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[-0.0, 0.0]> : tensor<2xf32>
  %result = chlo.next_after %x, %y : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  check.expect_eq_const %result, dense<[-0.0, 0.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @next_after_op_nan() {
  %x = stablehlo.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %result = chlo.next_after %x, %y : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  func.return
}

// -----

func.func @next_after_op_of_a_byte() {
  %x = stablehlo.constant dense<[1.0, 1.0, 448.0, 0.0]> : tensor<4xf8E4M3FN>
  %y = stablehlo.constant dense<[2.0, -2.0, 1.0, 1.0]> : tensor<4xf8E4M3FN>
  %result = chlo.next_after %x, %y : tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN> -> tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.125, 0.9375, 416.0, 0.001953125]> : tensor<4xf8E4M3FN>
  func.return
}
