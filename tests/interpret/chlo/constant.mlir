// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @constant_op_i4() {
  %result = chlo.constant dense<[-8, 7]> : tensor<2xi4>
  %expected = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  check.expect_eq %result, %expected : tensor<2xi4>
  func.return
}

// -----

func.func @constant_op_f8E5M2() {
  %result = chlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2>
  %expected = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E5M2>
  check.expect_eq %result, %expected : tensor<2xf8E5M2>
  func.return
}

// -----

func.func @constant_op_f32() {
  %result = chlo.constant dense<[0.1, -0.0]> : tensor<2xf32>
  %expected = stablehlo.constant dense<[0.1, -0.0]> : tensor<2xf32>
  check.expect_eq %result, %expected : tensor<2xf32>
  func.return
}
