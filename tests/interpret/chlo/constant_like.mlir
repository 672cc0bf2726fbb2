// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @constant_like_op_i32() {
  %operand = stablehlo.constant dense<0> : tensor<2xi32>
  %result = "chlo.constant_like"(%operand) {value = 7 : i32} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<7> : tensor<2xi32>
  func.return
}

// -----

func.func @constant_like_op_ui8() {
  %operand = stablehlo.constant dense<0> : tensor<2xui8>
  %result = "chlo.constant_like"(%operand) {value = 200 : ui8} : (tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<200> : tensor<2xui8>
  func.return
}

// -----

func.func @constant_like_op_i1() {
  %operand = stablehlo.constant dense<false> : tensor<2xi1>
  %result = "chlo.constant_like"(%operand) {value = true} : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<true> : tensor<2xi1>
  func.return
}

// -----

func.func @constant_like_op_bf16() {
  %operand = stablehlo.constant dense<0.0> : tensor<2xbf16>
  %result = "chlo.constant_like"(%operand) {value = 1.5 : bf16} : (tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<1.5> : tensor<2xbf16>
  func.return
}

// -----

func.func @constant_like_op_f64() {
  %operand = stablehlo.constant dense<0.0> : tensor<2xf64>
  %result = "chlo.constant_like"(%operand) {value = 0.1 : f64} : (tensor<2xf64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<0.1> : tensor<2xf64>
  func.return
}

// -----

func.func @constant_like_op_complex() {
  %operand = stablehlo.constant dense<(0.0, 0.0)> : tensor<2xcomplex<f32>>
  %result = "chlo.constant_like"(%operand) {value = #complex.number<:f32 1.5, -2.0>} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<(1.5, -2.0)> : tensor<2xcomplex<f32>>
  func.return
}
