// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.1.0' --split-input-file --verify-diagnostics %s

// needs: type 'i2' of operation 'stablehlo.return' needs StableHLO 1.2.0 (types i2 and ui2)
// needs: type 'i2' of operation 'func.func' needs StableHLO 1.2.0 (types i2 and ui2)
// expected-error@+1 {{failed to convert VHLO to v1.1.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_i2(%value: tensor<2xi2>) -> tensor<2xi2> {
    func.return %value : tensor<2xi2>
  }
}

// -----

// needs: type 'ui2' of operation 'stablehlo.return' needs StableHLO 1.2.0 (types i2 and ui2)
// needs: type 'ui2' of operation 'func.func' needs StableHLO 1.2.0 (types i2 and ui2)
// expected-error@+1 {{failed to convert VHLO to v1.1.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_ui2(%value: tensor<2xui2>) -> tensor<2xui2> {
    func.return %value : tensor<2xui2>
  }
}
