// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.9.0' --split-input-file --verify-diagnostics %s

// needs: type 'f8E4M3FNUZ' of operation 'stablehlo.return' needs StableHLO 0.10.0 (types f8E4M3FNUZ, f8E5M2FNUZ)
// needs: type 'f8E4M3FNUZ' of operation 'func.func' needs StableHLO 0.10.0 (types f8E4M3FNUZ, f8E5M2FNUZ)
// expected-error@+1 {{failed to convert VHLO to v0.9.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_f8E4M3FNUZ(%value: tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ> {
    func.return %value : tensor<2xf8E4M3FNUZ>
  }
}

// -----

// needs: type 'f8E5M2FNUZ' of operation 'stablehlo.return' needs StableHLO 0.10.0 (types f8E4M3FNUZ, f8E5M2FNUZ)
// needs: type 'f8E5M2FNUZ' of operation 'func.func' needs StableHLO 0.10.0 (types f8E4M3FNUZ, f8E5M2FNUZ)
// expected-error@+1 {{failed to convert VHLO to v0.9.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_f8E5M2FNUZ(%value: tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ> {
    func.return %value : tensor<2xf8E5M2FNUZ>
  }
}
