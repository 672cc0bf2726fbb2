// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// Each function breaks one constraint of the specification, after which it is named; the ones without a
// label are valid.

func.func @dynamic_iota(%output_shape: tensor<2xi64>) {
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_iota_constant() {
  %output_shape = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_iota_dynamic(%output_shape: tensor<2xindex>) {
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xindex>) -> tensor<?x?xi4>
  func.return
}

// -----

func.func @dynamic_iota_bounded(%output_shape: tensor<2xi64>) {
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<?x6xui8, #stablehlo.bounds<4, ?>>
  func.return
}

// -----

func.func @dynamic_iota_quantized(%output_shape: tensor<2xi64>) {
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<4x6x!quant.uniform<i8:f32, 0.5:2>>
  func.return
}

// -----

func.func @dynamic_iota_c1_negative(%output_shape: tensor<2xi64>) {
  // expected-error@+1 {{attribute 'iota_dimension' failed to satisfy constraint}}
  %0 = "stablehlo.dynamic_iota"(%output_shape) {iota_dimension = -1 : i64} : (tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_iota_c1(%output_shape: tensor<2xi64>) {
  // expected-error@+1 {{iota dimension cannot go beyond the output rank}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 2 : (tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_iota_c2_size() {
  %output_shape = stablehlo.constant dense<[4, 6, 2]> : tensor<3xi64>
  // expected-error@+1 {{output shape [4, 6, 2] is incompatible with return type of operation}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<3xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_iota_c2_shape() {
  %output_shape = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  // expected-error@+1 {{output shape [4, 5] is incompatible with return type of operation}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @dynamic_iota_c2_negative() {
  %output_shape = stablehlo.constant dense<[-4, 6]> : tensor<2xi64>
  // expected-error@+1 {{output shape [-4, 6] is incompatible with return type of operation}}
  %0 = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<?x6xf32>
  func.return
}
