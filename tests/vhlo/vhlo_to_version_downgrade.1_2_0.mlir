// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.2.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_i2">
// CHECK: "vhlo.return_v1"
func.func @type_i2(%value: tensor<2xi2>) -> tensor<2xi2> {
  func.return %value : tensor<2xi2>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_ui2">
// CHECK: "vhlo.return_v1"
func.func @type_ui2(%value: tensor<2xui2>) -> tensor<2xui2> {
  func.return %value : tensor<2xui2>
}
