// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @reduce_precision(%operand: tensor<4xf32>) {
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : tensor<4xf32>
  func.return
}

// -----

func.func @reduce_precision_no_mantissa(%operand: tensor<4xf64>) {
  %0 = stablehlo.reduce_precision %operand, format = e1m0 : tensor<4xf64>
  func.return
}

// -----

func.func @reduce_precision_dynamic(%operand: tensor<?x3xbf16>) {
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : (tensor<?x3xbf16>) -> tensor<4x?xbf16>
  func.return
}

// -----

func.func @reduce_precision_bounded(%operand: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : tensor<?xf32, #stablehlo.bounds<4>>
  func.return
}

// -----

func.func @reduce_precision_quantized(%operand: tensor<4x!quant.uniform<i8:f32, 0.5:2>>) {
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : tensor<4x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @reduce_precision_c1_element(%operand: tensor<4xf32>) {
  // expected-error@+1 {{requires compatible types for all operands and results}}
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : (tensor<4xf32>) -> tensor<4xf64>
  func.return
}

// -----

func.func @reduce_precision_c1_shape(%operand: tensor<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : (tensor<4xf32>) -> tensor<5xf32>
  func.return
}

// -----

func.func @reduce_precision_c2(%operand: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'exponent_bits' failed to satisfy constraint}}
  %0 = "stablehlo.reduce_precision"(%operand) {
    exponent_bits = 0 : i32, mantissa_bits = 2 : i32
  } : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_precision_c3(%operand: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'mantissa_bits' failed to satisfy constraint}}
  %0 = "stablehlo.reduce_precision"(%operand) {
    exponent_bits = 5 : i32, mantissa_bits = -1 : i32
  } : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_precision_i1(%operand: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : tensor<4xi32>
  func.return
}

// -----

func.func @reduce_precision_parse_format(%operand: tensor<4xf32>) {
  // expected-error@+1 {{expected exponent mantissa in format e#m#, saw m2e5}}
  %0 = stablehlo.reduce_precision %operand, format = m2e5 : tensor<4xf32>
  func.return
}

// -----

func.func @reduce_precision_parse_exponent(%operand: tensor<4xf32>) {
  // expected-error@+1 {{unable to parse exponent '98765432109876543210'}}
  %0 = stablehlo.reduce_precision %operand, format = e98765432109876543210m2 : tensor<4xf32>
  func.return
}

// -----

func.func @reduce_precision_parse_mantissa(%operand: tensor<4xf32>) {
  // expected-error@+1 {{unable to parse mantissa '98765432109876543210'}}
  %0 = stablehlo.reduce_precision %operand, format = e5m98765432109876543210 : tensor<4xf32>
  func.return
}

// -----

func.func @reduce_precision_parse_operands(%operand: tensor<4xf32>) {
  // expected-error@+1 {{1 operands present, but expected 2}}
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @reduce_precision_parse_results(%operand: tensor<4xf32>) {
  // expected-error@+1 {{expected single output}}
  %0 = stablehlo.reduce_precision %operand, format = e5m2 : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  func.return
}
