// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %operand = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %result = "stablehlo.fft"(%operand) {
    fft_type = #stablehlo<fft_type FFT>,
    fft_length = array<i64: 4>
  } : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_eq_const %result, dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @fft() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  // The roots of unity go clockwise: 1, -i, -1, i for the second element, 1, i, -1, -i for the fourth.
  check.expect_almost_eq_const %result, dense<[(1.0, 1.0), (-1.0, -1.0), (-1.0, -1.0), (1.0, 1.0)]> : tensor<4xcomplex<f64>>
  func.return
}

// -----

func.func @fft_of_odd_length() {
  %operand = stablehlo.constant dense<[(1.0, 0.0), (2.0, 0.0), (4.0, 0.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [3] : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  // 1 + 6 * cos(120 degrees) = -2, 2 * sin(120 degrees) = 1.7320508.
  %expected = stablehlo.constant dense<[(7.0, 0.0), (-2.0, 1.73205081), (-2.0, -1.73205081)]> : tensor<3xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  func.return
}

// -----

func.func @fft_of_each_row() {
  %operand = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0)], [(0.0, 1.0), (3.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [2] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %result, dense<[[(3.0, 0.0), (-1.0, 0.0)], [(3.0, 1.0), (-3.0, 1.0)]]> : tensor<2x2xcomplex<f64>>
  func.return
}

// -----

func.func @fft_of_two_dimensions() {
  %operand = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0)], [(4.0, 0.0), (8.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [2, 2] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %result, dense<[[(15.0, 0.0), (-5.0, 0.0)], [(-9.0, 0.0), (3.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  func.return
}

// -----

func.func @fft_of_three_dimensions() {
  %operand = stablehlo.constant dense<[[[(1.0, 0.0), (2.0, 0.0)]], [[(4.0, 0.0), (8.0, 0.0)]]]> : tensor<2x1x2xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [2, 1, 2] : (tensor<2x1x2xcomplex<f64>>) -> tensor<2x1x2xcomplex<f64>>
  check.expect_eq_const %result, dense<[[[(15.0, 0.0), (-5.0, 0.0)]], [[(-9.0, 0.0), (3.0, 0.0)]]]> : tensor<2x1x2xcomplex<f64>>
  func.return
}

// -----

func.func @ifft() {
  %operand = stablehlo.constant dense<[(7.0, 0.0), (-1.0, 4.0), (-5.0, 0.0), (-1.0, -4.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.fft %operand, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (5.0, 0.0)]> : tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @rfft_of_even_length() {
  %operand = stablehlo.constant dense<[0.0, 1.0, 1.0, 5.0]> : tensor<4xf32>
  %result = stablehlo.fft %operand, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(7.0, 0.0), (-1.0, 4.0), (-5.0, 0.0)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

func.func @rfft_of_odd_length() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf64>
  %result = stablehlo.fft %operand, type = RFFT, length = [3] : (tensor<3xf64>) -> tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(7.0, 0.0), (-2.0, 1.7320508075688772)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

func.func @irfft_of_even_length() {
  %operand = stablehlo.constant dense<[(7.0, 0.0), (-1.0, 4.0), (-5.0, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.fft %operand, type = IRFFT, length = [4] : (tensor<3xcomplex<f64>>) -> tensor<4xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 1.0, 5.0]> : tensor<4xf64>
  func.return
}

// -----

func.func @irfft_of_odd_length() {
  %operand = stablehlo.constant dense<[(7.0, 0.0), (-2.0, 1.7320508075688772)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.fft %operand, type = IRFFT, length = [3] : (tensor<2xcomplex<f64>>) -> tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[1.0, 2.0, 4.0]> : tensor<3xf64>
  func.return
}

// -----

// The first and the last element would be real if this were the transform of a real tensor.
func.func @irfft_ignores_imaginary_parts() {
  %operand = stablehlo.constant dense<[(7.0, 3.0), (-1.0, 4.0), (-5.0, 8.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.fft %operand, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 1.0, 5.0]> : tensor<4xf32>
  func.return
}

// -----

func.func @irfft_of_two_dimensions() {
  %operand = stablehlo.constant dense<[[(15.0, 0.0), (-5.0, 0.0)], [(-9.0, 0.0), (3.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %result = stablehlo.fft %operand, type = IRFFT, length = [2, 2] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 2.0], [4.0, 8.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @fft_of_length_zero() {
  %operand = stablehlo.constant dense<> : tensor<2x0xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [0] : (tensor<2x0xcomplex<f32>>) -> tensor<2x0xcomplex<f32>>
  check.expect_eq_const %result, dense<> : tensor<2x0xcomplex<f32>>
  func.return
}

// -----

func.func @rfft_of_length_zero() {
  %operand = stablehlo.constant dense<> : tensor<0xf32>
  %result = stablehlo.fft %operand, type = RFFT, length = [0] : (tensor<0xf32>) -> tensor<0xcomplex<f32>>
  check.expect_eq_const %result, dense<> : tensor<0xcomplex<f32>>
  func.return
}
