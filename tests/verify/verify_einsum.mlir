// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// The deprecated einsum and unary_einsum have no verifier: only the types of operands and attributes are
// checked.

func.func @einsum(%lhs: tensor<4x9xf32>, %rhs: tensor<9x3xf32>) {
  %0 = stablehlo.einsum %lhs, %rhs, config = "ab,bc->ac" : (tensor<4x9xf32>, tensor<9x3xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @einsum_dynamic(%lhs: tensor<?x9xf32>, %rhs: tensor<9x?xf32>) {
  %0 = stablehlo.einsum %lhs, %rhs, config = "ab,bc->ca" : (tensor<?x9xf32>, tensor<9x?xf32>) -> tensor<?x?xf32>
  func.return
}

// -----

func.func @unary_einsum(%operand: tensor<4x9xf32>) {
  %0 = stablehlo.unary_einsum %operand, config = "ab->b" : (tensor<4x9xf32>) -> tensor<9xf32>
  func.return
}

// -----

func.func @einsum_operand(%lhs: tensor<4x9xindex>, %rhs: tensor<9x3xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.einsum %lhs, %rhs, config = "ab,bc->ac" : (tensor<4x9xindex>, tensor<9x3xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @einsum_config(%lhs: tensor<4x9xf32>, %rhs: tensor<9x3xf32>) {
  // expected-error@+1 {{requires attribute 'einsum_config'}}
  %0 = "stablehlo.einsum"(%lhs, %rhs) : (tensor<4x9xf32>, tensor<9x3xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @unary_einsum_config(%operand: tensor<4x9xf32>) {
  // expected-error@+1 {{attribute 'einsum_config' failed to satisfy constraint: string attribute}}
  %0 = "stablehlo.unary_einsum"(%operand) {einsum_config = 3 : i64} : (tensor<4x9xf32>) -> tensor<9xf32>
  func.return
}
