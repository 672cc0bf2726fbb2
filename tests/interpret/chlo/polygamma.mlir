// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @polygamma_op_f32_rounds_once() {
  %x = stablehlo.constant dense<[0.0, 1.0, 2.0, 5.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0, 0.5, 3.0, 10.0]> : tensor<4xf32>
  %result = chlo.polygamma %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-0.5772157, 4.934802, -0.1541138, 0.00030594517]> : tensor<4xf32>
  func.return
}

// -----

func.func @polygamma_op_f64() {
  %x = stablehlo.constant dense<[0.0, 1.0, 2.0, 5.0]> : tensor<4xf64>
  %y = stablehlo.constant dense<[1.0, 0.5, 3.0, 10.0]> : tensor<4xf64>
  %result = chlo.polygamma %x, %y : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  %expected = stablehlo.constant dense<[-0.5772156649015329, 4.934802200544679, -0.15411380631918858, 0.0003059451621172682]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  func.return
}

// -----

func.func @polygamma_op_of_no_natural_order() {
  %x = stablehlo.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %result = chlo.polygamma %x, %y : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  func.return
}
