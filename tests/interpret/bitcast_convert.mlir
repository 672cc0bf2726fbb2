// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Little-endian.
func.func @bitcast_convert_op() {
  %operand = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<f64>
  %result = stablehlo.bitcast_convert %operand : (tensor<f64>) -> tensor<4xf16>
  check.expect_eq_const %result, dense<[0xCDEF, 0x89AB, 0x4567, 0x0123]> : tensor<4xf16>
  func.return
}

// -----

func.func @bitcast_convert_op_one_to_one() {
  %operand = stablehlo.constant dense<[1.0, -0.0, 0x7FC00000]> : tensor<3xf32>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %result, dense<[1065353216, 2147483648, 2143289344]> : tensor<3xui32>
  func.return
}

// -----

func.func @bitcast_convert_op_one_to_one_signed() {
  %operand = stablehlo.constant dense<[255, 128]> : tensor<2xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xui8>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[-1, -128]> : tensor<2xi8>
  func.return
}

// -----

func.func @bitcast_convert_op_one_to_one_i4() {
  %operand = stablehlo.constant dense<[-1, -8, 7]> : tensor<3xi4>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xi4>) -> tensor<3xui4>
  check.expect_eq_const %result, dense<[15, 8, 7]> : tensor<3xui4>
  func.return
}

// -----

func.func @bitcast_convert_op_one_to_one_i2() {
  %operand = stablehlo.constant dense<[-1, -2, 1]> : tensor<3xi2>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xi2>) -> tensor<3xui2>
  check.expect_eq_const %result, dense<[3, 2, 1]> : tensor<3xui2>
  func.return
}

// -----

func.func @bitcast_convert_op_one_to_one_f8() {
  %operand = stablehlo.constant dense<[56, 128, 127]> : tensor<3xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xui8>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.0, -0.0, 0x7F]> : tensor<3xf8E4M3FN>
  func.return
}

// -----

func.func @bitcast_convert_op_one_to_one_f4() {
  %operand = stablehlo.constant dense<[0, 2, 8, 15]> : tensor<4xui4>
  %result = stablehlo.bitcast_convert %operand : (tensor<4xui4>) -> tensor<4xf4E2M1FN>
  check.expect_eq_const %result, dense<[0.0, 1.0, -0.0, -6.0]> : tensor<4xf4E2M1FN>
  func.return
}

// -----

func.func @bitcast_convert_op_one_to_many() {
  %operand = stablehlo.constant dense<[16909060, -1]> : tensor<2xi32>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xi32>) -> tensor<2x4xi8>
  check.expect_eq_const %result, dense<[[4, 3, 2, 1], [-1, -1, -1, -1]]> : tensor<2x4xi8>
  func.return
}

// -----

func.func @bitcast_convert_op_many_to_one() {
  %operand = stablehlo.constant dense<[[1, 2], [-1, 0]]> : tensor<2x2xi16>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x2xi16>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[131073, 65535]> : tensor<2xi32>
  func.return
}

// -----

func.func @bitcast_convert_op_many_to_one_f16_to_f64() {
  %operand = stablehlo.constant dense<[0xCDEF, 0x89AB, 0x4567, 0x0123]> : tensor<4xf16>
  %result = stablehlo.bitcast_convert %operand : (tensor<4xf16>) -> tensor<f64>
  check.expect_eq_const %result, dense<0x0123456789ABCDEF> : tensor<f64>
  func.return
}

// -----

func.func @bitcast_convert_op_bytes_to_bf16() {
  %operand = stablehlo.constant dense<[[128, 63], [0, 192]]> : tensor<2x2xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x2xui8>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[1.0, -2.0]> : tensor<2xbf16>
  func.return
}

// -----

// The first element has the low bits.
func.func @bitcast_convert_op_i8_to_i4() {
  %operand = stablehlo.constant dense<[33, -1]> : tensor<2xi8>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xi8>) -> tensor<2x2xi4>
  check.expect_eq_const %result, dense<[[1, 2], [-1, -1]]> : tensor<2x2xi4>
  func.return
}

// -----

func.func @bitcast_convert_op_i4_to_i8() {
  %operand = stablehlo.constant dense<[[1, 2], [-8, 7]]> : tensor<2x2xi4>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x2xi4>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[33, 120]> : tensor<2xi8>
  func.return
}

// -----

func.func @bitcast_convert_op_i2_to_ui8() {
  %operand = stablehlo.constant dense<[1, -2, -1, 0]> : tensor<4xi2>
  %result = stablehlo.bitcast_convert %operand : (tensor<4xi2>) -> tensor<ui8>
  check.expect_eq_const %result, dense<57> : tensor<ui8>
  func.return
}

// -----

func.func @bitcast_convert_op_ui8_to_ui2() {
  %operand = stablehlo.constant dense<[228]> : tensor<1xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<1xui8>) -> tensor<1x4xui2>
  check.expect_eq_const %result, dense<[[0, 1, 2, 3]]> : tensor<1x4xui2>
  func.return
}

// -----

func.func @bitcast_convert_op_f4_to_f32() {
  %operand = stablehlo.constant dense<[0.0, 0.0, 0.0, 0.0, 0.0, -0.0, 6.0, 1.5]> : tensor<8xf4E2M1FN>
  %result = stablehlo.bitcast_convert %operand : (tensor<8xf4E2M1FN>) -> tensor<f32>
  check.expect_eq_const %result, dense<0x37800000> : tensor<f32>
  func.return
}

// -----

func.func @bitcast_convert_op_i64_to_f8() {
  %operand = stablehlo.constant dense<4123389851770370361> : tensor<i64>
  %result = stablehlo.bitcast_convert %operand : (tensor<i64>) -> tensor<8xf8E5M2>
  check.expect_eq_const %result, dense<[0.625, 0.625, 0.625, 0.625, 0.625, 0.625, 0.625, 0.625]> : tensor<8xf8E5M2>
  func.return
}

// -----

// The real part has the low bits.
func.func @bitcast_convert_op_complex() {
  %operand = stablehlo.constant dense<[[(0.0, 1.875), (0.0, 0.0)], [(0.0, -2.0), (0.0, 2.0)]]> : tensor<2x2xcomplex<f32>>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x2xcomplex<f32>>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (-2.0, 2.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

func.func @bitcast_convert_op_complex_one_to_many() {
  %operand = stablehlo.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f64>>
  %result = stablehlo.bitcast_convert %operand : (tensor<1xcomplex<f64>>) -> tensor<1x2xcomplex<f32>>
  check.expect_eq_const %result, dense<[[(0.0, 1.875), (0.0, -2.0)]]> : tensor<1x2xcomplex<f32>>
  func.return
}

// -----

func.func @bitcast_convert_op_empty() {
  %operand = stablehlo.constant dense<> : tensor<0xi32>
  %result = stablehlo.bitcast_convert %operand : (tensor<0xi32>) -> tensor<0x4xi8>
  check.expect_eq_const %result, dense<> : tensor<0x4xi8>
  func.return
}
