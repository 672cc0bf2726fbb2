// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @rsqrt_op() {
  %operand = stablehlo.constant dense<[[1.0, 4.0], [9.0, 25.0]]> : tensor<2x2xf32>
  %result = stablehlo.rsqrt %operand : tensor<2x2xf32>
  check.expect_almost_eq_const %result, dense<[[1.0, 0.5], [0.33333343, 0.2]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @rsqrt_op_f64() {
  %operand = stablehlo.constant dense<[0.1, 0.5, 1.5, 3.0, 10.0]> : tensor<5xf64>
  %result = stablehlo.rsqrt %operand : tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[3.162277660168379, 1.4142135623730951, 0.816496580927726, 0.5773502691896257, 0.31622776601683794]> : tensor<5xf64>, tolerance = 2.0e-15
  func.return
}

// -----

// The nearest f32 of the exact results.
func.func @rsqrt_op_f32_rounds_once() {
  %operand = stablehlo.constant dense<[0.1, 0.5, 1.5, 3.0, 10.0]> : tensor<5xf32>
  %result = stablehlo.rsqrt %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[3.1622777, 1.4142135, 0.8164966, 0.57735026, 0.31622776]> : tensor<5xf32>
  func.return
}

// -----

func.func @rsqrt_op_f16() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xf16>
  %result = stablehlo.rsqrt %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[2.828125, 1.4140625, 0.81640625, 0.5771484375]> : tensor<4xf16>
  func.return
}

// -----

func.func @rsqrt_op_bf16() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xbf16>
  %result = stablehlo.rsqrt %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[2.828125, 1.4140625, 0.81640625, 0.578125]> : tensor<4xbf16>
  func.return
}

// -----

func.func @rsqrt_op_f8E4M3() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xf8E4M3>
  %result = stablehlo.rsqrt %operand : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[2.75, 1.375, 0.8125, 0.5625]> : tensor<4xf8E4M3>
  func.return
}

// -----

func.func @rsqrt_op_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.125, 0.5, 1.5, 3.0]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.rsqrt %operand : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[3.0, 1.5, 0.875, 0.625]> : tensor<4xf8E5M2FNUZ>
  func.return
}

// -----

func.func @rsqrt_op_special_values() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 0x7F800000]> : tensor<3xf32>
  %result = stablehlo.rsqrt %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[0x7F800000, 0xFF800000, 0.0]> : tensor<3xf32>
  func.return
}

// -----

func.func @rsqrt_op_nan() {
  %operand = stablehlo.constant dense<[-1.0, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.rsqrt %operand : tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<3xf64>
  func.return
}

// -----

func.func @rsqrt_op_complex_f64() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.rsqrt %operand : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.8044958641907104, -0.49720578787857844), (0.2210871394409773, -0.7981947239513935), (0.464325452650815, 0.24849944091130338)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-14
  func.return
}

// -----

func.func @rsqrt_op_complex_f32_rounds_once() {
  %operand = stablehlo.constant dense<[(0.5, 1.0), (-1.25, 0.75), (2.0, -3.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.rsqrt %operand : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.8044959, -0.4972058), (0.22108714, -0.7981947), (0.46432546, 0.24849944)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

// On both sides of the branch cut.
func.func @rsqrt_op_complex_branch_cut() {
  %operand = stablehlo.constant dense<[(-4.0, 0.0), (-4.0, -0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.rsqrt %operand : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, -0.5), (0.0, 0.5)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// The sum of the squares of the parts is out of range.
func.func @rsqrt_op_complex_ends_of_the_range() {
  %operand = stablehlo.constant dense<[(3.0e+38, 3.0e+38), (1.0e-45, 1.0e-45)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.rsqrt %operand : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(4.485359e-20, -1.8578966e-20), (2.0753555e+22, -8.5964045e+21)]> : tensor<2xcomplex<f32>>
  func.return
}
