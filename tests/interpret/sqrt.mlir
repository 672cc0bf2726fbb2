// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @sqrt_op() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [4.0, 9.0]]> : tensor<2x2xf32>
  %result = stablehlo.sqrt %operand : tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @sqrt_op_special_values() {
  %operand = stablehlo.constant dense<[-0.0, 0x7F800000, 0x7FC00000, -1.0, 0xFF800000]> : tensor<5xf32>
  %result = stablehlo.sqrt %operand : tensor<5xf32>
  check.expect_almost_eq_const %result, dense<[-0.0, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>, tolerance = 0.0
  func.return
}

// -----

func.func @sqrt_op_of_negative_zero() {
  %operand = stablehlo.constant dense<-0.0> : tensor<f64>
  %result = stablehlo.sqrt %operand : tensor<f64>
  check.expect_eq_const %result, dense<-0.0> : tensor<f64>
  func.return
}

// -----

func.func @sqrt_op_f64_rounds_correctly() {
  %operand = stablehlo.constant dense<[2.0, 1.0e-300, 3.0e300]> : tensor<3xf64>
  %result = stablehlo.sqrt %operand : tensor<3xf64>
  check.expect_eq_const %result, dense<[1.4142135623730951, 1.0e-150, 1.7320508075688775e150]> : tensor<3xf64>
  func.return
}

// -----

func.func @sqrt_op_of_subnormal() {
  %operand = stablehlo.constant dense<[0x00000001, 0x00000002]> : tensor<2xf32>
  %result = stablehlo.sqrt %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[3.743392e-23, 5.293956e-23]> : tensor<2xf32>
  func.return
}

// -----

func.func @sqrt_op_f16() {
  %operand = stablehlo.constant dense<[2.0, 3.0, 65504.0]> : tensor<3xf16>
  %result = stablehlo.sqrt %operand : tensor<3xf16>
  check.expect_eq_const %result, dense<[1.4140625, 1.732421875, 255.875]> : tensor<3xf16>
  func.return
}

// -----

func.func @sqrt_op_bf16() {
  %operand = stablehlo.constant dense<[2.0, 3.0, 0.1015625]> : tensor<3xbf16>
  %result = stablehlo.sqrt %operand : tensor<3xbf16>
  check.expect_eq_const %result, dense<[1.4140625, 1.734375, 0.318359375]> : tensor<3xbf16>
  func.return
}

// -----

func.func @sqrt_op_f8E3M4() {
  %operand = stablehlo.constant dense<[2.0, 3.0, 10.0]> : tensor<3xf8E3M4>
  %result = stablehlo.sqrt %operand : tensor<3xf8E3M4>
  check.expect_eq_const %result, dense<[1.4375, 1.75, 3.125]> : tensor<3xf8E3M4>
  func.return
}

// -----

func.func @sqrt_op_complex() {
  %operand = stablehlo.constant dense<[(3.0, 4.0), (-5.0, 12.0), (1.0, 1.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.sqrt %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(2.0, 1.0), (2.0, 3.0), (1.0986841, 0.45508987)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// The sign of a zero imaginary part tells the side of the cut.
func.func @sqrt_op_complex_branch_cut() {
  %operand = stablehlo.constant dense<[(-4.0, 0.0), (-4.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.sqrt %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 2.0), (0.0, -2.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

func.func @sqrt_op_complex_does_not_overflow() {
  %operand = stablehlo.constant dense<[(3.0e300, 4.0e300), (1.0, 0x7FF0000000000000)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.sqrt %operand : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(2.0e150, 1.0e150), (0x7FF0000000000000, 0x7FF0000000000000)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
