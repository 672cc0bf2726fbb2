// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %a = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf32>
  %result = "stablehlo.triangular_solve"(%a, %b) {
    left_side = true,
    lower = true,
    unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  } : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_eq_const %result, dense<[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>
  func.return
}

// -----

// In all cases below the triangles are those of [[2, 3], [5, 4]], and the solution is [1, 2].

func.func @left_lower() {
  %a = stablehlo.constant dense<[[2.0, 3.0], [5.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[2.0], [13.0]]> : tensor<2x1xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  check.expect_eq_const %result, dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  func.return
}

// -----

func.func @left_upper() {
  %a = stablehlo.constant dense<[[2.0, 3.0], [5.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[8.0], [8.0]]> : tensor<2x1xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = false, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  check.expect_eq_const %result, dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  func.return
}

// -----

func.func @left_lower_transposed() {
  %a = stablehlo.constant dense<[[2.0, 3.0], [5.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[12.0], [8.0]]> : tensor<2x1xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  check.expect_eq_const %result, dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  func.return
}

// -----

func.func @left_upper_adjoint_of_real() {
  %a = stablehlo.constant dense<[[2.0, 3.0], [5.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[2.0], [11.0]]> : tensor<2x1xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = false, unit_diagonal = false,
    transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  check.expect_eq_const %result, dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  func.return
}

// -----

func.func @right_lower() {
  %a = stablehlo.constant dense<[[2.0, 3.0], [5.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[12.0, 8.0]]> : tensor<1x2xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_eq_const %result, dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  func.return
}

// -----

func.func @right_upper() {
  %a = stablehlo.constant dense<[[2.0, 3.0], [5.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[2.0, 11.0]]> : tensor<1x2xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = false, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_eq_const %result, dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  func.return
}

// -----

func.func @right_lower_transposed() {
  %a = stablehlo.constant dense<[[2.0, 3.0], [5.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant dense<[[2.0, 13.0]]> : tensor<1x2xf64>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_eq_const %result, dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  func.return
}

// -----

func.func @unit_diagonal() {
  %a = stablehlo.constant dense<[[0.0, 3.0], [5.0, 0x7FC00000]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0], [7.0]]> : tensor<2x1xf32>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = true,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %result, dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  func.return
}

// -----

func.func @complex_transpose() {
  %a = stablehlo.constant dense<[[(1.0, 1.0), (0.0, 0.0)], [(0.0, 2.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  // Rows (1 + i, 2i) and (0, 2) times (1, i).
  %b = stablehlo.constant dense<[[(-1.0, 1.0)], [(0.0, 2.0)]]> : tensor<2x1xcomplex<f32>>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_eq_const %result, dense<[[(1.0, 0.0)], [(0.0, 1.0)]]> : tensor<2x1xcomplex<f32>>
  func.return
}

// -----

func.func @complex_adjoint() {
  %a = stablehlo.constant dense<[[(1.0, 1.0), (0.0, 0.0)], [(0.0, 2.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  // Rows (1 - i, -2i) and (0, 2) times (1, i).
  %b = stablehlo.constant dense<[[(3.0, -1.0)], [(0.0, 2.0)]]> : tensor<2x1xcomplex<f64>>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_eq_const %result, dense<[[(1.0, 0.0)], [(0.0, 1.0)]]> : tensor<2x1xcomplex<f64>>
  func.return
}

// -----

func.func @batch() {
  %a = stablehlo.constant dense<[[[1.0, 0.0], [1.0, 2.0]], [[4.0, 0.0], [2.0, 1.0]]]> : tensor<2x2x2xf32>
  %b = stablehlo.constant dense<[[[1.0, 2.0], [5.0, 2.0]], [[4.0, 8.0], [3.0, 4.0]]]> : tensor<2x2x2xf32>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %result, dense<[[[1.0, 2.0], [2.0, 0.0]], [[1.0, 2.0], [1.0, 0.0]]]> : tensor<2x2x2xf32>
  func.return
}

// -----

// In f16, -2047 - 0.25 would be rounded before 2048 is added.
func.func @f16_is_rounded_at_the_end() {
  %a = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.25, 1.0, 1.0]]> : tensor<3x3xf16>
  %b = stablehlo.constant dense<[[1.0], [-2048.0], [-2047.0]]> : tensor<3x1xf16>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf16>, tensor<3x1xf16>) -> tensor<3x1xf16>
  check.expect_eq_const %result, dense<[[1.0], [-2048.0], [0.75]]> : tensor<3x1xf16>
  func.return
}

// -----

func.func @zero_on_the_diagonal() {
  %a = stablehlo.constant dense<[[0.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0], [1.0]]> : tensor<2x1xf32>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %result, dense<[[0x7F800000], [0xFF800000]]> : tensor<2x1xf32>
  func.return
}

// -----

func.func @empty() {
  %a = stablehlo.constant dense<> : tensor<0x0xf32>
  %b = stablehlo.constant dense<> : tensor<0x3xf32>
  %result = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<0x0xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<0x3xf32>
  func.return
}
