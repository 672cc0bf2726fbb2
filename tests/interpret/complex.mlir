// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @complex_op() {
  %lhs = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf64>
  %result = stablehlo.complex %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

// Made without arithmetic: i times infinity would spoil the real part, and the zeros keep their signs.
func.func @complex_op_special_values() {
  %lhs = stablehlo.constant dense<[1.0, -0.0, 0x7F800000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[0x7F800000, -0.0, 0x7FC00001]> : tensor<3xf32>
  %result = stablehlo.complex %lhs, %rhs : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0x7F800000), (-0.0, -0.0), (0x7F800000, 0x7FC00001)]> : tensor<3xcomplex<f32>>
  func.return
}

// -----

func.func @complex_op_scalars() {
  %lhs = stablehlo.constant dense<1.0> : tensor<f32>
  %rhs = stablehlo.constant dense<-2.0> : tensor<f32>
  %result = stablehlo.complex %lhs, %rhs : tensor<complex<f32>>
  check.expect_eq_const %result, dense<(1.0, -2.0)> : tensor<complex<f32>>
  func.return
}
