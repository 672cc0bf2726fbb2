// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.9.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_cbrt">
// CHECK: "vhlo.cbrt_v1"
// CHECK: "vhlo.return_v1"
func.func @op_cbrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cbrt"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_cosine">
// CHECK: "vhlo.cosine_v1"
// CHECK: "vhlo.return_v1"
func.func @op_cosine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cosine"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_exponential_minus_one">
// CHECK: "vhlo.exponential_minus_one_v1"
// CHECK: "vhlo.return_v1"
func.func @op_exponential_minus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential_minus_one"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_log">
// CHECK: "vhlo.log_v1"
// CHECK: "vhlo.return_v1"
func.func @op_log(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_log_plus_one">
// CHECK: "vhlo.log_plus_one_v1"
// CHECK: "vhlo.return_v1"
func.func @op_log_plus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log_plus_one"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_logistic">
// CHECK: "vhlo.logistic_v1"
// CHECK: "vhlo.return_v1"
func.func @op_logistic(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.logistic"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_rsqrt">
// CHECK: "vhlo.rsqrt_v1"
// CHECK: "vhlo.return_v1"
func.func @op_rsqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.rsqrt"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_sine">
// CHECK: "vhlo.sine_v1"
// CHECK: "vhlo.return_v1"
func.func @op_sine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sine"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_sqrt">
// CHECK: "vhlo.sqrt_v1"
// CHECK: "vhlo.return_v1"
func.func @op_sqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sqrt"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_tan">
// CHECK: "vhlo.tan_v1"
// CHECK: "vhlo.return_v1"
func.func @op_tan(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tan"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_tanh">
// CHECK: "vhlo.tanh_v1"
// CHECK: "vhlo.return_v1"
func.func @op_tanh(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tanh"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_exponential">
// CHECK: "vhlo.exponential_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_exponential(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
