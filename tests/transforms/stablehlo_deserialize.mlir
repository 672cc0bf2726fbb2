// RUN: stablehlo-opt --stablehlo-deserialize %s | FileCheck %s
// RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %s | FileCheck %s
// RUN: stablehlo-opt --stablehlo-deserialize --stablehlo-legalize-to-vhlo --vhlo-to-version=target=1.3.0 --stablehlo-deserialize %s | FileCheck %s

// VHLO of an old version (`func_v1` and `all_reduce_v1` had other successors since) becomes StableHLO.

// CHECK-LABEL: func.func public @main(
// CHECK-SAME: %arg0: tensor<4x?xf32>) -> tensor<4x?xf32>
// CHECK: "stablehlo.all_reduce"(%arg0)
// CHECK-SAME: replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>
// CHECK: stablehlo.maximum
// CHECK: stablehlo.tanh
// CHECK-NOT: vhlo
"vhlo.func_v1"() ({
^bb0(%arg0: !vhlo.tensor_v1<4x?x!vhlo.f32_v1>):
  %0 = "vhlo.all_reduce_v1"(%arg0) ({
  ^bb0(%x: !vhlo.tensor_v1<!vhlo.f32_v1>, %y: !vhlo.tensor_v1<!vhlo.f32_v1>):
    %1 = "vhlo.maximum_v1"(%x, %y) : (!vhlo.tensor_v1<!vhlo.f32_v1>, !vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
    "vhlo.return_v1"(%1) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> ()
  }) {
    channel_id = #vhlo.integer_v1<0 : i64>,
    replica_groups = #vhlo.tensor_v1<dense<[[0, 1]]> : tensor<1x2xi64>>,
    use_global_device_ids = #vhlo.bool_v1<false>
  } : (!vhlo.tensor_v1<4x?x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x?x!vhlo.f32_v1>
  %2 = "vhlo.tanh_v1"(%0) : (!vhlo.tensor_v1<4x?x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x?x!vhlo.f32_v1>
  "vhlo.return_v1"(%2) : (!vhlo.tensor_v1<4x?x!vhlo.f32_v1>) -> ()
}) {
  arg_attrs = #vhlo.array_v1<[]>,
  function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<4x?x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x?x!vhlo.f32_v1>>>,
  res_attrs = #vhlo.array_v1<[]>,
  sym_name = #vhlo.string_v1<"main">,
  sym_visibility = #vhlo.string_v1<"public">
} : () -> ()
