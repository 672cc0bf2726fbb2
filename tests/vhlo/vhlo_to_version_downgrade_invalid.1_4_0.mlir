// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.4.0' --split-input-file --verify-diagnostics %s

// needs: operation 'stablehlo.all_gather' needs StableHLO 1.5.0 (all_reduce, all_gather, all_to_all of several operands)
// expected-error@+1 {{failed to convert VHLO to v1.4.0}}
module {
  func.func @op_all_gather_of_two(%a: tensor<2x2xf32>, %b: tensor<2x2xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {
    // expected-error@+1 {{failed to legalize operation 'vhlo.all_gather_v}}
    %0:2 = "stablehlo.all_gather"(%a, %b) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<2x2xf32>, tensor<2x2xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
    func.return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xi32>
  }
}

// -----

// needs: operation 'stablehlo.all_reduce' needs StableHLO 1.5.0 (all_reduce, all_gather, all_to_all of several operands)
// expected-error@+1 {{failed to convert VHLO to v1.4.0}}
module {
  func.func @op_all_reduce_of_two(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
    // expected-error@+1 {{failed to legalize operation 'vhlo.all_reduce_v}}
    %0:2 = "stablehlo.all_reduce"(%a, %b) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %1 = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
    func.return %0#0, %0#1 : tensor<2xf32>, tensor<3xf32>
  }
}

// -----

// needs: operation 'stablehlo.all_to_all' needs StableHLO 1.5.0 (all_reduce, all_gather, all_to_all of several operands)
// expected-error@+1 {{failed to convert VHLO to v1.4.0}}
module {
  func.func @op_all_to_all_of_two(%a: tensor<2x4xf32>, %b: tensor<2x4xi32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
    // expected-error@+1 {{failed to legalize operation 'vhlo.all_to_all_v}}
    %0:2 = "stablehlo.all_to_all"(%a, %b) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
    func.return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
  }
}
