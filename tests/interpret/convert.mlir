// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @convert_op() {
  %operand = stablehlo.constant dense<[-1, 0, 1]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]> : tensor<3xcomplex<f64>>
  func.return
}

// -----

// f8E8M0FNU has no zero.
func.func @convert_op_from_i1() {
  %i1_to_i2_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_i2 = stablehlo.convert %i1_to_i2_operand : (tensor<2xi1>) -> tensor<2xi2>
  check.expect_eq_const %i1_to_i2, dense<[1, 0]> : tensor<2xi2>
  %i1_to_i4_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_i4 = stablehlo.convert %i1_to_i4_operand : (tensor<2xi1>) -> tensor<2xi4>
  check.expect_eq_const %i1_to_i4, dense<[1, 0]> : tensor<2xi4>
  %i1_to_i8_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_i8 = stablehlo.convert %i1_to_i8_operand : (tensor<2xi1>) -> tensor<2xi8>
  check.expect_eq_const %i1_to_i8, dense<[1, 0]> : tensor<2xi8>
  %i1_to_i16_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_i16 = stablehlo.convert %i1_to_i16_operand : (tensor<2xi1>) -> tensor<2xi16>
  check.expect_eq_const %i1_to_i16, dense<[1, 0]> : tensor<2xi16>
  %i1_to_i32_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_i32 = stablehlo.convert %i1_to_i32_operand : (tensor<2xi1>) -> tensor<2xi32>
  check.expect_eq_const %i1_to_i32, dense<[1, 0]> : tensor<2xi32>
  %i1_to_i64_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_i64 = stablehlo.convert %i1_to_i64_operand : (tensor<2xi1>) -> tensor<2xi64>
  check.expect_eq_const %i1_to_i64, dense<[1, 0]> : tensor<2xi64>
  %i1_to_ui2_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_ui2 = stablehlo.convert %i1_to_ui2_operand : (tensor<2xi1>) -> tensor<2xui2>
  check.expect_eq_const %i1_to_ui2, dense<[1, 0]> : tensor<2xui2>
  %i1_to_ui4_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_ui4 = stablehlo.convert %i1_to_ui4_operand : (tensor<2xi1>) -> tensor<2xui4>
  check.expect_eq_const %i1_to_ui4, dense<[1, 0]> : tensor<2xui4>
  %i1_to_ui8_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_ui8 = stablehlo.convert %i1_to_ui8_operand : (tensor<2xi1>) -> tensor<2xui8>
  check.expect_eq_const %i1_to_ui8, dense<[1, 0]> : tensor<2xui8>
  %i1_to_ui16_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_ui16 = stablehlo.convert %i1_to_ui16_operand : (tensor<2xi1>) -> tensor<2xui16>
  check.expect_eq_const %i1_to_ui16, dense<[1, 0]> : tensor<2xui16>
  %i1_to_ui32_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_ui32 = stablehlo.convert %i1_to_ui32_operand : (tensor<2xi1>) -> tensor<2xui32>
  check.expect_eq_const %i1_to_ui32, dense<[1, 0]> : tensor<2xui32>
  %i1_to_ui64_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_ui64 = stablehlo.convert %i1_to_ui64_operand : (tensor<2xi1>) -> tensor<2xui64>
  check.expect_eq_const %i1_to_ui64, dense<[1, 0]> : tensor<2xui64>
  %i1_to_f4E2M1FN_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f4E2M1FN = stablehlo.convert %i1_to_f4E2M1FN_operand : (tensor<2xi1>) -> tensor<2xf4E2M1FN>
  check.expect_eq_const %i1_to_f4E2M1FN, dense<[1.0, 0.0]> : tensor<2xf4E2M1FN>
  %i1_to_f6E2M3FN_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f6E2M3FN = stablehlo.convert %i1_to_f6E2M3FN_operand : (tensor<2xi1>) -> tensor<2xf6E2M3FN>
  check.expect_eq_const %i1_to_f6E2M3FN, dense<[1.0, 0.0]> : tensor<2xf6E2M3FN>
  %i1_to_f6E3M2FN_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f6E3M2FN = stablehlo.convert %i1_to_f6E3M2FN_operand : (tensor<2xi1>) -> tensor<2xf6E3M2FN>
  check.expect_eq_const %i1_to_f6E3M2FN, dense<[1.0, 0.0]> : tensor<2xf6E3M2FN>
  %i1_to_f8E3M4_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f8E3M4 = stablehlo.convert %i1_to_f8E3M4_operand : (tensor<2xi1>) -> tensor<2xf8E3M4>
  check.expect_eq_const %i1_to_f8E3M4, dense<[1.0, 0.0]> : tensor<2xf8E3M4>
  %i1_to_f8E4M3_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f8E4M3 = stablehlo.convert %i1_to_f8E4M3_operand : (tensor<2xi1>) -> tensor<2xf8E4M3>
  check.expect_eq_const %i1_to_f8E4M3, dense<[1.0, 0.0]> : tensor<2xf8E4M3>
  %i1_to_f8E4M3B11FNUZ_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f8E4M3B11FNUZ = stablehlo.convert %i1_to_f8E4M3B11FNUZ_operand : (tensor<2xi1>) -> tensor<2xf8E4M3B11FNUZ>
  check.expect_eq_const %i1_to_f8E4M3B11FNUZ, dense<[1.0, 0.0]> : tensor<2xf8E4M3B11FNUZ>
  %i1_to_f8E4M3FN_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f8E4M3FN = stablehlo.convert %i1_to_f8E4M3FN_operand : (tensor<2xi1>) -> tensor<2xf8E4M3FN>
  check.expect_eq_const %i1_to_f8E4M3FN, dense<[1.0, 0.0]> : tensor<2xf8E4M3FN>
  %i1_to_f8E4M3FNUZ_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f8E4M3FNUZ = stablehlo.convert %i1_to_f8E4M3FNUZ_operand : (tensor<2xi1>) -> tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %i1_to_f8E4M3FNUZ, dense<[1.0, 0.0]> : tensor<2xf8E4M3FNUZ>
  %i1_to_f8E5M2_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f8E5M2 = stablehlo.convert %i1_to_f8E5M2_operand : (tensor<2xi1>) -> tensor<2xf8E5M2>
  check.expect_eq_const %i1_to_f8E5M2, dense<[1.0, 0.0]> : tensor<2xf8E5M2>
  %i1_to_f8E5M2FNUZ_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f8E5M2FNUZ = stablehlo.convert %i1_to_f8E5M2FNUZ_operand : (tensor<2xi1>) -> tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %i1_to_f8E5M2FNUZ, dense<[1.0, 0.0]> : tensor<2xf8E5M2FNUZ>
  %i1_to_f8E8M0FNU_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f8E8M0FNU = stablehlo.convert %i1_to_f8E8M0FNU_operand : (tensor<2xi1>) -> tensor<2xf8E8M0FNU>
  check.expect_eq_const %i1_to_f8E8M0FNU, dense<[1.0, 0xFF]> : tensor<2xf8E8M0FNU>
  %i1_to_bf16_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_bf16 = stablehlo.convert %i1_to_bf16_operand : (tensor<2xi1>) -> tensor<2xbf16>
  check.expect_eq_const %i1_to_bf16, dense<[1.0, 0.0]> : tensor<2xbf16>
  %i1_to_f16_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f16 = stablehlo.convert %i1_to_f16_operand : (tensor<2xi1>) -> tensor<2xf16>
  check.expect_eq_const %i1_to_f16, dense<[1.0, 0.0]> : tensor<2xf16>
  %i1_to_f32_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f32 = stablehlo.convert %i1_to_f32_operand : (tensor<2xi1>) -> tensor<2xf32>
  check.expect_eq_const %i1_to_f32, dense<[1.0, 0.0]> : tensor<2xf32>
  %i1_to_f64_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_f64 = stablehlo.convert %i1_to_f64_operand : (tensor<2xi1>) -> tensor<2xf64>
  check.expect_eq_const %i1_to_f64, dense<[1.0, 0.0]> : tensor<2xf64>
  %i1_to_complex_f32_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_complex_f32 = stablehlo.convert %i1_to_complex_f32_operand : (tensor<2xi1>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %i1_to_complex_f32, dense<[(1.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  %i1_to_complex_f64_operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i1_to_complex_f64 = stablehlo.convert %i1_to_complex_f64_operand : (tensor<2xi1>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %i1_to_complex_f64, dense<[(1.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// NaN is not zero. Of a complex number, the imaginary part does not count.
func.func @convert_op_to_i1() {
  %i2_to_i1_operand = stablehlo.constant dense<[0, 1, -2]> : tensor<3xi2>
  %i2_to_i1 = stablehlo.convert %i2_to_i1_operand : (tensor<3xi2>) -> tensor<3xi1>
  check.expect_eq_const %i2_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %i4_to_i1_operand = stablehlo.constant dense<[0, 1, -2]> : tensor<3xi4>
  %i4_to_i1 = stablehlo.convert %i4_to_i1_operand : (tensor<3xi4>) -> tensor<3xi1>
  check.expect_eq_const %i4_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %i8_to_i1_operand = stablehlo.constant dense<[0, 1, -2]> : tensor<3xi8>
  %i8_to_i1 = stablehlo.convert %i8_to_i1_operand : (tensor<3xi8>) -> tensor<3xi1>
  check.expect_eq_const %i8_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %i16_to_i1_operand = stablehlo.constant dense<[0, 1, -2]> : tensor<3xi16>
  %i16_to_i1 = stablehlo.convert %i16_to_i1_operand : (tensor<3xi16>) -> tensor<3xi1>
  check.expect_eq_const %i16_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %i32_to_i1_operand = stablehlo.constant dense<[0, 1, -2]> : tensor<3xi32>
  %i32_to_i1 = stablehlo.convert %i32_to_i1_operand : (tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %i32_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %i64_to_i1_operand = stablehlo.constant dense<[0, 1, -2]> : tensor<3xi64>
  %i64_to_i1 = stablehlo.convert %i64_to_i1_operand : (tensor<3xi64>) -> tensor<3xi1>
  check.expect_eq_const %i64_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %ui2_to_i1_operand = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui2>
  %ui2_to_i1 = stablehlo.convert %ui2_to_i1_operand : (tensor<3xui2>) -> tensor<3xi1>
  check.expect_eq_const %ui2_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %ui4_to_i1_operand = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui4>
  %ui4_to_i1 = stablehlo.convert %ui4_to_i1_operand : (tensor<3xui4>) -> tensor<3xi1>
  check.expect_eq_const %ui4_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %ui8_to_i1_operand = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui8>
  %ui8_to_i1 = stablehlo.convert %ui8_to_i1_operand : (tensor<3xui8>) -> tensor<3xi1>
  check.expect_eq_const %ui8_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %ui16_to_i1_operand = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui16>
  %ui16_to_i1 = stablehlo.convert %ui16_to_i1_operand : (tensor<3xui16>) -> tensor<3xi1>
  check.expect_eq_const %ui16_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %ui32_to_i1_operand = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui32>
  %ui32_to_i1 = stablehlo.convert %ui32_to_i1_operand : (tensor<3xui32>) -> tensor<3xi1>
  check.expect_eq_const %ui32_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %ui64_to_i1_operand = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui64>
  %ui64_to_i1 = stablehlo.convert %ui64_to_i1_operand : (tensor<3xui64>) -> tensor<3xi1>
  check.expect_eq_const %ui64_to_i1, dense<[false, true, true]> : tensor<3xi1>
  %f64_to_i1_operand = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7FF8000000000000]> : tensor<4xf64>
  %f64_to_i1 = stablehlo.convert %f64_to_i1_operand : (tensor<4xf64>) -> tensor<4xi1>
  check.expect_eq_const %f64_to_i1, dense<[false, false, true, true]> : tensor<4xi1>
  %f32_to_i1_operand = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7FC00000]> : tensor<4xf32>
  %f32_to_i1 = stablehlo.convert %f32_to_i1_operand : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %f32_to_i1, dense<[false, false, true, true]> : tensor<4xi1>
  %f16_to_i1_operand = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7E00]> : tensor<4xf16>
  %f16_to_i1 = stablehlo.convert %f16_to_i1_operand : (tensor<4xf16>) -> tensor<4xi1>
  check.expect_eq_const %f16_to_i1, dense<[false, false, true, true]> : tensor<4xi1>
  %bf16_to_i1_operand = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7FC0]> : tensor<4xbf16>
  %bf16_to_i1 = stablehlo.convert %bf16_to_i1_operand : (tensor<4xbf16>) -> tensor<4xi1>
  check.expect_eq_const %bf16_to_i1, dense<[false, false, true, true]> : tensor<4xi1>
  %f8E5M2_to_i1_operand = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7E]> : tensor<4xf8E5M2>
  %f8E5M2_to_i1 = stablehlo.convert %f8E5M2_to_i1_operand : (tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %f8E5M2_to_i1, dense<[false, false, true, true]> : tensor<4xi1>
  %complex_f32_to_i1_operand = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %complex_f32_to_i1 = stablehlo.convert %complex_f32_to_i1_operand : (tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %complex_f32_to_i1, dense<[false, true, false]> : tensor<3xi1>
  func.return
}

// -----

// The low bits are kept.
func.func @convert_op_i64_to_integers() {
  %i64_to_i2_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_i2 = stablehlo.convert %i64_to_i2_operand : (tensor<5xi64>) -> tensor<5xi2>
  check.expect_eq_const %i64_to_i2, dense<[0, -1, -1, 0, 1]> : tensor<5xi2>
  %i64_to_i4_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_i4 = stablehlo.convert %i64_to_i4_operand : (tensor<5xi64>) -> tensor<5xi4>
  check.expect_eq_const %i64_to_i4, dense<[0, -1, -1, -4, 1]> : tensor<5xi4>
  %i64_to_i8_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_i8 = stablehlo.convert %i64_to_i8_operand : (tensor<5xi64>) -> tensor<5xi8>
  check.expect_eq_const %i64_to_i8, dense<[0, 127, -1, 44, 1]> : tensor<5xi8>
  %i64_to_i16_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_i16 = stablehlo.convert %i64_to_i16_operand : (tensor<5xi64>) -> tensor<5xi16>
  check.expect_eq_const %i64_to_i16, dense<[0, -129, -1, 300, 1]> : tensor<5xi16>
  %i64_to_i32_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_i32 = stablehlo.convert %i64_to_i32_operand : (tensor<5xi64>) -> tensor<5xi32>
  check.expect_eq_const %i64_to_i32, dense<[0, -129, -1, 300, 1]> : tensor<5xi32>
  %i64_to_ui2_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_ui2 = stablehlo.convert %i64_to_ui2_operand : (tensor<5xi64>) -> tensor<5xui2>
  check.expect_eq_const %i64_to_ui2, dense<[0, 3, 3, 0, 1]> : tensor<5xui2>
  %i64_to_ui4_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_ui4 = stablehlo.convert %i64_to_ui4_operand : (tensor<5xi64>) -> tensor<5xui4>
  check.expect_eq_const %i64_to_ui4, dense<[0, 15, 15, 12, 1]> : tensor<5xui4>
  %i64_to_ui8_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_ui8 = stablehlo.convert %i64_to_ui8_operand : (tensor<5xi64>) -> tensor<5xui8>
  check.expect_eq_const %i64_to_ui8, dense<[0, 127, 255, 44, 1]> : tensor<5xui8>
  %i64_to_ui16_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_ui16 = stablehlo.convert %i64_to_ui16_operand : (tensor<5xi64>) -> tensor<5xui16>
  check.expect_eq_const %i64_to_ui16, dense<[0, 65407, 65535, 300, 1]> : tensor<5xui16>
  %i64_to_ui32_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_ui32 = stablehlo.convert %i64_to_ui32_operand : (tensor<5xi64>) -> tensor<5xui32>
  check.expect_eq_const %i64_to_ui32, dense<[0, 4294967167, 4294967295, 300, 1]> : tensor<5xui32>
  %i64_to_ui64_operand = stablehlo.constant dense<[-9223372036854775808, -129, -1, 300, 4294967297]> : tensor<5xi64>
  %i64_to_ui64 = stablehlo.convert %i64_to_ui64_operand : (tensor<5xi64>) -> tensor<5xui64>
  check.expect_eq_const %i64_to_ui64, dense<[9223372036854775808, 18446744073709551487, 18446744073709551615, 300, 4294967297]> : tensor<5xui64>
  func.return
}

// -----

func.func @convert_op_narrow_integers() {
  %i2_to_i64_operand = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %i2_to_i64 = stablehlo.convert %i2_to_i64_operand : (tensor<2xi2>) -> tensor<2xi64>
  check.expect_eq_const %i2_to_i64, dense<[-2, 1]> : tensor<2xi64>
  %i2_to_ui8_operand = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %i2_to_ui8 = stablehlo.convert %i2_to_ui8_operand : (tensor<2xi2>) -> tensor<2xui8>
  check.expect_eq_const %i2_to_ui8, dense<[254, 1]> : tensor<2xui8>
  %i2_to_i4_operand = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %i2_to_i4 = stablehlo.convert %i2_to_i4_operand : (tensor<2xi2>) -> tensor<2xi4>
  check.expect_eq_const %i2_to_i4, dense<[-2, 1]> : tensor<2xi4>
  %i2_to_f32_operand = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %i2_to_f32 = stablehlo.convert %i2_to_f32_operand : (tensor<2xi2>) -> tensor<2xf32>
  check.expect_eq_const %i2_to_f32, dense<[-2.0, 1.0]> : tensor<2xf32>
  %i4_to_i64_operand = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %i4_to_i64 = stablehlo.convert %i4_to_i64_operand : (tensor<2xi4>) -> tensor<2xi64>
  check.expect_eq_const %i4_to_i64, dense<[-8, 7]> : tensor<2xi64>
  %i4_to_ui8_operand = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %i4_to_ui8 = stablehlo.convert %i4_to_ui8_operand : (tensor<2xi4>) -> tensor<2xui8>
  check.expect_eq_const %i4_to_ui8, dense<[248, 7]> : tensor<2xui8>
  %i4_to_f32_operand = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %i4_to_f32 = stablehlo.convert %i4_to_f32_operand : (tensor<2xi4>) -> tensor<2xf32>
  check.expect_eq_const %i4_to_f32, dense<[-8.0, 7.0]> : tensor<2xf32>
  %i8_to_i64_operand = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %i8_to_i64 = stablehlo.convert %i8_to_i64_operand : (tensor<2xi8>) -> tensor<2xi64>
  check.expect_eq_const %i8_to_i64, dense<[-128, 127]> : tensor<2xi64>
  %i8_to_ui8_operand = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %i8_to_ui8 = stablehlo.convert %i8_to_ui8_operand : (tensor<2xi8>) -> tensor<2xui8>
  check.expect_eq_const %i8_to_ui8, dense<[128, 127]> : tensor<2xui8>
  %i8_to_i4_operand = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %i8_to_i4 = stablehlo.convert %i8_to_i4_operand : (tensor<2xi8>) -> tensor<2xi4>
  check.expect_eq_const %i8_to_i4, dense<[0, -1]> : tensor<2xi4>
  %i8_to_f32_operand = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %i8_to_f32 = stablehlo.convert %i8_to_f32_operand : (tensor<2xi8>) -> tensor<2xf32>
  check.expect_eq_const %i8_to_f32, dense<[-128.0, 127.0]> : tensor<2xf32>
  %ui2_to_i64_operand = stablehlo.constant dense<[3, 1]> : tensor<2xui2>
  %ui2_to_i64 = stablehlo.convert %ui2_to_i64_operand : (tensor<2xui2>) -> tensor<2xi64>
  check.expect_eq_const %ui2_to_i64, dense<[3, 1]> : tensor<2xi64>
  %ui2_to_ui8_operand = stablehlo.constant dense<[3, 1]> : tensor<2xui2>
  %ui2_to_ui8 = stablehlo.convert %ui2_to_ui8_operand : (tensor<2xui2>) -> tensor<2xui8>
  check.expect_eq_const %ui2_to_ui8, dense<[3, 1]> : tensor<2xui8>
  %ui2_to_i4_operand = stablehlo.constant dense<[3, 1]> : tensor<2xui2>
  %ui2_to_i4 = stablehlo.convert %ui2_to_i4_operand : (tensor<2xui2>) -> tensor<2xi4>
  check.expect_eq_const %ui2_to_i4, dense<[3, 1]> : tensor<2xi4>
  %ui2_to_f32_operand = stablehlo.constant dense<[3, 1]> : tensor<2xui2>
  %ui2_to_f32 = stablehlo.convert %ui2_to_f32_operand : (tensor<2xui2>) -> tensor<2xf32>
  check.expect_eq_const %ui2_to_f32, dense<[3.0, 1.0]> : tensor<2xf32>
  %ui4_to_i64_operand = stablehlo.constant dense<[15, 1]> : tensor<2xui4>
  %ui4_to_i64 = stablehlo.convert %ui4_to_i64_operand : (tensor<2xui4>) -> tensor<2xi64>
  check.expect_eq_const %ui4_to_i64, dense<[15, 1]> : tensor<2xi64>
  %ui4_to_ui8_operand = stablehlo.constant dense<[15, 1]> : tensor<2xui4>
  %ui4_to_ui8 = stablehlo.convert %ui4_to_ui8_operand : (tensor<2xui4>) -> tensor<2xui8>
  check.expect_eq_const %ui4_to_ui8, dense<[15, 1]> : tensor<2xui8>
  %ui4_to_i4_operand = stablehlo.constant dense<[15, 1]> : tensor<2xui4>
  %ui4_to_i4 = stablehlo.convert %ui4_to_i4_operand : (tensor<2xui4>) -> tensor<2xi4>
  check.expect_eq_const %ui4_to_i4, dense<[-1, 1]> : tensor<2xi4>
  %ui4_to_f32_operand = stablehlo.constant dense<[15, 1]> : tensor<2xui4>
  %ui4_to_f32 = stablehlo.convert %ui4_to_f32_operand : (tensor<2xui4>) -> tensor<2xf32>
  check.expect_eq_const %ui4_to_f32, dense<[15.0, 1.0]> : tensor<2xf32>
  %ui32_to_i64_operand = stablehlo.constant dense<[4294967295, 1]> : tensor<2xui32>
  %ui32_to_i64 = stablehlo.convert %ui32_to_i64_operand : (tensor<2xui32>) -> tensor<2xi64>
  check.expect_eq_const %ui32_to_i64, dense<[4294967295, 1]> : tensor<2xi64>
  %ui32_to_ui8_operand = stablehlo.constant dense<[4294967295, 1]> : tensor<2xui32>
  %ui32_to_ui8 = stablehlo.convert %ui32_to_ui8_operand : (tensor<2xui32>) -> tensor<2xui8>
  check.expect_eq_const %ui32_to_ui8, dense<[255, 1]> : tensor<2xui8>
  %ui32_to_i4_operand = stablehlo.constant dense<[4294967295, 1]> : tensor<2xui32>
  %ui32_to_i4 = stablehlo.convert %ui32_to_i4_operand : (tensor<2xui32>) -> tensor<2xi4>
  check.expect_eq_const %ui32_to_i4, dense<[-1, 1]> : tensor<2xi4>
  %ui32_to_f32_operand = stablehlo.constant dense<[4294967295, 1]> : tensor<2xui32>
  %ui32_to_f32 = stablehlo.convert %ui32_to_f32_operand : (tensor<2xui32>) -> tensor<2xf32>
  check.expect_eq_const %ui32_to_f32, dense<[4.2949673e+09, 1.0]> : tensor<2xf32>
  func.return
}

// -----

// Rounded to nearest, ties to even.
func.func @convert_op_i64_to_floats() {
  %i64_to_f64_operand = stablehlo.constant dense<[16777217, 16777219, -16777217, 9007199254740993, 9223372036854775807]> : tensor<5xi64>
  %i64_to_f64 = stablehlo.convert %i64_to_f64_operand : (tensor<5xi64>) -> tensor<5xf64>
  check.expect_eq_const %i64_to_f64, dense<[16777217.0, 16777219.0, -16777217.0, 9007199254740992.0, 9.223372036854776e+18]> : tensor<5xf64>
  %i64_to_f32_operand = stablehlo.constant dense<[16777217, 16777219, -16777217, 9007199254740993, 9223372036854775807]> : tensor<5xi64>
  %i64_to_f32 = stablehlo.convert %i64_to_f32_operand : (tensor<5xi64>) -> tensor<5xf32>
  check.expect_eq_const %i64_to_f32, dense<[1.6777216e+07, 1.677722e+07, -1.6777216e+07, 9.007199e+15, 9.223372e+18]> : tensor<5xf32>
  %i64_to_bf16_operand = stablehlo.constant dense<[16777217, 16777219, -16777217, 9007199254740993, 9223372036854775807]> : tensor<5xi64>
  %i64_to_bf16 = stablehlo.convert %i64_to_bf16_operand : (tensor<5xi64>) -> tensor<5xbf16>
  check.expect_eq_const %i64_to_bf16, dense<[16777216.0, 16777216.0, -16777216.0, 9007199254740992.0, 9.223372036854776e+18]> : tensor<5xbf16>
  %i64_to_f16_operand = stablehlo.constant dense<[16777217, 16777219, -16777217, 9007199254740993, 9223372036854775807]> : tensor<5xi64>
  %i64_to_f16 = stablehlo.convert %i64_to_f16_operand : (tensor<5xi64>) -> tensor<5xf16>
  check.expect_eq_const %i64_to_f16, dense<[0x7C00, 0x7C00, 0xFC00, 0x7C00, 0x7C00]> : tensor<5xf16>
  %i64_to_f8E5M2_operand = stablehlo.constant dense<[16777217, 16777219, -16777217, 9007199254740993, 9223372036854775807]> : tensor<5xi64>
  %i64_to_f8E5M2 = stablehlo.convert %i64_to_f8E5M2_operand : (tensor<5xi64>) -> tensor<5xf8E5M2>
  check.expect_eq_const %i64_to_f8E5M2, dense<[0x7C, 0x7C, 0xFC, 0x7C, 0x7C]> : tensor<5xf8E5M2>
  %i64_to_f8E4M3FN_operand = stablehlo.constant dense<[16777217, 16777219, -16777217, 9007199254740993, 9223372036854775807]> : tensor<5xi64>
  %i64_to_f8E4M3FN = stablehlo.convert %i64_to_f8E4M3FN_operand : (tensor<5xi64>) -> tensor<5xf8E4M3FN>
  check.expect_eq_const %i64_to_f8E4M3FN, dense<[0x7F, 0x7F, 0x7F, 0x7F, 0x7F]> : tensor<5xf8E4M3FN>
  %i64_to_f4E2M1FN_operand = stablehlo.constant dense<[16777217, 16777219, -16777217, 9007199254740993, 9223372036854775807]> : tensor<5xi64>
  %i64_to_f4E2M1FN = stablehlo.convert %i64_to_f4E2M1FN_operand : (tensor<5xi64>) -> tensor<5xf4E2M1FN>
  check.expect_eq_const %i64_to_f4E2M1FN, dense<[6.0, 6.0, -6.0, 6.0, 6.0]> : tensor<5xf4E2M1FN>
  func.return
}

// -----

// Halfway between two values, just above and just below: f64 and f32 do not hold the difference.
func.func @convert_op_i64_to_bf16_rounds_once() {
  %operand = stablehlo.constant dense<[18084767253659648, 18084767253659649, 18084767253659647]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xbf16>
  check.expect_eq_const %result, dense<[1.8014398509481984e+16, 1.815513599783731e+16, 1.8014398509481984e+16]> : tensor<3xbf16>
  func.return
}

// -----

func.func @convert_op_ui64_to_f32() {
  %operand = stablehlo.constant dense<[18446744073709551615, 9223372586610589697]> : tensor<2xui64>
  %result = stablehlo.convert %operand : (tensor<2xui64>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.8446744e+19, 9.223373e+18]> : tensor<2xf32>
  func.return
}

// -----

// Truncated, then the nearest integer of the type.
func.func @convert_op_f32_to_integers() {
  %f32_to_i2_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_i2 = stablehlo.convert %f32_to_i2_operand : (tensor<6xf32>) -> tensor<6xi2>
  check.expect_eq_const %f32_to_i2, dense<[0, 0, 1, -2, 1, -2]> : tensor<6xi2>
  %f32_to_i4_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_i4 = stablehlo.convert %f32_to_i4_operand : (tensor<6xf32>) -> tensor<6xi4>
  check.expect_eq_const %f32_to_i4, dense<[0, 0, 2, -2, 7, -8]> : tensor<6xi4>
  %f32_to_i8_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_i8 = stablehlo.convert %f32_to_i8_operand : (tensor<6xf32>) -> tensor<6xi8>
  check.expect_eq_const %f32_to_i8, dense<[0, 0, 2, -2, 127, -128]> : tensor<6xi8>
  %f32_to_i16_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_i16 = stablehlo.convert %f32_to_i16_operand : (tensor<6xf32>) -> tensor<6xi16>
  check.expect_eq_const %f32_to_i16, dense<[0, 0, 2, -2, 300, -300]> : tensor<6xi16>
  %f32_to_i32_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_i32 = stablehlo.convert %f32_to_i32_operand : (tensor<6xf32>) -> tensor<6xi32>
  check.expect_eq_const %f32_to_i32, dense<[0, 0, 2, -2, 300, -300]> : tensor<6xi32>
  %f32_to_i64_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_i64 = stablehlo.convert %f32_to_i64_operand : (tensor<6xf32>) -> tensor<6xi64>
  check.expect_eq_const %f32_to_i64, dense<[0, 0, 2, -2, 300, -300]> : tensor<6xi64>
  %f32_to_ui2_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_ui2 = stablehlo.convert %f32_to_ui2_operand : (tensor<6xf32>) -> tensor<6xui2>
  check.expect_eq_const %f32_to_ui2, dense<[0, 0, 2, 0, 3, 0]> : tensor<6xui2>
  %f32_to_ui4_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_ui4 = stablehlo.convert %f32_to_ui4_operand : (tensor<6xf32>) -> tensor<6xui4>
  check.expect_eq_const %f32_to_ui4, dense<[0, 0, 2, 0, 15, 0]> : tensor<6xui4>
  %f32_to_ui8_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_ui8 = stablehlo.convert %f32_to_ui8_operand : (tensor<6xf32>) -> tensor<6xui8>
  check.expect_eq_const %f32_to_ui8, dense<[0, 0, 2, 0, 255, 0]> : tensor<6xui8>
  %f32_to_ui16_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_ui16 = stablehlo.convert %f32_to_ui16_operand : (tensor<6xf32>) -> tensor<6xui16>
  check.expect_eq_const %f32_to_ui16, dense<[0, 0, 2, 0, 300, 0]> : tensor<6xui16>
  %f32_to_ui32_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_ui32 = stablehlo.convert %f32_to_ui32_operand : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %f32_to_ui32, dense<[0, 0, 2, 0, 300, 0]> : tensor<6xui32>
  %f32_to_ui64_operand = stablehlo.constant dense<[0.9, -0.9, 2.5, -2.5, 300.7, -300.7]> : tensor<6xf32>
  %f32_to_ui64 = stablehlo.convert %f32_to_ui64_operand : (tensor<6xf32>) -> tensor<6xui64>
  check.expect_eq_const %f32_to_ui64, dense<[0, 0, 2, 0, 300, 0]> : tensor<6xui64>
  func.return
}

// -----

// The nearest integer; NaN becomes 0. The spec leaves it open.
func.func @convert_op_f64_special_values_to_integers() {
  %f64_to_i2_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_i2 = stablehlo.convert %f64_to_i2_operand : (tensor<5xf64>) -> tensor<5xi2>
  check.expect_eq_const %f64_to_i2, dense<[1, -2, 0, 1, 0]> : tensor<5xi2>
  %f64_to_i4_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_i4 = stablehlo.convert %f64_to_i4_operand : (tensor<5xf64>) -> tensor<5xi4>
  check.expect_eq_const %f64_to_i4, dense<[7, -8, 0, 7, 0]> : tensor<5xi4>
  %f64_to_i8_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_i8 = stablehlo.convert %f64_to_i8_operand : (tensor<5xf64>) -> tensor<5xi8>
  check.expect_eq_const %f64_to_i8, dense<[127, -128, 0, 127, 0]> : tensor<5xi8>
  %f64_to_i16_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_i16 = stablehlo.convert %f64_to_i16_operand : (tensor<5xf64>) -> tensor<5xi16>
  check.expect_eq_const %f64_to_i16, dense<[32767, -32768, 0, 32767, 0]> : tensor<5xi16>
  %f64_to_i32_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_i32 = stablehlo.convert %f64_to_i32_operand : (tensor<5xf64>) -> tensor<5xi32>
  check.expect_eq_const %f64_to_i32, dense<[2147483647, -2147483648, 0, 2147483647, 0]> : tensor<5xi32>
  %f64_to_i64_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_i64 = stablehlo.convert %f64_to_i64_operand : (tensor<5xf64>) -> tensor<5xi64>
  check.expect_eq_const %f64_to_i64, dense<[9223372036854775807, -9223372036854775808, 0, 9223372036854775807, 0]> : tensor<5xi64>
  %f64_to_ui2_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_ui2 = stablehlo.convert %f64_to_ui2_operand : (tensor<5xf64>) -> tensor<5xui2>
  check.expect_eq_const %f64_to_ui2, dense<[3, 0, 0, 3, 0]> : tensor<5xui2>
  %f64_to_ui4_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_ui4 = stablehlo.convert %f64_to_ui4_operand : (tensor<5xf64>) -> tensor<5xui4>
  check.expect_eq_const %f64_to_ui4, dense<[15, 0, 0, 15, 0]> : tensor<5xui4>
  %f64_to_ui8_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_ui8 = stablehlo.convert %f64_to_ui8_operand : (tensor<5xf64>) -> tensor<5xui8>
  check.expect_eq_const %f64_to_ui8, dense<[255, 0, 0, 255, 0]> : tensor<5xui8>
  %f64_to_ui16_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_ui16 = stablehlo.convert %f64_to_ui16_operand : (tensor<5xf64>) -> tensor<5xui16>
  check.expect_eq_const %f64_to_ui16, dense<[65535, 0, 0, 65535, 0]> : tensor<5xui16>
  %f64_to_ui32_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_ui32 = stablehlo.convert %f64_to_ui32_operand : (tensor<5xf64>) -> tensor<5xui32>
  check.expect_eq_const %f64_to_ui32, dense<[4294967295, 0, 0, 4294967295, 0]> : tensor<5xui32>
  %f64_to_ui64_operand = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 1.0e300, -0.0]> : tensor<5xf64>
  %f64_to_ui64 = stablehlo.convert %f64_to_ui64_operand : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %f64_to_ui64, dense<[18446744073709551615, 0, 0, 18446744073709551615, 0]> : tensor<5xui64>
  func.return
}

// -----

func.func @convert_op_f32_to_i32_ends_of_the_range() {
  %operand = stablehlo.constant dense<[2147483520.0, 2147483648.0, -2147483648.0, -2147483904.0]> : tensor<4xf32>
  %result = stablehlo.convert %operand : (tensor<4xf32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[2147483520, 2147483647, -2147483648, -2147483648]> : tensor<4xi32>
  func.return
}

// -----

func.func @convert_op_f64_to_i64_ends_of_the_range() {
  %operand = stablehlo.constant dense<[9223372036854774784.0, 9223372036854775808.0, -9223372036854775808.0]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[9223372036854774784, 9223372036854775807, -9223372036854775808]> : tensor<3xi64>
  func.return
}

// -----

func.func @convert_op_f64_to_ui64_ends_of_the_range() {
  %operand = stablehlo.constant dense<[18446744073709549568.0, 18446744073709551616.0, -0.5]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xui64>
  check.expect_eq_const %result, dense<[18446744073709549568, 18446744073709551615, 0]> : tensor<3xui64>
  func.return
}

// -----

func.func @convert_op_narrow_floats_to_integers() {
  %f16_to_i8_operand = stablehlo.constant dense<[2.5, -2.5, -0.5, 192.0]> : tensor<4xf16>
  %f16_to_i8 = stablehlo.convert %f16_to_i8_operand : (tensor<4xf16>) -> tensor<4xi8>
  check.expect_eq_const %f16_to_i8, dense<[2, -2, 0, 127]> : tensor<4xi8>
  %bf16_to_i8_operand = stablehlo.constant dense<[2.5, -2.5, -0.5, 192.0]> : tensor<4xbf16>
  %bf16_to_i8 = stablehlo.convert %bf16_to_i8_operand : (tensor<4xbf16>) -> tensor<4xi8>
  check.expect_eq_const %bf16_to_i8, dense<[2, -2, 0, 127]> : tensor<4xi8>
  %f8E5M2_to_i8_operand = stablehlo.constant dense<[2.5, -2.5, -0.5, 192.0]> : tensor<4xf8E5M2>
  %f8E5M2_to_i8 = stablehlo.convert %f8E5M2_to_i8_operand : (tensor<4xf8E5M2>) -> tensor<4xi8>
  check.expect_eq_const %f8E5M2_to_i8, dense<[2, -2, 0, 127]> : tensor<4xi8>
  %f8E4M3FN_to_i8_operand = stablehlo.constant dense<[2.5, -2.5, -0.5, 192.0]> : tensor<4xf8E4M3FN>
  %f8E4M3FN_to_i8 = stablehlo.convert %f8E4M3FN_to_i8_operand : (tensor<4xf8E4M3FN>) -> tensor<4xi8>
  check.expect_eq_const %f8E4M3FN_to_i8, dense<[2, -2, 0, 127]> : tensor<4xi8>
  func.return
}

// -----

// Rounded to nearest, ties to even.
func.func @convert_op_f64_to_floats() {
  %f64_to_f4E2M1FN_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f4E2M1FN = stablehlo.convert %f64_to_f4E2M1FN_operand : (tensor<5xf64>) -> tensor<5xf4E2M1FN>
  check.expect_eq_const %f64_to_f4E2M1FN, dense<[0.0, -1.5, 3.0, 6.0, -0.0]> : tensor<5xf4E2M1FN>
  %f64_to_f6E2M3FN_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f6E2M3FN = stablehlo.convert %f64_to_f6E2M3FN_operand : (tensor<5xf64>) -> tensor<5xf6E2M3FN>
  check.expect_eq_const %f64_to_f6E2M3FN, dense<[0.125, -1.25, 3.25, 7.5, -0.0]> : tensor<5xf6E2M3FN>
  %f64_to_f6E3M2FN_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f6E3M2FN = stablehlo.convert %f64_to_f6E3M2FN_operand : (tensor<5xf64>) -> tensor<5xf6E3M2FN>
  check.expect_eq_const %f64_to_f6E3M2FN, dense<[0.125, -1.25, 3.5, 28.0, -0.0]> : tensor<5xf6E3M2FN>
  %f64_to_f8E3M4_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f8E3M4 = stablehlo.convert %f64_to_f8E3M4_operand : (tensor<5xf64>) -> tensor<5xf8E3M4>
  check.expect_eq_const %f64_to_f8E3M4, dense<[0.09375, -1.3125, 3.25, 0x70, -0.0]> : tensor<5xf8E3M4>
  %f64_to_f8E4M3_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f8E4M3 = stablehlo.convert %f64_to_f8E4M3_operand : (tensor<5xf64>) -> tensor<5xf8E4M3>
  check.expect_eq_const %f64_to_f8E4M3, dense<[0.1015625, -1.25, 3.25, 0x78, -0.0]> : tensor<5xf8E4M3>
  %f64_to_f8E4M3B11FNUZ_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f8E4M3B11FNUZ = stablehlo.convert %f64_to_f8E4M3B11FNUZ_operand : (tensor<5xf64>) -> tensor<5xf8E4M3B11FNUZ>
  check.expect_eq_const %f64_to_f8E4M3B11FNUZ, dense<[0.1015625, -1.25, 3.25, 0x80, 0.0]> : tensor<5xf8E4M3B11FNUZ>
  %f64_to_f8E4M3FN_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f8E4M3FN = stablehlo.convert %f64_to_f8E4M3FN_operand : (tensor<5xf64>) -> tensor<5xf8E4M3FN>
  check.expect_eq_const %f64_to_f8E4M3FN, dense<[0.1015625, -1.25, 3.25, 0x7F, -0.0]> : tensor<5xf8E4M3FN>
  %f64_to_f8E4M3FNUZ_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f8E4M3FNUZ = stablehlo.convert %f64_to_f8E4M3FNUZ_operand : (tensor<5xf64>) -> tensor<5xf8E4M3FNUZ>
  check.expect_eq_const %f64_to_f8E4M3FNUZ, dense<[0.1015625, -1.25, 3.25, 0x80, 0.0]> : tensor<5xf8E4M3FNUZ>
  %f64_to_f8E5M2_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f8E5M2 = stablehlo.convert %f64_to_f8E5M2_operand : (tensor<5xf64>) -> tensor<5xf8E5M2>
  check.expect_eq_const %f64_to_f8E5M2, dense<[0.09375, -1.25, 3.5, 0x7C, -0.0]> : tensor<5xf8E5M2>
  %f64_to_f8E5M2FNUZ_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f8E5M2FNUZ = stablehlo.convert %f64_to_f8E5M2FNUZ_operand : (tensor<5xf64>) -> tensor<5xf8E5M2FNUZ>
  check.expect_eq_const %f64_to_f8E5M2FNUZ, dense<[0.09375, -1.25, 3.5, 0x80, 0.0]> : tensor<5xf8E5M2FNUZ>
  %f64_to_f8E8M0FNU_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f8E8M0FNU = stablehlo.convert %f64_to_f8E8M0FNU_operand : (tensor<5xf64>) -> tensor<5xf8E8M0FNU>
  check.expect_eq_const %f64_to_f8E8M0FNU, dense<[0.125, 0xFF, 4.0, 131072.0, 0xFF]> : tensor<5xf8E8M0FNU>
  %f64_to_bf16_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_bf16 = stablehlo.convert %f64_to_bf16_operand : (tensor<5xf64>) -> tensor<5xbf16>
  check.expect_eq_const %f64_to_bf16, dense<[0.10009765625, -1.296875, 3.296875, 99840.0, -9.968061931431293e-10]> : tensor<5xbf16>
  %f64_to_f16_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f16 = stablehlo.convert %f64_to_f16_operand : (tensor<5xf64>) -> tensor<5xf16>
  check.expect_eq_const %f64_to_f16, dense<[0.0999755859375, -1.2998046875, 3.30078125, 0x7C00, -0.0]> : tensor<5xf16>
  %f64_to_f32_operand = stablehlo.constant dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-9]> : tensor<5xf64>
  %f64_to_f32 = stablehlo.convert %f64_to_f32_operand : (tensor<5xf64>) -> tensor<5xf32>
  check.expect_eq_const %f64_to_f32, dense<[0.1, -1.3, 3.3, 100000.0, -1.0e-09]> : tensor<5xf32>
  func.return
}

// -----

func.func @convert_op_floats_to_f64() {
  %f4E2M1FN_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf4E2M1FN>
  %f4E2M1FN_to_f64 = stablehlo.convert %f4E2M1FN_to_f64_operand : (tensor<4xf4E2M1FN>) -> tensor<4xf64>
  check.expect_eq_const %f4E2M1FN_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f6E2M3FN_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf6E2M3FN>
  %f6E2M3FN_to_f64 = stablehlo.convert %f6E2M3FN_to_f64_operand : (tensor<4xf6E2M3FN>) -> tensor<4xf64>
  check.expect_eq_const %f6E2M3FN_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f6E3M2FN_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf6E3M2FN>
  %f6E3M2FN_to_f64 = stablehlo.convert %f6E3M2FN_to_f64_operand : (tensor<4xf6E3M2FN>) -> tensor<4xf64>
  check.expect_eq_const %f6E3M2FN_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f8E3M4_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E3M4>
  %f8E3M4_to_f64 = stablehlo.convert %f8E3M4_to_f64_operand : (tensor<4xf8E3M4>) -> tensor<4xf64>
  check.expect_eq_const %f8E3M4_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f8E4M3_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E4M3>
  %f8E4M3_to_f64 = stablehlo.convert %f8E4M3_to_f64_operand : (tensor<4xf8E4M3>) -> tensor<4xf64>
  check.expect_eq_const %f8E4M3_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f8E4M3B11FNUZ_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E4M3B11FNUZ>
  %f8E4M3B11FNUZ_to_f64 = stablehlo.convert %f8E4M3B11FNUZ_to_f64_operand : (tensor<4xf8E4M3B11FNUZ>) -> tensor<4xf64>
  check.expect_eq_const %f8E4M3B11FNUZ_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f8E4M3FN_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E4M3FN>
  %f8E4M3FN_to_f64 = stablehlo.convert %f8E4M3FN_to_f64_operand : (tensor<4xf8E4M3FN>) -> tensor<4xf64>
  check.expect_eq_const %f8E4M3FN_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f8E4M3FNUZ_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E4M3FNUZ>
  %f8E4M3FNUZ_to_f64 = stablehlo.convert %f8E4M3FNUZ_to_f64_operand : (tensor<4xf8E4M3FNUZ>) -> tensor<4xf64>
  check.expect_eq_const %f8E4M3FNUZ_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f8E5M2_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E5M2>
  %f8E5M2_to_f64 = stablehlo.convert %f8E5M2_to_f64_operand : (tensor<4xf8E5M2>) -> tensor<4xf64>
  check.expect_eq_const %f8E5M2_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f8E5M2FNUZ_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E5M2FNUZ>
  %f8E5M2FNUZ_to_f64 = stablehlo.convert %f8E5M2FNUZ_to_f64_operand : (tensor<4xf8E5M2FNUZ>) -> tensor<4xf64>
  check.expect_eq_const %f8E5M2FNUZ_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f8E8M0FNU_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E8M0FNU>
  %f8E8M0FNU_to_f64 = stablehlo.convert %f8E8M0FNU_to_f64_operand : (tensor<4xf8E8M0FNU>) -> tensor<4xf64>
  check.expect_eq_const %f8E8M0FNU_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %bf16_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xbf16>
  %bf16_to_f64 = stablehlo.convert %bf16_to_f64_operand : (tensor<4xbf16>) -> tensor<4xf64>
  check.expect_eq_const %bf16_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f16_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf16>
  %f16_to_f64 = stablehlo.convert %f16_to_f64_operand : (tensor<4xf16>) -> tensor<4xf64>
  check.expect_eq_const %f16_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  %f32_to_f64_operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf32>
  %f32_to_f64 = stablehlo.convert %f32_to_f64_operand : (tensor<4xf32>) -> tensor<4xf64>
  check.expect_eq_const %f32_to_f64, dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf64>
  func.return
}

// -----

// Next to halfway between two values: as an f32, it would be halfway.
func.func @convert_op_f64_rounds_once() {
  %f64_to_bf16_operand = stablehlo.constant dense<[1.0039062500009095]> : tensor<1xf64>
  %f64_to_bf16 = stablehlo.convert %f64_to_bf16_operand : (tensor<1xf64>) -> tensor<1xbf16>
  check.expect_eq_const %f64_to_bf16, dense<[1.0078125]> : tensor<1xbf16>
  %f64_to_f8E4M3FN_operand = stablehlo.constant dense<[1.0625000000009095]> : tensor<1xf64>
  %f64_to_f8E4M3FN = stablehlo.convert %f64_to_f8E4M3FN_operand : (tensor<1xf64>) -> tensor<1xf8E4M3FN>
  check.expect_eq_const %f64_to_f8E4M3FN, dense<[1.125]> : tensor<1xf8E4M3FN>
  %f64_to_f8E5M2_operand = stablehlo.constant dense<[1.1250000000009095]> : tensor<1xf64>
  %f64_to_f8E5M2 = stablehlo.convert %f64_to_f8E5M2_operand : (tensor<1xf64>) -> tensor<1xf8E5M2>
  check.expect_eq_const %f64_to_f8E5M2, dense<[1.25]> : tensor<1xf8E5M2>
  %f64_to_f16_operand = stablehlo.constant dense<[1.0004882812509095]> : tensor<1xf64>
  %f64_to_f16 = stablehlo.convert %f64_to_f16_operand : (tensor<1xf64>) -> tensor<1xf16>
  check.expect_eq_const %f64_to_f16, dense<[1.0009765625]> : tensor<1xf16>
  %f64_to_f4E2M1FN_operand = stablehlo.constant dense<[1.2500000000009095]> : tensor<1xf64>
  %f64_to_f4E2M1FN = stablehlo.convert %f64_to_f4E2M1FN_operand : (tensor<1xf64>) -> tensor<1xf4E2M1FN>
  check.expect_eq_const %f64_to_f4E2M1FN, dense<[1.5]> : tensor<1xf4E2M1FN>
  %f64_to_f8E8M0FNU_operand = stablehlo.constant dense<[1.4999999999990905]> : tensor<1xf64>
  %f64_to_f8E8M0FNU = stablehlo.convert %f64_to_f8E8M0FNU_operand : (tensor<1xf64>) -> tensor<1xf8E8M0FNU>
  check.expect_eq_const %f64_to_f8E8M0FNU, dense<[1.0]> : tensor<1xf8E8M0FNU>
  func.return
}

// -----

func.func @convert_op_f32_to_bf16_ties() {
  %operand = stablehlo.constant dense<[1.00390625, 1.01171875, 3.4e38, -0.0]> : tensor<4xf32>
  %result = stablehlo.convert %operand : (tensor<4xf32>) -> tensor<4xbf16>
  check.expect_eq_const %result, dense<[1.0, 1.015625, 0x7F80, -0.0]> : tensor<4xbf16>
  func.return
}

// -----

// No infinity: NaN.
func.func @convert_op_f32_to_f8E4M3FN_overflow() {
  %operand = stablehlo.constant dense<[448.0, 464.0, 465.0, 0xFF800000]> : tensor<4xf32>
  %result = stablehlo.convert %operand : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  check.expect_almost_eq_const %result, dense<[448.0, 448.0, 0x7F, 0xFF]> : tensor<4xf8E4M3FN>
  func.return
}

// -----

func.func @convert_op_f32_to_f8E5M2_overflow() {
  %operand = stablehlo.constant dense<[57344.0, 61439.0, 61440.0, 0xFF800000]> : tensor<4xf32>
  %result = stablehlo.convert %operand : (tensor<4xf32>) -> tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[57344.0, 57344.0, 0x7C, 0xFC]> : tensor<4xf8E5M2>
  func.return
}

// -----

// There is no -0.
func.func @convert_op_f32_to_f8E4M3FNUZ_zeros() {
  %operand = stablehlo.constant dense<[-0.0, -1.0e-9, 241.0]> : tensor<3xf32>
  %result = stablehlo.convert %operand : (tensor<3xf32>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[0.0, 0.0, 240.0]> : tensor<3xf8E4M3FNUZ>
  func.return
}

// -----

// Neither infinity nor NaN: the largest value, and -0.
func.func @convert_op_f32_to_f4E2M1FN_overflow() {
  %operand = stablehlo.constant dense<[7.0, -100.0, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  %result = stablehlo.convert %operand : (tensor<4xf32>) -> tensor<4xf4E2M1FN>
  check.expect_eq_const %result, dense<[6.0, -6.0, 6.0, -0.0]> : tensor<4xf4E2M1FN>
  func.return
}

// -----

func.func @convert_op_f32_to_f6_overflow() {
  %operand = stablehlo.constant dense<[7.75, 8.0, -100.0, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  %e2m3 = stablehlo.convert %operand : (tensor<5xf32>) -> tensor<5xf6E2M3FN>
  check.expect_eq_const %e2m3, dense<[7.5, 7.5, -7.5, 7.5, -0.0]> : tensor<5xf6E2M3FN>
  %e3m2 = stablehlo.convert %operand : (tensor<5xf32>) -> tensor<5xf6E3M2FN>
  check.expect_eq_const %e3m2, dense<[8.0, 8.0, -28.0, 28.0, -0.0]> : tensor<5xf6E3M2FN>
  func.return
}

// -----

// The nearest power of two, the greater one in the middle; zero and negative numbers are NaN.
func.func @convert_op_f32_to_f8E8M0FNU() {
  %operand = stablehlo.constant dense<[1.0, 1.4, 1.5, 3.0, 0.0, -1.0]> : tensor<6xf32>
  %result = stablehlo.convert %operand : (tensor<6xf32>) -> tensor<6xf8E8M0FNU>
  check.expect_eq_const %result, dense<[1.0, 1.0, 2.0, 4.0, 0xFF, 0xFF]> : tensor<6xf8E8M0FNU>
  func.return
}

// -----

func.func @convert_op_bf16_to_f16() {
  %operand = stablehlo.constant dense<[1.0078125, 100000.0, 1.0e-8]> : tensor<3xbf16>
  %result = stablehlo.convert %operand : (tensor<3xbf16>) -> tensor<3xf16>
  check.expect_eq_const %result, dense<[1.0078125, 0x7C00, 0.0]> : tensor<3xf16>
  func.return
}

// -----

func.func @convert_op_f8E5M2_to_f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.75, 57344.0, 0.00006103515625]> : tensor<3xf8E5M2>
  %result = stablehlo.convert %operand : (tensor<3xf8E5M2>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.75, 0x7F, 0.0]> : tensor<3xf8E4M3FN>
  func.return
}

// -----

func.func @convert_op_complex_f64_to_complex_f32() {
  %operand = stablehlo.constant dense<[(0.1, -0.2), (1.0e300, 1.0e-300)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.1, -0.2), (0x7F800000, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @convert_op_complex_f32_to_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, -0.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.convert %operand : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.5, -0.0)]> : tensor<1xcomplex<f64>>
  func.return
}

// -----

// The imaginary part is dropped.
func.func @convert_op_complex_to_f32() {
  %operand = stablehlo.constant dense<[(0.1, 5.0), (-2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[0.1, -2.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @convert_op_complex_to_i4() {
  %operand = stablehlo.constant dense<[(7.9, 5.0), (-20.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xi4>
  check.expect_eq_const %result, dense<[7, -8]> : tensor<2xi4>
  func.return
}

// -----

func.func @convert_op_f32_to_complex_f64() {
  %operand = stablehlo.constant dense<[0.5, -0.0]> : tensor<2xf32>
  %result = stablehlo.convert %operand : (tensor<2xf32>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.5, 0.0), (-0.0, 0.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

func.func @convert_op_same_type() {
  %operand = stablehlo.constant dense<[1.0, 0xFFC00001]> : tensor<2xf32>
  %result = stablehlo.convert %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, 0xFFC00001]> : tensor<2xf32>
  func.return
}

// -----

func.func @convert_op_scalar() {
  %operand = stablehlo.constant dense<-7> : tensor<i32>
  %result = stablehlo.convert %operand : (tensor<i32>) -> tensor<f32>
  check.expect_eq_const %result, dense<-7.0> : tensor<f32>
  func.return
}
