// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.10.0' --split-input-file --verify-diagnostics %s

// needs: type 'f8E4M3B11FNUZ' of operation 'stablehlo.return' needs StableHLO 0.11.0 (type f8E4M3B11FNUZ)
// needs: type 'f8E4M3B11FNUZ' of operation 'func.func' needs StableHLO 0.11.0 (type f8E4M3B11FNUZ)
// expected-error@+1 {{failed to convert VHLO to v0.10.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @type_f8E4M3B11FNUZ(%value: tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf8E4M3B11FNUZ> {
    func.return %value : tensor<2xf8E4M3B11FNUZ>
  }
}
