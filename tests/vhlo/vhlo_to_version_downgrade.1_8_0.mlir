// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.8.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_exponential">
// CHECK: "vhlo.exponential_v1"
// CHECK: "vhlo.return_v1"
func.func @op_exponential(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f4E2M1FN">
// CHECK: "vhlo.return_v1"
func.func @type_f4E2M1FN(%value: tensor<2xf4E2M1FN>) -> tensor<2xf4E2M1FN> {
  func.return %value : tensor<2xf4E2M1FN>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f6E2M3FN">
// CHECK: "vhlo.return_v1"
func.func @type_f6E2M3FN(%value: tensor<2xf6E2M3FN>) -> tensor<2xf6E2M3FN> {
  func.return %value : tensor<2xf6E2M3FN>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f6E3M2FN">
// CHECK: "vhlo.return_v1"
func.func @type_f6E3M2FN(%value: tensor<2xf6E3M2FN>) -> tensor<2xf6E3M2FN> {
  func.return %value : tensor<2xf6E3M2FN>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f8E8M0FNU">
// CHECK: "vhlo.return_v1"
func.func @type_f8E8M0FNU(%value: tensor<2xf8E8M0FNU>) -> tensor<2xf8E8M0FNU> {
  func.return %value : tensor<2xf8E8M0FNU>
}
