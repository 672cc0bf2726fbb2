// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @zeta_op_f32_rounds_once() {
  %x = stablehlo.constant dense<[2.0, 3.0, 1.5, 10.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 2.0, 0.25, 3.5]> : tensor<4xf32>
  %result = chlo.zeta %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[1.644934, 0.2020569, 10.213056, 3.9682423e-06]> : tensor<4xf32>
  func.return
}

// -----

func.func @zeta_op_f64() {
  %x = stablehlo.constant dense<[2.0, 3.0, 1.5, 10.0]> : tensor<4xf64>
  %y = stablehlo.constant dense<[1.0, 2.0, 0.25, 3.5]> : tensor<4xf64>
  %result = chlo.zeta %x, %y : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[1.6449340668482264, 0.2020569031595943, 10.213055360466601, 3.9682420686863086e-06]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @zeta_op_poles() {
  %x = stablehlo.constant dense<[1.0, 0.5, 2.0, 3.0, 2.5]> : tensor<5xf32>
  %y = stablehlo.constant dense<[2.0, 2.0, -1.0, -1.0, -0.5]> : tensor<5xf32>
  %result = chlo.zeta %x, %y : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
  %expected = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<5xf32>, tensor<5xf32>
  func.return
}

// -----

// (-3/2)**-2 + (-1/2)**-2 + (1/2)**-2 + ...
func.func @zeta_op_of_negative_q() {
  %x = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  %y = stablehlo.constant dense<[-1.5]> : tensor<1xf32>
  %result = chlo.zeta %x, %y : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  check.expect_eq_const %result, dense<[9.379247]> : tensor<1xf32>
  func.return
}
