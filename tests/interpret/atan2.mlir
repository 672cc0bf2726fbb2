// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @atan2_op() {
  %lhs = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 1.57079637, -1.57079637]> : tensor<3xf64>
  func.return
}

// -----

func.func @atan2_op_special_values_f32() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 1.0, -1.0, 0x7F800000, 0xFF800000, 1.0]> : tensor<9xf32>
  %rhs = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 0xFF800000, 0xFF800000, 0x7F800000, 0xFF800000, 0x7F800000]> : tensor<9xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<9xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0, 3.1415927, -3.1415927, 3.1415927, -3.1415927, 0.7853982, -2.3561945, 0.0]> : tensor<9xf32>
  func.return
}

// -----

func.func @atan2_op_special_values_f64() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 1.0, -1.0, 0x7FF0000000000000, 0xFFF0000000000000, 1.0]> : tensor<9xf64>
  %rhs = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 0xFFF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000]> : tensor<9xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<9xf64>
  check.expect_eq_const %result, dense<[0.0, -0.0, 3.141592653589793, -3.141592653589793, 3.141592653589793, -3.141592653589793, 0.7853981633974483, -2.356194490192345, 0.0]> : tensor<9xf64>
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @atan2_op_f32() {
  %lhs = stablehlo.constant dense<[1.0, -0.5, 3.0, -1.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[2.0, 0.25, -1.5, -3.0]> : tensor<4xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.4636476, -1.1071488, 2.0344439, -2.819842]> : tensor<4xf32>
  func.return
}

// -----

func.func @atan2_op_f16() {
  %lhs = stablehlo.constant dense<[1.0, -0.5, 3.0, -1.0]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[2.0, 0.25, -1.5, -3.0]> : tensor<4xf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf16>
  check.expect_eq_const %result, dense<[0.463623046875, -1.107421875, 2.03515625, -2.8203125]> : tensor<4xf16>
  func.return
}

// -----

func.func @atan2_op_bf16() {
  %lhs = stablehlo.constant dense<[1.0, -0.5, 3.0, -1.0]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[2.0, 0.25, -1.5, -3.0]> : tensor<4xbf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.462890625, -1.109375, 2.03125, -2.8125]> : tensor<4xbf16>
  func.return
}

// -----

func.func @atan2_op_f8E4M3FN() {
  %lhs = stablehlo.constant dense<[1.0, -0.5, 3.0, -1.0]> : tensor<4xf8E4M3FN>
  %rhs = stablehlo.constant dense<[2.0, 0.25, -1.5, -3.0]> : tensor<4xf8E4M3FN>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.46875, -1.125, 2.0, -2.75]> : tensor<4xf8E4M3FN>
  func.return
}

// -----

func.func @atan2_op_f64() {
  %lhs = stablehlo.constant dense<[1.0, -0.5, 3.0, -1.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 0.25, -1.5, -3.0]> : tensor<4xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf64>
  check.expect_almost_eq_const %result, dense<[0.4636476090008061, -1.1071487177940904, 2.0344439357957027, -2.819842099193151]> : tensor<4xf64>, tolerance = 1.0e-15
  func.return
}

// -----

func.func @atan2_op_nan() {
  %lhs = stablehlo.constant dense<[0x7FF8000000000000, 1.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<[1.0, 0x7FF8000000000000]> : tensor<2xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000]> : tensor<2xf64>
  func.return
}

// -----

func.func @atan2_op_complex() {
  %lhs = stablehlo.constant dense<[(1.0, 0.0), (-1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.0, 0.0), (-1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.5707963267948966, 0.0), (-2.3561944901923448, 0.0)]> : tensor<2xcomplex<f64>>, tolerance = 1.0e-15
  func.return
}

// -----

func.func @atan2_op_complex_f32() {
  %lhs = stablehlo.constant dense<[(0.5, 1.0)]> : tensor<1xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(2.0, -0.25)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.24497867, 0.54930615)]> : tensor<1xcomplex<f32>>
  func.return
}
