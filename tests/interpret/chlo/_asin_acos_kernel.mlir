// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// asin(z) = atan2(x, real) + i sign(y) imag.
func.func @asin_acos_kernel_op() {
  %operand = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %kernel = "chlo._asin_acos_kernel"(%operand) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  %asin = chlo.asin %operand : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %x = stablehlo.real %operand : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %w = stablehlo.real %kernel : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %angle = stablehlo.atan2 %x, %w : tensor<2xf64>
  %height = stablehlo.imag %kernel : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %result = stablehlo.complex %angle, %height : tensor<2xcomplex<f64>>
  check.expect_close %result, %asin, max_ulp_difference = 1 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
