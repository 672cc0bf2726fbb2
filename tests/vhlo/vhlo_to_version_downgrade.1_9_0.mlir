// RUN: stablehlo-translate --serialize --target=1.9.0 --strip-debuginfo %s -o %t
// RUN: stablehlo-translate --deserialize %t | FileCheck %s

// CHECK: @op_cbrt(
func.func @op_cbrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cbrt"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_cosine(
func.func @op_cosine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cosine"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_exponential_minus_one(
func.func @op_exponential_minus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential_minus_one"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_log(
func.func @op_log(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_log_plus_one(
func.func @op_log_plus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log_plus_one"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_logistic(
func.func @op_logistic(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.logistic"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_rsqrt(
func.func @op_rsqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.rsqrt"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_sine(
func.func @op_sine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sine"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_sqrt(
func.func @op_sqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sqrt"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_tan(
func.func @op_tan(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tan"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK: @op_tanh(
func.func @op_tanh(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tanh"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
