// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.15.0' --split-input-file --verify-diagnostics %s

// needs: attribute 'replica_groups = replica_group_mesh_axes<mesh = mesh<axes = array<[mesh_axis<name = string<"x">, size = 2>]>>, axes = ar...' of operation 'stablehlo.all_reduce' needs StableHLO 1.16.0 (replica groups given by meshes)
// expected-error@+1 {{failed to convert VHLO to v1.15.0}}
module {
  func.func @op_all_reduce_over_mesh(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.all_reduce_v}}
    %0 = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %1 = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
