// VHLO as text: read, verified, printed, and converted from and to StableHLO and between versions.
// RUN: stablehlo-opt %s | FileCheck %s --check-prefix=SAME
// RUN: stablehlo-opt --mlir-print-op-generic %s > %t.generic
// RUN: stablehlo-opt %t.generic > %t.again
// RUN: stablehlo-opt %s > %t.printed
// RUN: diff %t.again %t.printed
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %s | FileCheck %s --check-prefix=STABLEHLO
// RUN: stablehlo-opt --vhlo-to-version='target=0.9.0' %s | FileCheck %s --check-prefix=OLD
// RUN: stablehlo-opt --vhlo-to-version='target=1.17.0' %s | FileCheck %s --check-prefix=NEW
// RUN: stablehlo-opt --vhlo-to-version='target=1.5.0' --vhlo-to-version='target=0.9.0' %s | FileCheck %s --check-prefix=OLD
// RUN: stablehlo-translate --deserialize %s > %t.stablehlo
// RUN: FileCheck %s --check-prefix=STABLEHLO --input-file=%t.stablehlo
// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.9.0' %t.stablehlo > %t.old
// RUN: FileCheck %s --check-prefix=OLD --input-file=%t.old

// SAME: vhlo.func_v1 @main
// SAME: "vhlo.exponential_v1"
// SAME: "vhlo.all_reduce_v1"

// STABLEHLO: func.func @main
// STABLEHLO: stablehlo.exponential
// STABLEHLO: "stablehlo.all_reduce"
// STABLEHLO: stablehlo.return
// STABLEHLO: return

// OLD: vhlo.func_v1 @main
// OLD: "vhlo.exponential_v1"
// OLD: "vhlo.all_reduce_v1"
// OLD: "vhlo.return_v1"

// NEW: vhlo.func_v1 @main
// NEW: "vhlo.exponential_v2"
// NEW: "vhlo.all_reduce_v2"
// NEW: "vhlo.return_v1"
vhlo.func_v1 @main(%x: !vhlo.tensor_v1<2x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<2x!vhlo.f32_v1>) {
  %0 = "vhlo.exponential_v1"(%x) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>
  %1 = "vhlo.all_reduce_v1"(%0) <{
    channel_id = #vhlo.integer_v1<0 : i64>,
    replica_groups = #vhlo.tensor_v1<dense<0> : tensor<1x1xi64>>,
    use_global_device_ids = #vhlo.bool_v1<false>
  }> ({
  ^bb0(%lhs: !vhlo.tensor_v1<!vhlo.f32_v1>, %rhs: !vhlo.tensor_v1<!vhlo.f32_v1>):
    %2 = "vhlo.add_v1"(%lhs, %rhs) : (!vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
    "vhlo.return_v1"(%2) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> ()
  }) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>
  "vhlo.return_v1"(%1) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}
