// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @sqrt_op() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [4.0, 9.0]]> : tensor<2x2xf32>
  %result = stablehlo.sqrt %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @sqrt_op_f64() {
  %operand = stablehlo.constant dense<[0.1, 0.5, 1.5, 3.0, 10.0]> : tensor<5xf64>
  %result = stablehlo.sqrt %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[0.31622776601683794, 0.7071067811865476, 1.224744871391589, 1.7320508075688772, 3.1622776601683795]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @sqrt_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[0.1, 0.5, 1.5, 3.0, 10.0]> : tensor<5xf32>
  %result = stablehlo.sqrt %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0.31622776, 0.70710677, 1.2247449, 1.7320508, 3.1622777]> : tensor<5xf32>
  func.return
}

// -----

func.func @sqrt_op_f16() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xf16>
  %result = stablehlo.sqrt %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[0.353515625, 0.70703125, 1.224609375, 1.732421875]> : tensor<4xf16>
  func.return
}

// -----

func.func @sqrt_op_bf16() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xbf16>
  %result = stablehlo.sqrt %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.353515625, 0.70703125, 1.2265625, 1.734375]> : tensor<4xbf16>
  func.return
}

// -----

func.func @sqrt_op_f8E4M3() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xf8E4M3>
  %result = stablehlo.sqrt %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[0.34375, 0.6875, 1.25, 1.75]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @sqrt_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.sqrt %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[0.375, 0.75, 1.25, 1.75]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @sqrt_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 0x7F800000]> : tensor<3xf32>
  %result = stablehlo.sqrt %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[0.0, -0.0, 0x7F800000]> : tensor<3xf32>
  func.return
}

// -----

func.func @sqrt_op_nan() {
  %operand = stablehlo.constant dense<[-1.0, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.sqrt %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

// -----

func.func @sqrt_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.sqrt %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.8994537199739336, 0.5558929702514211), (0.32228711866232346, 1.1635587595199748), (1.6741492280355401, -0.8959774761298381)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @sqrt_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.sqrt %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.8994537, 0.55589294), (0.3222871, 1.1635587), (1.6741493, -0.8959775)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// On both sides of the branch cut.
func.func @sqrt_op_complex_branch_cut() {
  %operand = stablehlo.constant dense<[(-4.0, 0.0), (-4.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.sqrt %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 2.0), (0.0, -2.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// The sum of the squares of the parts is out of range.
func.func @sqrt_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(3.0e+38, 3.0e+38), (1.0e-45, 0.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.sqrt %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.9029767e+19, 7.882388e+18), (3.743392e-23, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

// As C99, Annex G.
func.func @sqrt_op_complex_infinities() {
  %operand = stablehlo.constant dense<[(0xFF800000, 1.0), (1.0, 0x7F800000)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.sqrt %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 0x7F800000), (0x7F800000, 0x7F800000)]> : tensor<2xcomplex<f32>>
  func.return
}
