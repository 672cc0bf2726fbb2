// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// CHLO has no specification: functions are named after the operation and what is wrong, if anything is.

func.func @unary_static(%operand: tensor<2x3xf32>) {
  %0 = chlo.acos %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = chlo.acosh %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = chlo.asin %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %3 = chlo.asinh %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %4 = chlo.atan %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %5 = chlo.atanh %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %6 = chlo.bessel_i1e %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %7 = chlo.conj %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %8 = chlo.cosh %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %9 = chlo.sinh %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %10 = chlo.square %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %11 = chlo.tan %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %12 = chlo.digamma %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %13 = chlo.erf %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %14 = chlo.erf_inv %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %15 = chlo.erfc %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  %16 = chlo.lgamma %operand : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

func.func @unary_complex(%operand: tensor<5xcomplex<f64>>) {
  %0 = chlo.acos %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %1 = chlo.acosh %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %2 = chlo.asin %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %3 = chlo.asinh %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %4 = chlo.atan %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %5 = chlo.atanh %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %6 = chlo.bessel_i1e %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %7 = chlo.conj %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %8 = chlo.cosh %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %9 = chlo.sinh %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %10 = chlo.square %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %11 = chlo.tan %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  %12 = chlo._asin_acos_kernel %operand : tensor<5xcomplex<f64>> -> tensor<5xcomplex<f64>>
  func.return
}

// -----

func.func @unary_dynamic(%operand: tensor<?x3xf16>) {
  %0 = chlo.acos %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %1 = chlo.acosh %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %2 = chlo.asin %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %3 = chlo.asinh %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %4 = chlo.atan %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %5 = chlo.atanh %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %6 = chlo.bessel_i1e %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %7 = chlo.conj %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %8 = chlo.cosh %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %9 = chlo.sinh %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %10 = chlo.square %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %11 = chlo.tan %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %12 = chlo.digamma %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %13 = chlo.erf %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %14 = chlo.erf_inv %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %15 = chlo.erfc %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  %16 = chlo.lgamma %operand : tensor<?x3xf16> -> tensor<2x?xf16>
  func.return
}

// -----

func.func @unary_bounded(%operand: tensor<?x3xf32, #stablehlo.bounds<2, ?>>) {
  %0 = chlo.erf %operand : tensor<?x3xf32, #stablehlo.bounds<2, ?>> -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  %1 = chlo.sinh %operand : tensor<?x3xf32, #stablehlo.bounds<2, ?>> -> tensor<?x3xf32>
  func.return
}

// -----

func.func @unary_unranked(%operand: tensor<*xf32>) {
  %0 = chlo.erfc %operand : tensor<*xf32> -> tensor<*xf32>
  %1 = chlo.acos %operand : tensor<*xf32> -> tensor<*xf32>
  func.return
}

// -----

func.func @classification(%operand: tensor<2x3xf32>, %dynamic: tensor<?xbf16>) {
  %0 = chlo.is_inf %operand : tensor<2x3xf32> -> tensor<2x3xi1>
  %1 = chlo.is_inf %dynamic : tensor<?xbf16> -> tensor<?xi1>
  %2 = chlo.is_neg_inf %operand : tensor<2x3xf32> -> tensor<2x3xi1>
  %3 = chlo.is_neg_inf %dynamic : tensor<?xbf16> -> tensor<?xi1>
  %4 = chlo.is_pos_inf %operand : tensor<2x3xf32> -> tensor<2x3xi1>
  %5 = chlo.is_pos_inf %dynamic : tensor<?xbf16> -> tensor<?xi1>
  func.return
}

// -----

func.func @acos_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.acos %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @acosh_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.acosh %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @asin_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.asin %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @asinh_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.asinh %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @atan_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.atan %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @atanh_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.atanh %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @bessel_i1e_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.bessel_i1e %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @conj_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.conj %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @cosh_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.cosh %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @sinh_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.sinh %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @square_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.square %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @tan_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.tan %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @digamma_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.digamma %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @erf_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.erf %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @erf_inv_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.erf_inv %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @erfc_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.erfc %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @lgamma_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.lgamma %operand : tensor<4xf32> -> tensor<4xf64>
  func.return
}

// -----

func.func @asin_acos_kernel_result_element(%operand: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo._asin_acos_kernel %operand : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f64>>
  func.return
}

// -----

func.func @asin_acos_kernel_operand_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be tensor of complex type with 32/64-bit float elements}}
  %0 = chlo._asin_acos_kernel %operand : tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @erf_result_shape(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.erf %operand : tensor<4xf32> -> tensor<5xf32>
  func.return
}

// -----

func.func @tan_result_shape(%operand: tensor<?x4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.tan %operand : tensor<?x4xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @lgamma_operand_element(%operand: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be tensor of}}
  %0 = chlo.lgamma %operand : tensor<4xi32> -> tensor<4xi32>
  func.return
}

// -----

func.func @conj_operand_element(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:2>>) {
  // expected-error@+1 {{operand #0 must be tensor of}}
  %0 = chlo.conj %operand : tensor<4x!quant.uniform<i8:f32, 0.5:2>> -> tensor<4x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @is_inf_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{result #0 must be tensor of bool values}}
  %0 = chlo.is_inf %operand : tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @is_inf_result_shape(%operand: tensor<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = chlo.is_inf %operand : tensor<4xf32> -> tensor<3xi1>
  func.return
}

// -----

func.func @is_neg_inf_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{result #0 must be tensor of bool values}}
  %0 = chlo.is_neg_inf %operand : tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @is_neg_inf_result_shape(%operand: tensor<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = chlo.is_neg_inf %operand : tensor<4xf32> -> tensor<3xi1>
  func.return
}

// -----

func.func @is_pos_inf_result_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{result #0 must be tensor of bool values}}
  %0 = chlo.is_pos_inf %operand : tensor<4xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @is_pos_inf_result_shape(%operand: tensor<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = chlo.is_pos_inf %operand : tensor<4xf32> -> tensor<3xi1>
  func.return
}

// -----

func.func @binary_static(%lhs: tensor<2x3xf32>, %rhs: tensor<2x3xf32>) {
  %0 = chlo.next_after %lhs, %rhs : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = chlo.polygamma %lhs, %rhs : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = chlo.zeta %lhs, %rhs : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  func.return
}

// -----

func.func @binary_dynamic(%lhs: tensor<?x3xf64>, %rhs: tensor<2x?xf64>) {
  %0 = chlo.next_after %lhs, %rhs : tensor<?x3xf64>, tensor<2x?xf64> -> tensor<2x3xf64>
  %1 = chlo.polygamma %lhs, %rhs : tensor<?x3xf64>, tensor<2x?xf64> -> tensor<2x3xf64>
  %2 = chlo.zeta %lhs, %rhs : tensor<?x3xf64>, tensor<2x?xf64> -> tensor<2x3xf64>
  func.return
}

// -----

func.func @mulhi(%lhs: tensor<4xui16>, %rhs: tensor<4xui16>) {
  %0 = chlo.mulhi %lhs, %rhs : tensor<4xui16>, tensor<4xui16> -> tensor<4xui16>
  func.return
}

// -----

func.func @next_after_operand_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.next_after %lhs, %rhs : tensor<4xf32>, tensor<4xf64> -> tensor<4xf32>
  func.return
}

// -----

func.func @next_after_operand_shapes(%lhs: tensor<4xf32>, %rhs: tensor<5xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.next_after %lhs, %rhs : tensor<4xf32>, tensor<5xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @polygamma_operand_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.polygamma %lhs, %rhs : tensor<4xf32>, tensor<4xf64> -> tensor<4xf32>
  func.return
}

// -----

func.func @polygamma_operand_shapes(%lhs: tensor<4xf32>, %rhs: tensor<5xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.polygamma %lhs, %rhs : tensor<4xf32>, tensor<5xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @zeta_operand_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.zeta %lhs, %rhs : tensor<4xf32>, tensor<4xf64> -> tensor<4xf32>
  func.return
}

// -----

func.func @zeta_operand_shapes(%lhs: tensor<4xf32>, %rhs: tensor<5xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.zeta %lhs, %rhs : tensor<4xf32>, tensor<5xf32> -> tensor<4xf32>
  func.return
}

// -----

func.func @mulhi_operand_elements(%lhs: tensor<4xi8>, %rhs: tensor<4xi16>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.mulhi %lhs, %rhs : tensor<4xi8>, tensor<4xi16> -> tensor<4xi8>
  func.return
}

// -----

func.func @mulhi_operand_shapes(%lhs: tensor<4xi8>, %rhs: tensor<5xi8>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = chlo.mulhi %lhs, %rhs : tensor<4xi8>, tensor<5xi8> -> tensor<4xi8>
  func.return
}

// -----

func.func @broadcast_static(%lhs: tensor<4x1x6xf32>, %rhs: tensor<5x1xf32>) {
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %1 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %2 = chlo.broadcast_divide %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %3 = chlo.broadcast_maximum %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %4 = chlo.broadcast_minimum %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %5 = chlo.broadcast_multiply %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %6 = chlo.broadcast_next_after %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %7 = chlo.broadcast_polygamma %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %8 = chlo.broadcast_power %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %9 = chlo.broadcast_remainder %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %10 = chlo.broadcast_shift_left %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %11 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %12 = chlo.broadcast_shift_right_logical %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %13 = chlo.broadcast_subtract %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  %14 = chlo.broadcast_zeta %lhs, %rhs : (tensor<4x1x6xf32>, tensor<5x1xf32>) -> tensor<4x5x6xf32>
  func.return
}

// -----

func.func @broadcast_logical(%lhs: tensor<6xi1>, %rhs: tensor<4x6xi1>) {
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %1 = chlo.broadcast_or %lhs, %rhs : (tensor<6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  %2 = chlo.broadcast_xor %lhs, %rhs : (tensor<6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
  func.return
}

// -----

func.func @broadcast_bitwise(%lhs: tensor<6xui8>, %rhs: tensor<ui8>) {
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<6xui8>, tensor<ui8>) -> tensor<6xui8>
  %1 = chlo.broadcast_or %lhs, %rhs : (tensor<6xui8>, tensor<ui8>) -> tensor<6xui8>
  %2 = chlo.broadcast_xor %lhs, %rhs : (tensor<6xui8>, tensor<ui8>) -> tensor<6xui8>
  func.return
}

// -----

func.func @broadcast_dynamic(%lhs: tensor<?x6xf32>, %rhs: tensor<4x1xf32>) {
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %1 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %2 = chlo.broadcast_divide %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %3 = chlo.broadcast_maximum %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %4 = chlo.broadcast_minimum %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %5 = chlo.broadcast_multiply %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %6 = chlo.broadcast_next_after %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %7 = chlo.broadcast_polygamma %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %8 = chlo.broadcast_power %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %9 = chlo.broadcast_remainder %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %10 = chlo.broadcast_shift_left %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %11 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %12 = chlo.broadcast_shift_right_logical %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %13 = chlo.broadcast_subtract %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %14 = chlo.broadcast_zeta %lhs, %rhs : (tensor<?x6xf32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @broadcast_unranked(%lhs: tensor<*xf32>, %rhs: tensor<4xf32>) {
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %1 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %2 = chlo.broadcast_divide %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %3 = chlo.broadcast_maximum %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %4 = chlo.broadcast_minimum %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %5 = chlo.broadcast_multiply %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %6 = chlo.broadcast_next_after %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %7 = chlo.broadcast_polygamma %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %8 = chlo.broadcast_power %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %9 = chlo.broadcast_remainder %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %10 = chlo.broadcast_shift_left %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %11 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %12 = chlo.broadcast_shift_right_logical %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %13 = chlo.broadcast_subtract %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  %14 = chlo.broadcast_zeta %lhs, %rhs : (tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32>
  func.return
}

// -----

func.func @broadcast_bounded(%lhs: tensor<?x1xf32, #stablehlo.bounds<4, ?>>, %rhs: tensor<1x6xf32>) {
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<?x1xf32, #stablehlo.bounds<4, ?>>, tensor<1x6xf32>) -> tensor<?x6xf32, #stablehlo.bounds<4, ?>>
  %1 = chlo.broadcast_power %lhs, %rhs : (tensor<?x1xf32, #stablehlo.bounds<4, ?>>, tensor<1x6xf32>) -> tensor<?x6xf32, #stablehlo.bounds<4, ?>>
  func.return
}

// -----

func.func @broadcast_dimensions(%lhs: tensor<4x6x7xf32>, %rhs: tensor<4x7xf32>) {
  %0 = chlo.broadcast_add %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %1 = chlo.broadcast_atan2 %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %2 = chlo.broadcast_divide %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %3 = chlo.broadcast_maximum %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %4 = chlo.broadcast_minimum %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %5 = chlo.broadcast_multiply %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %6 = chlo.broadcast_next_after %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %7 = chlo.broadcast_polygamma %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %8 = chlo.broadcast_power %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %9 = chlo.broadcast_remainder %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %10 = chlo.broadcast_shift_left %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %11 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %12 = chlo.broadcast_shift_right_logical %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %13 = chlo.broadcast_subtract %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  %14 = chlo.broadcast_zeta %lhs, %rhs {broadcast_dimensions = array<i64: 0, 2>} : (tensor<4x6x7xf32>, tensor<4x7xf32>) -> tensor<4x6x7xf32>
  func.return
}

// -----

func.func @broadcast_quantized(
    %lhs: tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, %rhs: tensor<6x!quant.uniform<i8:f32, 0.5:2>>) {
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<6x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>
  %1 = chlo.broadcast_maximum %lhs, %rhs : (tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>, tensor<6x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @broadcast_add_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_atan2_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_divide_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_divide %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_maximum_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = chlo.broadcast_maximum %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_minimum_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = chlo.broadcast_minimum %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_multiply_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_multiply %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_next_after_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_next_after %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_polygamma_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_polygamma %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_power_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_power %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_remainder_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_remainder %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_shift_left_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_shift_left %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_shift_right_arithmetic_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_shift_right_logical_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_shift_right_logical %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_subtract_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_subtract %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_zeta_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = chlo.broadcast_zeta %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_and_elements(%lhs: tensor<4xi8>, %rhs: tensor<4xi16>) {
  // expected-error@+2 {{mismatched operand types}}
  // expected-error@+1 {{'chlo.broadcast_and' op failed to infer returned types}}
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<4xi8>, tensor<4xi16>) -> tensor<4xi8>
  func.return
}

// -----

func.func @broadcast_and_operand(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be tensor of}}
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_or_elements(%lhs: tensor<4xi8>, %rhs: tensor<4xi16>) {
  // expected-error@+2 {{mismatched operand types}}
  // expected-error@+1 {{'chlo.broadcast_or' op failed to infer returned types}}
  %0 = chlo.broadcast_or %lhs, %rhs : (tensor<4xi8>, tensor<4xi16>) -> tensor<4xi8>
  func.return
}

// -----

func.func @broadcast_or_operand(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be tensor of}}
  %0 = chlo.broadcast_or %lhs, %rhs : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_xor_elements(%lhs: tensor<4xi8>, %rhs: tensor<4xi16>) {
  // expected-error@+2 {{mismatched operand types}}
  // expected-error@+1 {{'chlo.broadcast_xor' op failed to infer returned types}}
  %0 = chlo.broadcast_xor %lhs, %rhs : (tensor<4xi8>, tensor<4xi16>) -> tensor<4xi8>
  func.return
}

// -----

func.func @broadcast_xor_operand(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be tensor of}}
  %0 = chlo.broadcast_xor %lhs, %rhs : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_add_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_add' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_add' op failed to infer returned types}}
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_atan2_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_atan2' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_atan2' op failed to infer returned types}}
  %0 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_divide_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_divide' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_divide' op failed to infer returned types}}
  %0 = chlo.broadcast_divide %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_maximum_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_maximum' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_maximum' op failed to infer returned types}}
  %0 = chlo.broadcast_maximum %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_minimum_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_minimum' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_minimum' op failed to infer returned types}}
  %0 = chlo.broadcast_minimum %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_multiply_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_multiply' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_multiply' op failed to infer returned types}}
  %0 = chlo.broadcast_multiply %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_next_after_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_next_after' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_next_after' op failed to infer returned types}}
  %0 = chlo.broadcast_next_after %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_polygamma_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_polygamma' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_polygamma' op failed to infer returned types}}
  %0 = chlo.broadcast_polygamma %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_power_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_power' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_power' op failed to infer returned types}}
  %0 = chlo.broadcast_power %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_remainder_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_remainder' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_remainder' op failed to infer returned types}}
  %0 = chlo.broadcast_remainder %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_shift_left_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_shift_left' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_shift_left' op failed to infer returned types}}
  %0 = chlo.broadcast_shift_left %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_shift_right_arithmetic_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_shift_right_arithmetic' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_shift_right_arithmetic' op failed to infer returned types}}
  %0 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_shift_right_logical_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_shift_right_logical' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_shift_right_logical' op failed to infer returned types}}
  %0 = chlo.broadcast_shift_right_logical %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_subtract_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_subtract' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_subtract' op failed to infer returned types}}
  %0 = chlo.broadcast_subtract %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_zeta_result(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.broadcast_zeta' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_zeta' op failed to infer returned types}}
  %0 = chlo.broadcast_zeta %lhs, %rhs : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_and_result(%lhs: tensor<4x6xi8>, %rhs: tensor<6xi8>) {
  // expected-error@+2 {{'chlo.broadcast_and' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_and' op failed to infer returned types}}
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<4x6xi8>, tensor<6xi8>) -> tensor<6xi8>
  func.return
}

// -----

func.func @broadcast_or_result(%lhs: tensor<4x6xi8>, %rhs: tensor<6xi8>) {
  // expected-error@+2 {{'chlo.broadcast_or' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_or' op failed to infer returned types}}
  %0 = chlo.broadcast_or %lhs, %rhs : (tensor<4x6xi8>, tensor<6xi8>) -> tensor<6xi8>
  func.return
}

// -----

func.func @broadcast_xor_result(%lhs: tensor<4x6xi8>, %rhs: tensor<6xi8>) {
  // expected-error@+2 {{'chlo.broadcast_xor' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_xor' op failed to infer returned types}}
  %0 = chlo.broadcast_xor %lhs, %rhs : (tensor<4x6xi8>, tensor<6xi8>) -> tensor<6xi8>
  func.return
}

// -----

func.func @broadcast_subtract_dimensions_result(%lhs: tensor<4x6xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+2 {{'chlo.broadcast_subtract' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_subtract' op failed to infer returned types}}
  %0 = chlo.broadcast_subtract %lhs, %rhs {broadcast_dimensions = array<i64: 0>} : (tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x5xf32>
  func.return
}

// -----

func.func @broadcast_add_unverified_dimensions_size(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // What cannot be broadcast has no inferred shape: every result passes.
  %0 = chlo.broadcast_add %lhs, %rhs {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<9xf32>
  func.return
}

// -----

func.func @broadcast_add_unverified_dimensions_range(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // What cannot be broadcast has no inferred shape: every result passes.
  %0 = chlo.broadcast_add %lhs, %rhs {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<9xf32>
  func.return
}

// -----

func.func @broadcast_add_unverified_dimensions_sizes(%lhs: tensor<4x6xf32>, %rhs: tensor<6xf32>) {
  // What cannot be broadcast has no inferred shape: every result passes.
  %0 = chlo.broadcast_add %lhs, %rhs {broadcast_dimensions = array<i64: 0>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<9xf32>
  func.return
}

// -----

// expected-error@+1 {{incompatible shapes for broadcasting 4 and 5}}
func.func @broadcast_add_sizes(%lhs: tensor<4xf32>, %rhs: tensor<5xf32>) {
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<4xf32>, tensor<5xf32>) -> tensor<5xf32>
  func.return
}

// -----

// expected-error@+1 {{cannot mix bounded and static dimensions in broadcast}}
func.func @broadcast_power_bounds(%lhs: tensor<?xf32, #stablehlo.bounds<4>>, %rhs: tensor<4xf32>) {
  %0 = chlo.broadcast_power %lhs, %rhs : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

// expected-error@+1 {{incompatible shapes for broadcasting 2 and 3}}
func.func @broadcast_select_sizes(%pred: tensor<2xi1>, %on_true: tensor<3xf32>, %on_false: tensor<f32>) {
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<2xi1>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @broadcast_compare(%lhs: tensor<4x1xf32>, %rhs: tensor<6xf32>) {
  %0 = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction GE>} : (tensor<4x1xf32>, tensor<6xf32>) -> tensor<4x6xi1>
  func.return
}

// -----

func.func @broadcast_compare_total_order(%lhs: tensor<?xf32>, %rhs: tensor<4xf32>) {
  %0 = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction LT>, compare_type = #chlo<comparison_type TOTALORDER>} : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xi1>
  func.return
}

// -----

func.func @broadcast_compare_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xi32>) {
  // expected-error@+2 {{mismatched operand types}}
  // expected-error@+1 {{'chlo.broadcast_compare' op failed to infer returned types}}
  %0 = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi1>
  func.return
}

// -----

func.func @broadcast_compare_result(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+2 {{'chlo.broadcast_compare' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_compare' op failed to infer returned types}}
  %0 = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction NE>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>
  func.return
}

// -----

func.func @broadcast_compare_direction(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+1 {{requires attribute 'comparison_direction'}}
  %0 = chlo.broadcast_compare %lhs, %rhs : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  func.return
}

// -----

func.func @broadcast_complex(%lhs: tensor<4x1xf32>, %rhs: tensor<6xf32>) {
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<4x1xf32>, tensor<6xf32>) -> tensor<4x6xcomplex<f32>>
  func.return
}

// -----

func.func @broadcast_complex_dynamic(%lhs: tensor<?xf64>, %rhs: tensor<?xf64>) {
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xcomplex<f64>>
  func.return
}

// -----

func.func @broadcast_complex_elements(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) {
  // expected-error@+2 {{mismatched operand types}}
  // expected-error@+1 {{'chlo.broadcast_complex' op failed to infer returned types}}
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xcomplex<f32>>
  func.return
}

// -----

func.func @broadcast_complex_result(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) {
  // expected-error@+2 {{'chlo.broadcast_complex' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_complex' op failed to infer returned types}}
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f64>>
  func.return
}

// -----

func.func @broadcast_select(%pred: tensor<i1>, %on_true: tensor<4x1xf32>, %on_false: tensor<6xf32>) {
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<i1>, tensor<4x1xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @broadcast_select_dynamic(%pred: tensor<?xi1>, %on_true: tensor<4xi4>, %on_false: tensor<i4>) {
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<?xi1>, tensor<4xi4>, tensor<i4>) -> tensor<4xi4>
  func.return
}

// -----

func.func @broadcast_select_bounded(
    %pred: tensor<i1>, %on_true: tensor<?xf32, #stablehlo.bounds<4>>, %on_false: tensor<f32>) {
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<i1>, tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  func.return
}

// -----

func.func @broadcast_select_elements(%pred: tensor<i1>, %on_true: tensor<4xf32>, %on_false: tensor<4xf64>) {
  // expected-error@+2 {{mismatched operand types}}
  // expected-error@+1 {{'chlo.broadcast_select' op failed to infer returned types}}
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<i1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  func.return
}

// -----

func.func @broadcast_select_result(%pred: tensor<4xi1>, %on_true: tensor<f32>, %on_false: tensor<f32>) {
  // expected-error@+2 {{'chlo.broadcast_select' op inferred type(s)}}
  // expected-error@+1 {{'chlo.broadcast_select' op failed to infer returned types}}
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<4xi1>, tensor<f32>, tensor<f32>) -> tensor<5xf32>
  func.return
}

// -----

func.func @broadcast_select_pred(%pred: tensor<4xi8>, %on_true: tensor<f32>, %on_false: tensor<f32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of bool values}}
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<4xi8>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @constant() {
  %0 = chlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %1 = chlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  func.return
}

// -----

func.func @constant_result() {
  // expected-error@+2 {{'chlo.constant' op inferred type(s)}}
  // expected-error@+1 {{'chlo.constant' op failed to infer returned types}}
  %0 = "chlo.constant"() {value = dense<1> : tensor<2xi8>} : () -> tensor<3xi8>
  func.return
}

// -----

func.func @constant_like(%operand: tensor<2x?xi8>) {
  %0 = "chlo.constant_like"(%operand) {value = 1.5 : f32} : (tensor<2x?xi8>) -> tensor<2x?xf32>
  func.return
}

// -----

func.func @constant_like_bounded(%operand: tensor<?xf32, #stablehlo.bounds<3>>) {
  %0 = "chlo.constant_like"(%operand) {value = 7 : i8} : (tensor<?xf32, #stablehlo.bounds<3>>) -> tensor<?xi8, #stablehlo.bounds<3>>
  func.return
}

// -----

func.func @constant_like_unranked(%operand: tensor<*xf32>) {
  %0 = "chlo.constant_like"(%operand) {value = 7 : i8} : (tensor<*xf32>) -> tensor<*xi8>
  func.return
}

// -----

func.func @constant_like_element(%operand: tensor<4xi8>) {
  // expected-error@+1 {{value's type doesn't match element return type}}
  %0 = "chlo.constant_like"(%operand) {value = 1.5 : f32} : (tensor<4xi8>) -> tensor<4xf64>
  func.return
}

// -----

func.func @constant_like_shape(%operand: tensor<4xi8>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "chlo.constant_like"(%operand) {value = 1.5 : f32} : (tensor<4xi8>) -> tensor<5xf32>
  func.return
}

// -----

func.func @constant_like_value(%operand: tensor<4xi8>) {
  // expected-error@+1 {{attribute 'value' failed to satisfy constraint}}
  %0 = "chlo.constant_like"(%operand) {value = unit} : (tensor<4xi8>) -> tensor<4xf32>
  func.return
}

// -----

func.func @top_k(%operand: tensor<4x6xf32>) {
  %0:2 = chlo.top_k(%operand, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  func.return
}

// -----

func.func @top_k_dynamic(%operand: tensor<?x?xi8>) {
  %0:2 = chlo.top_k(%operand, k = 3) : tensor<?x?xi8> -> (tensor<?x3xi8>, tensor<?x3xi32>)
  func.return
}

// -----

func.func @top_k_bounded(%operand: tensor<?x6xf32, #stablehlo.bounds<4, ?>>) {
  %0:2 = chlo.top_k(%operand, k = 2) : tensor<?x6xf32, #stablehlo.bounds<4, ?>> -> (tensor<?x2xf32, #stablehlo.bounds<4, ?>>, tensor<?x2xi32, #stablehlo.bounds<4, ?>>)
  func.return
}

// -----

func.func @top_k_unranked(%operand: tensor<*xf32>) {
  %0:2 = chlo.top_k(%operand, k = 2) : tensor<*xf32> -> (tensor<*xf32>, tensor<*xi32>)
  func.return
}

// -----

func.func @top_k_rank(%operand: tensor<f32>) {
  // expected-error@+2 {{operand's rank must be at least 1}}
  // expected-error@+1 {{'chlo.top_k' op failed to infer returned types}}
  %0:2 = chlo.top_k(%operand, k = 1) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  func.return
}

// -----

func.func @top_k_size(%operand: tensor<4x6xf32>) {
  // expected-error@+2 {{operand's last dimension must be at least 7}}
  // expected-error@+1 {{'chlo.top_k' op failed to infer returned types}}
  %0:2 = chlo.top_k(%operand, k = 7) : tensor<4x6xf32> -> (tensor<4x7xf32>, tensor<4x7xi32>)
  func.return
}

// -----

func.func @top_k_values(%operand: tensor<4x6xf32>) {
  // expected-error@+2 {{'chlo.top_k' op inferred type(s)}}
  // expected-error@+1 {{'chlo.top_k' op failed to infer returned types}}
  %0:2 = chlo.top_k(%operand, k = 2) : tensor<4x6xf32> -> (tensor<4x3xf32>, tensor<4x2xi32>)
  func.return
}

// -----

func.func @top_k_indices(%operand: tensor<4x6xf32>) {
  // expected-error@+2 {{'chlo.top_k' op inferred type(s)}}
  // expected-error@+1 {{'chlo.top_k' op failed to infer returned types}}
  %0:2 = chlo.top_k(%operand, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi64>)
  func.return
}

// -----

func.func @top_k_negative(%operand: tensor<6xf32>) {
  // expected-error@+2 {{'chlo.top_k' op inferred type(s)}}
  // expected-error@+1 {{'chlo.top_k' op failed to infer returned types}}
  %0:2 = chlo.top_k(%operand, k = -1) : tensor<6xf32> -> (tensor<1xf32>, tensor<1xi32>)
  func.return
}

// -----

func.func @ragged_dot(%lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_shared_sizes(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<4xi32>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<4xi32>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_contracting(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [2], rhs_group_dimensions = []>
  } : (tensor<3x8x5xf32>, tensor<3x5x7xf32>, tensor<3x4xi64>) -> tensor<4x3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_batch(%lhs: tensor<3x8x5xf32>, %rhs: tensor<3x5x7xf32>, %group_sizes: tensor<4xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = []>
  } : (tensor<3x8x5xf32>, tensor<3x5x7xf32>, tensor<4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_dynamic(
    %lhs: tensor<3x?x?xf32>, %rhs: tensor<?x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x?x?xf32>, tensor<?x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x?x7xf32>
  func.return
}

// -----

func.func @ragged_dot_precision(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>,
    precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>]
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_precision_size(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{expects precision config to be empty or have <= 2 elements, got 3}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>,
    precision_config = [#chlo<precision HIGH>, #chlo<precision HIGH>, #chlo<precision HIGH>]
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_batching_sizes(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{lhs and rhs should have the same number of batching dimensions}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_contracting_sizes(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{lhs and rhs should have the same number of contracting dimensions}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_lhs_repeated(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{has duplicated dimension from lhs_batching_dimensions and lhs_contracting_dimensions: 0}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_rhs_repeated(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{has duplicated dimension from rhs_batching_dimensions and rhs_contracting_dimensions: 1}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_lhs_batching_range(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{lhs_batching_dimensions value: 3 is out of range: [0, 3)}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [3], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_lhs_contracting_range(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{lhs_contracting_dimensions value: -1 is out of range: [0, 3)}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [-1], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_rhs_batching_range(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{rhs_batching_dimensions value: 4 is out of range: [0, 4)}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [4],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_rhs_contracting_range(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{rhs_contracting_dimensions value: 9 is out of range: [0, 4)}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [9],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_batching_mismatch(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x2x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{batching dimension sizes must match for lhs/rhs}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x2x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_contracting_mismatch(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x6x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{contracting dimension sizes must match for lhs/rhs}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x6x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_no_ragged_dimension(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{There must be exactly one ragged dimension in the lhs}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_two_ragged_dimensions(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{There must be exactly one ragged dimension in the lhs}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_ragged_range(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{Expects lhs_ragged_dim to be in range [0, lhs_rank) i.e. [0, 3). got: 3}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [3], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_sizes_rank(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x8x4xi64>) {
  // expected-error@+1 {{expected group_sizes to have rank 2, got 3}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x8x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_sizes_rank_batch(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{expected group_sizes to have rank 1, got 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = []>
  } : (tensor<3x8x5xf32>, tensor<3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_sizes_shape(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<2x4xi64>) {
  // expected-error@+1 {{group_sizes is expected to have shape [3, 4], got [2, 4]}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<2x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_sizes_shape_contracting(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<3x5x7xf32>, %group_sizes: tensor<5x4xi64>) {
  // expected-error@+1 {{group_sizes is expected to have shape [3, 4], got [5, 4]}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [2], rhs_group_dimensions = []>
  } : (tensor<3x8x5xf32>, tensor<3x5x7xf32>, tensor<5x4xi64>) -> tensor<4x3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_range(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{Expects rhs_group_dim to be in range [0, rhs_rank) i.e. [0, 4). got: -1}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [-1]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_is_batching(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{has duplicated dimension from rhs_group_dimensions and rhs_batching_dimensions: 1}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_is_contracting(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{has duplicated dimension from rhs_group_dimensions and rhs_contracting_dimensions: 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [2]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_of_contracting(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{There must be zero group dimensions in the rhs when the ragged dimension is batch or contracting}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [2], rhs_group_dimensions = [2]>
  } : (tensor<3x8x5xf32>, tensor<3x5x7xf32>, tensor<3x4xi64>) -> tensor<4x3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_of_batch(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<3x5x7xf32>, %group_sizes: tensor<4xi64>) {
  // expected-error@+1 {{There must be zero group dimensions in the rhs when the ragged dimension is batch or contracting}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [2]>
  } : (tensor<3x8x5xf32>, tensor<3x5x7xf32>, tensor<4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_no_group(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{There must be exactly one group dimension in the rhs when the lhs ragged dimension is non-contracting}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = []>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_group_size(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<6x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{rhs group dimension is expected to have size=4, got 6}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<6x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_result(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{inferred shape '[3, 8, 7]' is incompatible with return type of operation}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x6xf32>
  func.return
}

// -----

func.func @ragged_dot_result_contracting(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  // expected-error@+1 {{inferred shape '[4, 3, 8, 7]' is incompatible with return type of operation}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [2], rhs_group_dimensions = []>
  } : (tensor<3x8x5xf32>, tensor<3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_parse_repeated(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
  // expected-error@+2 {{duplicated `lhs_ragged_dimensions` entry}}
  // expected-error@+1 {{failed parsing ragged dot dimension numbers attribute}}
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_ragged_dimensions = [1], lhs_ragged_dimensions = [1]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @ragged_dot_parse_unknown(
    %lhs: tensor<3x8x5xf32>, %rhs: tensor<4x3x5x7xf32>, %group_sizes: tensor<3x4xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
  // expected-error@+2 {{expected one of: `lhs_batching_dimensions`}}
  // expected-error@+1 {{failed parsing ragged dot dimension numbers attribute}}
    ragged_dot_dimension_numbers = #chlo.ragged_dot<ragged = [1]>
  } : (tensor<3x8x5xf32>, tensor<4x3x5x7xf32>, tensor<3x4xi64>) -> tensor<3x8x7xf32>
  func.return
}

// -----

func.func @scan(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_dynamic(%arg0: tensor<?x3xf32>, %arg1: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<?x3xf32>, tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_size(%arg0: tensor<?x3xf32>, %arg1: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, scan_dim_size = 4 : i64, is_reverse = true, is_associative = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<?x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_inner_dimension(%arg0: tensor<3x4xf32>, %arg1: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<3x4xf32>, tensor<3xf32>) -> (tensor<3x4xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_pretty(%inputs: tensor<4x3xf32>, %inits: tensor<3xf32>) {
  %0:2 = chlo.scan(%inputs) inits (%inits) dimension=0 {
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.multiply %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_no_inputs(%init: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%init) ({
  ^bb0(%carry: tensor<3xf32>):
    stablehlo.return %carry, %carry : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, scan_dim_size = 4 : i64,
    operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_neither(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{at least one of inputs or outputs must be present}}
  %0 = "chlo.scan"(%arg0) ({
  ^bb0(%carry: tensor<3xf32>):
    stablehlo.return %carry : tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>
  } : (tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @scan_unranked_input(%arg0: tensor<*xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{operand 0 is not ranked}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<*xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_unranked_init(%arg0: tensor<4x3xf32>, %arg1: tensor<*xf32>) {
  // expected-error@+1 {{operand 1 is not ranked}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<*xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_dimension_range(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{scan dimension of operand 0 is out of bounds}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_dimension_sizes(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{invalid scan dimension size of operand 0}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, scan_dim_size = 5 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_input_sizes(%arg0: tensor<4x3xf32>, %arg1: tensor<5x3xf32>, %arg2: tensor<3xf32>) {
  // expected-error@+1 {{invalid scan dimension size of operand 1}}
  %0:2 = "chlo.scan"(%arg0, %arg1, %arg2) ({
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>, %carry: tensor<3xf32>):
    stablehlo.return %x, %carry : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<5x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_argument_count(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{expects 2 arguments in the body, but got 1}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>):
    stablehlo.return %x, %x : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_input_argument(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{operand and body argument 0 are incompatible}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<2xf32>, %carry: tensor<3xf32>):
    stablehlo.return %carry, %carry : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_init_argument(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{operand and body argument 1 are incompatible}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf64>):
    stablehlo.return %x, %x : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_result_count(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+2 {{ScanOp body must return at least 1 values (carries)}}
  // expected-error@+1 {{'chlo.scan' op failed to infer returned types}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    stablehlo.return
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_output_shape(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+2 {{'chlo.scan' op inferred type(s)}}
  // expected-error@+1 {{'chlo.scan' op failed to infer returned types}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_carry_shape(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+2 {{'chlo.scan' op inferred type(s)}}
  // expected-error@+1 {{'chlo.scan' op failed to infer returned types}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<2xf32>)
  func.return
}

// -----

func.func @scan_unverified_elements(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // Inference compares shapes, but not element types.
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf64>, tensor<3xi8>)
  func.return
}

// -----

func.func @scan_result_kind(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+2 {{terminator operand 0 is not ranked}}
  // expected-error@+1 {{'chlo.scan' op failed to infer returned types}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.create_token : !stablehlo.token
    stablehlo.return %1, %carry : !stablehlo.token, tensor<3xf32>
  }) {
    dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_dimension_negative(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{attribute 'dimension' failed to satisfy constraint}}
  %0:2 = "chlo.scan"(%arg0, %arg1) ({
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    %1 = stablehlo.add %x, %carry : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  }) {
    dimension = -1 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_parse_operand_types(%inputs: tensor<4x3xf32>, %inits: tensor<3xf32>) {
  // expected-error@+1 {{operand types must match the number of inputs and inits}}
  %0:2 = chlo.scan(%inputs) inits (%inits) dimension=0 {
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    stablehlo.return %x, %carry : tensor<3xf32>, tensor<3xf32>
  } : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  func.return
}

// -----

func.func @scan_parse_result_types(%inputs: tensor<4x3xf32>, %inits: tensor<3xf32>) {
  // expected-error@+1 {{not enough result types to cover the required carries}}
  chlo.scan(%inputs) inits (%inits) dimension=0 {
  ^bb0(%x: tensor<3xf32>, %carry: tensor<3xf32>):
    stablehlo.return %x, %carry : tensor<3xf32>, tensor<3xf32>
  } : (tensor<4x3xf32>, tensor<3xf32>) -> ()
  func.return
}

// -----

func.func @unknown_attribute() {
  // expected-error@+1 {{unknown chlo attribute}}
  %0 = "chlo.constant"() {value = #chlo.nothing} : () -> tensor<f32>
  func.return
}
