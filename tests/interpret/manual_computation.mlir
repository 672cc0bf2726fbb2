// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Devices of the mesh are the partitions of a grid, and what each returns is joined.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @manual_computation_op_product() {
  %x = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %w = stablehlo.constant dense<[[1], [10], [100], [1000]]> : tensor<4x1xi32>
  %0 = sdy.manual_computation(%x, %w)
      in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x", "y"} (%a: tensor<1x2xi32>, %b: tensor<2x1xi32>) {
    %1 = stablehlo.dot %a, %b : (tensor<1x2xi32>, tensor<2x1xi32>) -> tensor<1x1xi32>
    %2 = "stablehlo.all_reduce"(%1) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %3 = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}
      : (tensor<1x1xi32>) -> tensor<1x1xi32>
    sdy.return %2 : tensor<1x1xi32>
  } : (tensor<2x4xi32>, tensor<4x1xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %0, dense<[[4321], [8765]]> : tensor<2x1xi32>
  return
}

// -----

// A device is the partition that the mesh lists at its place. Of a tensor that is split along "y", then "x",
// device (x, y) has piece 2 y + x.
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
func.func @manual_computation_op_order_of_devices_and_axes() {
  %x = stablehlo.constant dense<[0, 10, 20, 30]> : tensor<4xui32>
  %0:2 = sdy.manual_computation(%x)
      in_shardings=[<@mesh, [{"y", "x"}]>] out_shardings=[<@mesh, [{"y", "x"}]>, <@mesh, [{"x", "y"}]>]
      manual_axes={"x", "y"} (%a: tensor<1xui32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %ids = stablehlo.reshape %id : (tensor<ui32>) -> tensor<1xui32>
    %1 = stablehlo.add %a, %ids : tensor<1xui32>
    sdy.return %1, %1 : tensor<1xui32>, tensor<1xui32>
  } : (tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>)
  check.expect_eq_const %0#0, dense<[3, 11, 22, 30]> : tensor<4xui32>
  check.expect_eq_const %0#1, dense<[3, 22, 11, 30]> : tensor<4xui32>
  return
}

// -----

// Sub-axes: the coordinate along "x" is 2 high + low.
sdy.mesh @mesh = <["x"=4]>
func.func @manual_computation_op_sub_axes() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = sdy.manual_computation(%x)
      in_shardings=[<@mesh, [{"x":(2)2}, {"x":(1)2}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%a: tensor<1x1xi64>) {
    sdy.return %a : tensor<1x1xi64>
  } : (tensor<2x2xi64>) -> tensor<4x1xi64>
  check.expect_eq_const %0, dense<[[1], [3], [2], [4]]> : tensor<4x1xi64>
  return
}

// -----

// Nothing is split, and yet there are four devices; of replicated results that of the first counts.
func.func @manual_computation_op_replicated() {
  %x = stablehlo.constant dense<7> : tensor<ui32>
  %0:2 = sdy.manual_computation(%x)
      in_shardings=[<mesh<["x"=2, "y"=2]>, []>] out_shardings=[<mesh<["x"=2, "y"=2]>, []>, <mesh<["x"=2, "y"=2]>, []>]
      manual_axes={"x", "y"} (%a: tensor<ui32>) {
    %0 = "stablehlo.all_reduce"(%a) ({
    ^bb0(%p: tensor<ui32>, %q: tensor<ui32>):
      %1 = stablehlo.add %p, %q : tensor<ui32>
      stablehlo.return %1 : tensor<ui32>
    }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}
      : (tensor<ui32>) -> tensor<ui32>
    %id = stablehlo.partition_id : tensor<ui32>
    sdy.return %0, %id : tensor<ui32>, tensor<ui32>
  } : (tensor<ui32>) -> (tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %0#0, dense<28> : tensor<ui32>
  check.expect_eq_const %0#1, dense<0> : tensor<ui32>
  return
}

// -----

// The inner computation takes pieces along "y" of what each device has: that splits along "x".
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @manual_computation_op_nested() {
  %x = stablehlo.constant dense<[[0, 0], [0, 0]]> : tensor<2x2xui32>
  %0 = sdy.manual_computation(%x)
      in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%a: tensor<1x2xui32>) {
    %1 = sdy.manual_computation(%a)
        in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>]
        manual_axes={"y"} (%b: tensor<1x1xui32>) {
      %id = stablehlo.partition_id : tensor<ui32>
      %ids = stablehlo.reshape %id : (tensor<ui32>) -> tensor<1x1xui32>
      %2 = stablehlo.add %b, %ids : tensor<1x1xui32>
      sdy.return %2 : tensor<1x1xui32>
    } : (tensor<1x2xui32>) -> tensor<1x2xui32>
    sdy.return %1 : tensor<1x2xui32>
  } : (tensor<2x2xui32>) -> tensor<2x2xui32>
  check.expect_eq_const %0, dense<[[0, 1], [2, 3]]> : tensor<2x2xui32>
  return
}
