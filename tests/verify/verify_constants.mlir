// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Literals that do not fit their types.

// -----

func.func @integer_constant_c1() {
  // expected-error@+1 {{integer constant out of range for type}}
  %0 = stablehlo.constant dense<300> : tensor<i8>
  return
}

// -----

func.func @integer_constant_c1_unsigned() {
  // expected-error@+1 {{expected unsigned integer elements, but parsed negative value}}
  %0 = stablehlo.constant dense<-1> : tensor<ui8>
  return
}

// -----

func.func @float_constant_c1() {
  // expected-error@+1 {{expected floating point literal}}
  %0 = stablehlo.constant dense<true> : tensor<f32>
  return
}

// -----

func.func @float_constant_c2() {
  // expected-error@+1 {{hexadecimal float constant out of range for type}}
  %0 = stablehlo.constant dense<0x123456789A> : tensor<f32>
  return
}

// -----

func.func @complex_constant_c1() {
  // expected-error@+1 {{expected floating point literal}}
  %0 = stablehlo.constant dense<(true, 1.0)> : tensor<complex<f32>>
  return
}

// -----

func.func @complex_constant_c2() {
  // expected-error@+1 {{hexadecimal float constant out of range for type}}
  %0 = stablehlo.constant dense<(1.0, 0x123456789A)> : tensor<complex<f32>>
  return
}

// -----

func.func @tensor_constant_c1() {
  // expected-error@+1 {{expected integer elements, but parsed floating-point}}
  %0 = stablehlo.constant dense<[1, 2.5]> : tensor<2xi32>
  return
}

// -----

func.func @tensor_constant_c2() {
  // expected-error@+1 {{inferred shape of elements literal ([2, 3]) does not match type ([3, 2])}}
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<3x2xi32>
  return
}

// -----

func.func @tensor_constant_c2_ragged() {
  // expected-error@+1 {{tensor literal is invalid; ranks are not consistent between elements}}
  %0 = stablehlo.constant dense<[[1, 2], [3]]> : tensor<2x2xi32>
  return
}

// -----

func.func @quantized_constant_c1_literal() {
  // expected-error@+1 {{expected string token, got 1.5}}
  %0 = stablehlo.constant dense<1.5> : tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @quantized_constant_c1_literal_range() {
  // expected-error@+1 {{expected string token, got 300}}
  %0 = stablehlo.constant dense<300> : tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @quantized_constant_c2_literal() {
  // expected-error@+1 {{inferred shape of elements literal ([3]) does not match type ([2])}}
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @quantized_constant_c1() {
  // expected-error@+2 {{inferred type(s) 'tensor<2xi16>' are incompatible with return type(s) of operation 'tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi16>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @quantized_constant_c1_float() {
  // expected-error@+2 {{inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @quantized_constant_c2() {
  // expected-error@+2 {{inferred type(s) 'tensor<2xi8>' are incompatible with return type(s) of operation 'tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  return
}
