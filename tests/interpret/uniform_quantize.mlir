// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// 4 / 0.1 - 30 and 15 / 0.5 - 20
func.func @uniform_quantize_op_per_axis() {
  %operand = stablehlo.constant dense<[4.0, 15.0]> : tensor<2xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<10> : tensor<2xi8>
  func.return
}

// -----

// 4 / 0.1 - 20 and 15 / 0.2 - 30
func.func @uniform_quantize_op_requantizes() {
  %stored = stablehlo.constant dense<[10, 10]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>
  %result = stablehlo.uniform_quantize %operand : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-20, 0.2:-30}>>
  %result_stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-20, 0.2:-30}>>) -> tensor<2xi8>
  check.expect_eq_const %result_stored, dense<[20, 45]> : tensor<2xi8>
  func.return
}

// -----

func.func @uniform_quantize_op_rounds_to_nearest_even() {
  %operand = stablehlo.constant dense<[0.25, 0.75, 1.25, -0.25, -0.75, 0.26, -0.24]> : tensor<7xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<7xf32>) -> tensor<7x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<7x!quant.uniform<i8:f32, 0.5>>) -> tensor<7xi8>
  check.expect_eq_const %stored, dense<[0, 2, 2, 0, -2, 1, 0]> : tensor<7xi8>
  func.return
}

// -----

// The zero point is added before rounding: 0.5 + 1 is 1.5, which is rounded to 2.
func.func @uniform_quantize_op_rounds_after_the_zero_point() {
  %operand = stablehlo.constant dense<[0.5, 1.5, -0.5]> : tensor<3xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 1.0:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 1.0:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[2, 2, 0]> : tensor<3xi8>
  func.return
}

// -----

func.func @uniform_quantize_op_clamps() {
  %operand = stablehlo.constant dense<[1000.0, -1000.0, 0x7F800000, 0xFF800000, 63.5, -64.0]> : tensor<6xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<6x!quant.uniform<i8:f32, 0.5>>) -> tensor<6xi8>
  check.expect_eq_const %stored, dense<[127, -128, 127, -128, 127, -128]> : tensor<6xi8>
  func.return
}

// -----

func.func @uniform_quantize_op_clamps_to_storage_min_and_max() {
  %operand = stablehlo.constant dense<[100.0, -100.0, 6.0]> : tensor<3xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8<-8:7>:f32, 1.0>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8<-8:7>:f32, 1.0>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[7, -8, 6]> : tensor<3xi8>
  func.return
}

// -----

// As an integer NaN is 0.
func.func @uniform_quantize_op_nan() {
  %operand = stablehlo.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 1.0:5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 1.0:5>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[0, 6]> : tensor<2xi8>
  func.return
}

// -----

func.func @uniform_quantize_op_ui8() {
  %operand = stablehlo.constant dense<[0.0, 10.0, 200.0, -64.0, -65.0]> : tensor<5xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<5xf32>) -> tensor<5x!quant.uniform<u8:f32, 0.5:128>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<5xui8>
  check.expect_eq_const %stored, dense<[128, 148, 255, 0, 0]> : tensor<5xui8>
  func.return
}

// -----

func.func @uniform_quantize_op_i4() {
  %operand = stablehlo.constant dense<[0.0, 0.5, 3.0, -5.0, -1.0]> : tensor<5xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<5xf32>) -> tensor<5x!quant.uniform<i4:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<5x!quant.uniform<i4:f32, 0.5:1>>) -> tensor<5xi4>
  check.expect_eq_const %stored, dense<[1, 2, 7, -8, -1]> : tensor<5xi4>
  func.return
}

// -----

// 2147483648, the float next to storage_max, does not fit.
func.func @uniform_quantize_op_i32_saturates() {
  %operand = stablehlo.constant dense<[1.0e20, -1.0e20, 2147483520.0, 3.0]> : tensor<4xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4x!quant.uniform<i32:f32, 1.0>>
  %stored = stablehlo.bitcast_convert %result : (tensor<4x!quant.uniform<i32:f32, 1.0>>) -> tensor<4xi32>
  check.expect_eq_const %stored, dense<[2147483647, -2147483648, 2147483520, 3]> : tensor<4xi32>
  func.return
}

// -----

// 1.0 / 0.1 in bf16: 0.1 is 0.10009765625, the quotient 9.99 is 10 after rounding to 8 bits.
func.func @uniform_quantize_op_bf16() {
  %operand = stablehlo.constant dense<[1.0, -2.0, 500.0]> : tensor<3xbf16>
  %result = stablehlo.uniform_quantize %operand : (tensor<3xbf16>) -> tensor<3x!quant.uniform<i8:bf16, 0.1:3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:bf16, 0.1:3>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[13, -17, 127]> : tensor<3xi8>
  func.return
}

// -----

// 3 / 0.3: exactly 10 in f64, whose 0.3 is a little less, so that the quotient is 10 after rounding.
func.func @uniform_quantize_op_f64() {
  %operand = stablehlo.constant dense<[3.0, -0.75]> : tensor<2xf64>
  %result = stablehlo.uniform_quantize %operand : (tensor<2xf64>) -> tensor<2x!quant.uniform<i16:f64, 0.3:-300>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i16:f64, 0.3:-300>>) -> tensor<2xi16>
  check.expect_eq_const %stored, dense<[-290, -302]> : tensor<2xi16>
  func.return
}

// -----

func.func @uniform_quantize_op_rank_0() {
  %operand = stablehlo.constant dense<1.5> : tensor<f16>
  %result = stablehlo.uniform_quantize %operand : (tensor<f16>) -> tensor<!quant.uniform<i8:f16, 0.25:-1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<!quant.uniform<i8:f16, 0.25:-1>>) -> tensor<i8>
  check.expect_eq_const %stored, dense<5> : tensor<i8>
  func.return
}

// -----

func.func @uniform_quantize_op_without_elements() {
  %operand = stablehlo.constant dense<> : tensor<0x3xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<0x3xf32>) -> tensor<0x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<0x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0}>>) -> tensor<0x3xi8>
  check.expect_eq_const %stored, dense<> : tensor<0x3xi8>
  func.return
}

// -----

// Columns have scales of their own.
func.func @uniform_quantize_op_along_the_last_axis() {
  %operand = stablehlo.constant dense<[[1.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-1}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-1}>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[3, 3], [5, 11]]> : tensor<2x2xi8>
  func.return
}

// -----

// From one scale for all to a scale for each row.
func.func @uniform_quantize_op_requantizes_from_per_tensor_to_per_axis() {
  %operand = stablehlo.constant() <{value = dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 1.0:2>>
  %result = stablehlo.uniform_quantize %operand : (tensor<2x2x!quant.uniform<i8:f32, 1.0:2>>) -> tensor<2x2x!quant.uniform<i16:f32:0, {0.5, 0.25:1}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x2x!quant.uniform<i16:f32:0, {0.5, 0.25:1}>>) -> tensor<2x2xi16>
  check.expect_eq_const %stored, dense<[[0, 4], [17, 25]]> : tensor<2x2xi16>
  func.return
}

// -----

// NaN becomes 0, or the nearest stored value.
func.func @uniform_quantize_op_nan_outside_of_the_bounds() {
  %operand = stablehlo.constant dense<[0x7FC00000, 7.0]> : tensor<2xf32>
  %result = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<5:100>:f32, 1.0:5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8<5:100>:f32, 1.0:5>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[5, 12]> : tensor<2xi8>
  func.return
}
