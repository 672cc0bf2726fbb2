// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.5.0' --split-input-file --verify-diagnostics %s

// needs: type 'tf31' of operation 'stablehlo.dot_general' needs StableHLO 1.6.0 (algorithm of dot_general)
// expected-error@+1 {{failed to convert VHLO to v1.5.0}}
module {
  func.func @op_dot_general_with_algorithm(%lhs: tensor<2x3xf32>, %rhs: tensor<3x2xf32>) -> tensor<2x2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.dot_general_v}}
    %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    func.return %0 : tensor<2x2xf32>
  }
}
