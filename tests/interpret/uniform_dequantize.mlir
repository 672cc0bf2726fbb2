// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// (10 + 30) * 0.1 and (10 + 20) * 0.5
func.func @uniform_dequantize_op_per_axis() {
  %operand = stablehlo.constant() <{value = dense<10> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[4.0, 15.0]> : tensor<2xf32>
  func.return
}

// -----

// 127 + 128 does not fit i8.
func.func @uniform_dequantize_op_differences_do_not_wrap() {
  %operand = stablehlo.constant() <{value = dense<[127, -128, 0]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:-128>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<3x!quant.uniform<i8:f32, 0.5:-128>>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[127.5, 0.0, 64.0]> : tensor<3xf32>
  func.return
}

// -----

// 2^31 - 1 + 2^31 = 4294967295 is rounded once.
func.func @uniform_dequantize_op_i32() {
  %operand = stablehlo.constant() <{value = dense<[2147483647, -2147483648, -2147483647]> : tensor<3xi32>}> : () -> tensor<3x!quant.uniform<i32:f32, 0.5:-2147483648>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<3x!quant.uniform<i32:f32, 0.5:-2147483648>>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[2147483648.0, 0.0, 0.5]> : tensor<3xf32>
  func.return
}

// -----

func.func @uniform_dequantize_op_ui8() {
  %operand = stablehlo.constant() <{value = dense<[-1, 0, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<u8:f32, 0.5:128>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<3x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[63.5, -64.0, -0.5]> : tensor<3xf32>
  func.return
}

// -----

func.func @uniform_dequantize_op_ui4() {
  %operand = stablehlo.constant() <{value = dense<[15, 0, 8]> : tensor<3xui4>}> : () -> tensor<3x!quant.uniform<ui4:f32, 2.0:8>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<3x!quant.uniform<ui4:f32, 2.0:8>>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[14.0, -16.0, 0.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @uniform_dequantize_op_i2() {
  %operand = stablehlo.constant() <{value = dense<[-2, -1, 0, 1]> : tensor<4xi2>}> : () -> tensor<4x!quant.uniform<i2:f32, 2.0:-1>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<4x!quant.uniform<i2:f32, 2.0:-1>>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[-2.0, 0.0, 2.0, 4.0]> : tensor<4xf32>
  func.return
}

// -----

// The difference 300 + 213 = 513 is rounded to 512 in bf16 before it is scaled.
func.func @uniform_dequantize_op_rounds_to_the_expressed_type() {
  %operand = stablehlo.constant() <{value = dense<[300, -212]> : tensor<2xi16>}> : () -> tensor<2x!quant.uniform<i16:bf16, 2.0:-213>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i16:bf16, 2.0:-213>>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[1024.0, 2.0]> : tensor<2xbf16>
  func.return
}

// -----

func.func @uniform_dequantize_op_f8E4M3FN() {
  %operand = stablehlo.constant() <{value = dense<[3, -8]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f8E4M3FN, 0.5:1>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i8:f8E4M3FN, 0.5:1>>) -> tensor<2xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.0, -4.5]> : tensor<2xf8E4M3FN>
  func.return
}

// -----

func.func @uniform_dequantize_op_along_the_first_axis() {
  %operand = stablehlo.constant() <{value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f64:0, {0.5, 0.25:-1}>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<2x2x!quant.uniform<i8:f64:0, {0.5, 0.25:-1}>>) -> tensor<2x2xf64>
  check.expect_eq_const %result, dense<[[0.5, 1.0], [1.0, 1.25]]> : tensor<2x2xf64>
  func.return
}

// -----

func.func @uniform_dequantize_op_rank_0() {
  %operand = stablehlo.constant() <{value = dense<-3> : tensor<i16>}> : () -> tensor<!quant.uniform<i16:f16, 0.25:1>>
  %result = stablehlo.uniform_dequantize %operand : (tensor<!quant.uniform<i16:f16, 0.25:1>>) -> tensor<f16>
  check.expect_eq_const %result, dense<-1.0> : tensor<f16>
  func.return
}
