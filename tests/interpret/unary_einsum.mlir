// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @sum() {
  %operand = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %result = stablehlo.unary_einsum %operand, config = "ab->a" : (tensor<2x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[3.0, 7.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @transpose() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi4>
  %result = stablehlo.unary_einsum %operand, config = "ab->ba" : (tensor<2x2xi4>) -> tensor<2x2xi4>
  check.expect_eq_const %result, dense<[[1, 3], [2, 4]]> : tensor<2x2xi4>
  func.return
}

// -----

func.func @trace() {
  %operand = stablehlo.constant dense<[[(1.0, 1.0), (5.0, 0.0)], [(5.0, 0.0), (2.0, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = stablehlo.unary_einsum %operand, config = "aa->" : (tensor<2x2xcomplex<f64>>) -> tensor<complex<f64>>
  check.expect_eq_const %result, dense<(3.0, -2.0)> : tensor<complex<f64>>
  func.return
}
