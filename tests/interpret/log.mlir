// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @log_op() {
  %operand = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %result = stablehlo.log %operand : tensor<2x2xf64>
  check.expect_almost_eq_const %result, dense<[[0.0, 0.69314718055994529], [1.0986122886681098, 1.3862943611198906]]> : tensor<2x2xf64>
  func.return
}

// -----

func.func @log_op_f64() {
  %operand = stablehlo.constant dense<[0.1, 0.5, 1.5, 3.0, 10.0]> : tensor<5xf64>
  %result = stablehlo.log %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[-2.3025850929940455, -0.6931471805599453, 0.4054651081081644, 1.0986122886681098, 2.302585092994046]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @log_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[0.1, 0.5, 1.5, 3.0, 10.0]> : tensor<5xf32>
  %result = stablehlo.log %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-2.3025851, -0.6931472, 0.4054651, 1.0986123, 2.3025851]> : tensor<5xf32>
  func.return
}

// -----

func.func @log_op_near_one() {
  %operand = stablehlo.constant dense<[1.0000000000000002, 0.9999999999999999]> : tensor<2xf64>
  %result = stablehlo.log %operand : tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[2.2204460492503128e-16, -1.1102230246251565e-16]> : tensor<2xf64>, tolerance = 1.0e-30
  func.return
}

// -----

func.func @log_op_f16() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xf16>
  %result = stablehlo.log %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-2.080078125, -0.693359375, 0.405517578125, 1.0986328125]> : tensor<4xf16>
  func.return
}

// -----

func.func @log_op_bf16() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xbf16>
  %result = stablehlo.log %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-2.078125, -0.69140625, 0.40625, 1.1015625]> : tensor<4xbf16>
  func.return
}

// -----

func.func @log_op_f8E4M3() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xf8E4M3>
  %result = stablehlo.log %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[-2.0, -0.6875, 0.40625, 1.125]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @log_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.log %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-2.0, -0.75, 0.375, 1.0]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @log_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 1.0, 0x7F800000]> : tensor<4xf32>
  %result = stablehlo.log %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[0xFF800000, 0xFF800000, 0.0, 0x7F800000]> : tensor<4xf32>
  func.return
}

// -----

func.func @log_op_nan() {
  %operand = stablehlo.constant dense<[-1.0, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.log %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

// -----

func.func @log_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.log %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.11157177565710488, 1.1071487177940904), (0.3768859011881901, 2.601173153319209), (1.2824746787307684, -0.982793723247329)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @log_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.log %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.111571774, 1.1071488), (0.3768859, 2.6011732), (1.2824746, -0.98279375)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// On both sides of the branch cut.
func.func @log_op_complex_branch_cut() {
  %operand = stablehlo.constant dense<[(-1.0, 0.0), (-1.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.log %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 3.1415926535897931), (0.0, -3.1415926535897931)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// The sum of the squares of the parts is out of range.
func.func @log_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(3.0e+38, 3.0e+38), (1.0e-45, 0.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.log %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(88.94342, 0.7853982), (-103.27893, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

// As C99, Annex G.
func.func @log_op_complex_infinities() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0xFF800000, 0x7F800000)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.log %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0xFF800000, 0.0), (0x7F800000, 2.3561945)]> : tensor<2xcomplex<f32>>
  func.return
}
