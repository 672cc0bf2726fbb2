// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.18.0' --mlir-print-op-generic %s > %t.vhlo
// RUN: FileCheck %s --input-file=%t.vhlo
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0
// RUN: stablehlo-opt %s > %t.1
// RUN: diff %t.0 %t.1

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_quantized_per_axis">
// CHECK: "vhlo.return_v1"
func.func @type_quantized_per_axis(%value: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01, 2.500000e-01:1}>>) -> tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01, 2.500000e-01:1}>> {
  func.return %value : tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01, 2.500000e-01:1}>>
}
