// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.7.0' --split-input-file --verify-diagnostics %s

// needs: type 'f4E2M1FN' of operation 'stablehlo.return' needs StableHLO 1.8.0 (types f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// needs: type 'f4E2M1FN' of operation 'func.func' needs StableHLO 1.8.0 (types f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// expected-error@+1 {{failed to convert VHLO to v1.7.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_f4E2M1FN(%value: tensor<2xf4E2M1FN>) -> tensor<2xf4E2M1FN> {
    func.return %value : tensor<2xf4E2M1FN>
  }
}

// -----

// needs: type 'f6E2M3FN' of operation 'stablehlo.return' needs StableHLO 1.8.0 (types f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// needs: type 'f6E2M3FN' of operation 'func.func' needs StableHLO 1.8.0 (types f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// expected-error@+1 {{failed to convert VHLO to v1.7.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_f6E2M3FN(%value: tensor<2xf6E2M3FN>) -> tensor<2xf6E2M3FN> {
    func.return %value : tensor<2xf6E2M3FN>
  }
}

// -----

// needs: type 'f6E3M2FN' of operation 'stablehlo.return' needs StableHLO 1.8.0 (types f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// needs: type 'f6E3M2FN' of operation 'func.func' needs StableHLO 1.8.0 (types f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// expected-error@+1 {{failed to convert VHLO to v1.7.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_f6E3M2FN(%value: tensor<2xf6E3M2FN>) -> tensor<2xf6E3M2FN> {
    func.return %value : tensor<2xf6E3M2FN>
  }
}

// -----

// needs: type 'f8E8M0FNU' of operation 'stablehlo.return' needs StableHLO 1.8.0 (types f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// needs: type 'f8E8M0FNU' of operation 'func.func' needs StableHLO 1.8.0 (types f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
// expected-error@+1 {{failed to convert VHLO to v1.7.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_f8E8M0FNU(%value: tensor<2xf8E8M0FNU>) -> tensor<2xf8E8M0FNU> {
    func.return %value : tensor<2xf8E8M0FNU>
  }
}
