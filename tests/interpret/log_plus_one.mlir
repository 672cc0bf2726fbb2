// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @log_plus_one_op() {
  %operand = stablehlo.constant dense<[0.0, -0.999, 7.0, 6.38905621, 15.0]> : tensor<5xf64>
  %result = stablehlo.log_plus_one %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0.0, -6.90776825, 2.07944155, 2.0, 2.77258873]> : tensor<5xf64>
  func.return
}

// -----

func.func @log_plus_one_op_f64() {
  %operand = stablehlo.constant dense<[-0.9, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf64>
  %result = stablehlo.log_plus_one %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[-2.302585092994046, -0.10536051565782631, 0.26236426446749106, 1.0986122886681098, 0.015504186535965254]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @log_plus_one_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[-0.9, -0.1, 0.3, 2.0, 0.015625]> : tensor<5xf32>
  %result = stablehlo.log_plus_one %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[-2.302585, -0.105360515, 0.26236427, 1.0986123, 0.015504187]> : tensor<5xf32>
  func.return
}

// -----

// The result is the operand.
func.func @log_plus_one_op_tiny() {
  %operand = stablehlo.constant dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  %result = stablehlo.log_plus_one %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0e-20, -1.0e-30, 1.0e-45]> : tensor<3xf32>
  func.return
}

// -----

func.func @log_plus_one_op_f16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf16>
  %result = stablehlo.log_plus_one %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[-1.38671875, -0.133544921875, 0.405517578125, 0.91650390625]> : tensor<4xf16>
  func.return
}

// -----

func.func @log_plus_one_op_bf16() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xbf16>
  %result = stablehlo.log_plus_one %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-1.3828125, -0.1337890625, 0.40625, 0.91796875]> : tensor<4xbf16>
  func.return
}

// -----

func.func @log_plus_one_op_f8E4M3() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E4M3>
  %result = stablehlo.log_plus_one %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[-1.375, -0.140625, 0.40625, 0.9375]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @log_plus_one_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[-0.75, -0.125, 0.5, 1.5]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.log_plus_one %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-1.5, -0.125, 0.375, 0.875]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @log_plus_one_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -1.0, 0x7F800000]> : tensor<4xf32>
  %result = stablehlo.log_plus_one %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0, 0xFF800000, 0x7F800000]> : tensor<4xf32>
  func.return
}

// -----

func.func @log_plus_one_op_nan() {
  %operand = stablehlo.constant dense<[-2.0, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.log_plus_one %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

// -----

func.func @log_plus_one_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.log_plus_one %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.5893274981708231, 0.5880026035475675), (-0.2350018146228678, 1.892546881191539), (1.4451858789480823, -0.7853981633974483)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @log_plus_one_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.log_plus_one %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.5893275, 0.5880026), (-0.23500182, 1.8925469), (1.4451859, -0.7853982)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// On both sides of the branch cut.
func.func @log_plus_one_op_complex_branch_cut() {
  %operand = stablehlo.constant dense<[(-2.0, 0.0), (-2.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.log_plus_one %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 3.1415926535897931), (0.0, -3.1415926535897931)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// Where 1 + z is rounded to 1, and where its magnitude nearly is 1.
func.func @log_plus_one_op_complex_does_not_cancel() {
  %operand = stablehlo.constant dense<[(1.0e-20, 1.0e-20), (-0.005, 0.1)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.log_plus_one %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0e-20, 1.0e-20), (1.2500104e-05, 0.100166164)]> : tensor<2xcomplex<f32>>
  func.return
}
