// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.6.0' --split-input-file --verify-diagnostics %s

// needs: type 'f8E3M4' of operation 'stablehlo.return' needs StableHLO 1.7.0 (types f8E4M3, f8E3M4)
// needs: type 'f8E3M4' of operation 'func.func' needs StableHLO 1.7.0 (types f8E4M3, f8E3M4)
// expected-error@+1 {{failed to convert VHLO to v1.6.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_f8E3M4(%value: tensor<2xf8E3M4>) -> tensor<2xf8E3M4> {
    func.return %value : tensor<2xf8E3M4>
  }
}

// -----

// needs: type 'f8E4M3' of operation 'stablehlo.return' needs StableHLO 1.7.0 (types f8E4M3, f8E3M4)
// needs: type 'f8E4M3' of operation 'func.func' needs StableHLO 1.7.0 (types f8E4M3, f8E3M4)
// expected-error@+1 {{failed to convert VHLO to v1.6.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_f8E4M3(%value: tensor<2xf8E4M3>) -> tensor<2xf8E4M3> {
    func.return %value : tensor<2xf8E4M3>
  }
}
