// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.14.0' --split-input-file --verify-diagnostics %s

// needs: type 'future<tensor<2xf32>>' of operation 'func.func' needs StableHLO 1.15.0 (operations async_start and async_done, future types)
// expected-error@+1 {{failed to convert VHLO to v1.14.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func private @type_future(!stablehlo.future<tensor<2xf32>>)
}

// -----

// needs: type 'future<tensor<4xf32>>' of operation 'stablehlo.async_start' needs StableHLO 1.15.0 (operations async_start and async_done, future types)
// needs: type 'future<tensor<4xf32>>' of operation 'stablehlo.async_done' needs StableHLO 1.15.0 (operations async_start and async_done, future types)
// expected-error@+1 {{failed to convert VHLO to v1.14.0}}
module {
  func.func @op_async(%operand: tensor<2xf32>) -> tensor<4xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.async_start_v}}
    %0 = "stablehlo.async_start"(%operand) ({
    ^bb0(%inner: tensor<2xf32>):
      %2 = "stablehlo.all_gather"(%inner) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
    %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
    func.return %1 : tensor<4xf32>
  }
}
