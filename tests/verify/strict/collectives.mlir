// RUN: stablehlo-opt --strict --split-input-file --verify-diagnostics %s
// RUN: stablehlo-opt --split-input-file %s

// The bindings accept these programs; each breaks the constraint after which its function is named.

// -----

func.func @all_gather_c5(%arg0: tensor<4x2xf32>) {
  // expected-error@+1 {{channel_id must be positive if use_global_device_ids is set, got 0 (C5)}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>} : (tensor<4x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_gather_c5_missing(%arg0: tensor<4x2xf32>) {
  // expected-error@+1 {{channel_id must be positive if use_global_device_ids is set, got 0 (C5)}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_gather_c6_factor(%arg0: tensor<4x2xf32>) {
  // expected-error@+1 {{all_gather_dim must grow by the size of the process groups, 2, got tensor<4x2xf32> and tensor<4x6xf32> (C6)}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x2xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @all_gather_c6_multiple(%arg0: tensor<4x2xf32>) {
  // expected-error@+1 {{all_gather_dim must grow by the size of the process groups, 2, got tensor<4x2xf32> and tensor<4x8xf32> (C6)}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @all_reduce_c5_promotion(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{computation must have a type that f32 can be promoted to, got f16 (C5)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    stablehlo.return %x : tensor<f16>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @reduce_scatter_c1_group_size(%arg0: tensor<4x9xf32>) {
  // expected-error@+2 {{scatter_dimension must be a multiple of the size of the process groups, got 9 and 2 (C1)}}
  // expected-error@+1 {{scatter_dimension must shrink by the size of the process groups, 2, got tensor<4x9xf32> and tensor<4x3xf32> (C8)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x9xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c8_factor(%arg0: tensor<4x6xf32>) {
  // expected-error@+1 {{scatter_dimension must shrink by the size of the process groups, 2, got tensor<4x6xf32> and tensor<4x2xf32> (C8)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_reduce_c7_quantized(%arg0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{results must have the element type that computation returns, got tensor<2x2x!quant.uniform<i8:f32, 2.500000e-01:3>> and !quant.uniform<i8:f32, 5.000000e-01:3> (C7)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5:3>>, %y: tensor<!quant.uniform<i8:f32, 0.5:3>>):
    %1 = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 0.5:3>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 0.5:3>>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25:3>>
  return
}

// -----

func.func @reduce_scatter_c7_narrower(%arg0: tensor<4xf64>) {
  // expected-error@+1 {{computation must have a type that f64 can be promoted to, got f16 (C7)}}
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    %1 = stablehlo.add %x, %y : tensor<f16>
    stablehlo.return %1 : tensor<f16>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf64>) -> tensor<2xf16>
  return
}

// -----

func.func @all_gather_c6_across_partitions(%arg0: tensor<4x2xf32>) {
  // expected-error@+1 {{all_gather_dim must grow by the size of the process groups, 3, got tensor<4x2xf32> and tensor<16x2xf32> (C6)}}
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>} : (tensor<4x2xf32>) -> tensor<16x2xf32>
  return
}

// -----

func.func @all_reduce_c5_memref(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{computation must take and return tensors, got memref<f32> (C5)}}
  %0 = "stablehlo.all_reduce"(%arg0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = memref.alloc() : memref<f32>
    stablehlo.return %1 : memref<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c5_second_of_two(%arg0: tensor<4xf32>, %arg1: tensor<4xf64>) {
  // expected-error@+1 {{computation must have a type that f64 can be promoted to, got f32 (C5)}}
  %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
