// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.10.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_cbrt">
// CHECK: "vhlo.cbrt_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_cbrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cbrt"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_cosine">
// CHECK: "vhlo.cosine_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_cosine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cosine"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_exponential_minus_one">
// CHECK: "vhlo.exponential_minus_one_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_exponential_minus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential_minus_one"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_log">
// CHECK: "vhlo.log_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_log(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_log_plus_one">
// CHECK: "vhlo.log_plus_one_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_log_plus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log_plus_one"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_logistic">
// CHECK: "vhlo.logistic_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_logistic(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.logistic"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_rsqrt">
// CHECK: "vhlo.rsqrt_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_rsqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.rsqrt"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_sine">
// CHECK: "vhlo.sine_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_sine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sine"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_sqrt">
// CHECK: "vhlo.sqrt_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_sqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sqrt"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_tan">
// CHECK: "vhlo.tan_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_tan(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tan"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_tanh">
// CHECK: "vhlo.tanh_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_tanh(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tanh"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
