// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Multiples of pi / 2 as near as f64 comes to them.
func.func @tan_op() {
  %operand = stablehlo.constant dense<[[0.0, 1.5707963267948966], [3.141592653589793, 4.71238898038469]]> : tensor<2x2xf64>
  %result = stablehlo.tan %operand : tensor<2x2xf64>
  %expected = stablehlo.constant dense<[[0.0, 1.633123935319537e16], [-1.2246467991473532e-16, 5443746451065123.0]]> : tensor<2x2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2x2xf64>, tensor<2x2xf64>
  func.return
}

// -----

func.func @tan_op_f32() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 1.5, 3.0]> : tensor<4xf32>
  %result = stablehlo.tan %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.5463025, -1.5574077, 14.10142, -0.14254655]> : tensor<4xf32>
  func.return
}

// -----

func.func @tan_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<5xf32>
  %result = stablehlo.tan %operand : tensor<5xf32>
  check.expect_almost_eq_const %result, dense<[0.0, -0.0, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>, tolerance = 0.0
  func.return
}

// -----

func.func @tan_op_of_negative_zero() {
  %operand = stablehlo.constant dense<-0.0> : tensor<f32>
  %result = stablehlo.tan %operand : tensor<f32>
  check.expect_eq_const %result, dense<-0.0> : tensor<f32>
  func.return
}

// -----

func.func @tan_op_of_large_values() {
  %operand = stablehlo.constant dense<[1.0e22, -1.0e15]> : tensor<2xf64>
  %result = stablehlo.tan %operand : tensor<2xf64>
  %expected = stablehlo.constant dense<[-1.6287782256068988, 1.672414782127583]> : tensor<2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2xf64>, tensor<2xf64>
  func.return
}

// -----

func.func @tan_op_of_large_f32() {
  %operand = stablehlo.constant dense<[1048576.0, -16777216.0]> : tensor<2xf32>
  %result = stablehlo.tan %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[0.35016975, 1.2446672]> : tensor<2xf32>
  func.return
}

// -----

func.func @tan_op_f16() {
  %operand = stablehlo.constant dense<[0.5, -1.5, 100.0]> : tensor<3xf16>
  %result = stablehlo.tan %operand : tensor<3xf16>
  check.expect_eq_const %result, dense<[0.54638671875, -14.1015625, -0.58740234375]> : tensor<3xf16>
  func.return
}

// -----

func.func @tan_op_bf16() {
  %operand = stablehlo.constant dense<[0.5, -1.5, 100.0]> : tensor<3xbf16>
  %result = stablehlo.tan %operand : tensor<3xbf16>
  check.expect_eq_const %result, dense<[0.546875, -14.125, -0.5859375]> : tensor<3xbf16>
  func.return
}

// -----

func.func @tan_op_f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -1.5, 3.0]> : tensor<3xf8E5M2>
  %result = stablehlo.tan %operand : tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[0.5, -14.0, -0.15625]> : tensor<3xf8E5M2>
  func.return
}

// -----

func.func @tan_op_complex() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.0, 2.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.tan %operand : tensor<2xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.19557731, 0.8429662), (-0.033812825, 1.0147936)]> : tensor<2xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @tan_op_complex_of_large_imaginary_part() {
  %operand = stablehlo.constant dense<[(1.0, 1000.0), (1.0, -1000.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.tan %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 1.0), (0.0, -1.0)]> : tensor<2xcomplex<f64>>
  func.return
}
