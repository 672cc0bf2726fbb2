// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @matrix_matrix() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %rhs = stablehlo.constant dense<[[1.0, 0.0, 1.0], [0.0, 1.0, 10.0]]> : tensor<2x3xf32>
  %result = stablehlo.dot %lhs, %rhs : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  check.expect_eq_const %result, dense<[[1.0, 2.0, 21.0], [3.0, 4.0, 43.0], [5.0, 6.0, 65.0]]> : tensor<3x3xf32>
  func.return
}

// -----

func.func @matrix_vector() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[1, 10]> : tensor<2xi32>
  %result = stablehlo.dot %lhs, %rhs : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[21, 43]> : tensor<2xi32>
  func.return
}

// -----

func.func @vector_matrix() {
  %lhs = stablehlo.constant dense<[1, 10]> : tensor<2xi32>
  %rhs = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %result = stablehlo.dot %lhs, %rhs : (tensor<2xi32>, tensor<2x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[31, 42]> : tensor<2xi32>
  func.return
}

// -----

func.func @vector_vector() {
  %lhs = stablehlo.constant dense<[100, 27]> : tensor<2xi8>
  %rhs = stablehlo.constant dense<[2, 1]> : tensor<2xi8>
  %result = stablehlo.dot %lhs, %rhs, precision = [DEFAULT, HIGHEST] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %result, dense<227> : tensor<i32>
  func.return
}
