// RUN: not stablehlo-translate --serialize --target=0.10.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 0.10.0

// needs: type 'f8E4M3B11FNUZ' of operation 'stablehlo.return' needs StableHLO 0.11.0 (type f8E4M3B11FNUZ)
// needs: type 'f8E4M3B11FNUZ' of operation 'func.func' needs StableHLO 0.11.0 (type f8E4M3B11FNUZ)
func.func @type_f8E4M3B11FNUZ(%value: tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf8E4M3B11FNUZ> {
  func.return %value : tensor<2xf8E4M3B11FNUZ>
}
