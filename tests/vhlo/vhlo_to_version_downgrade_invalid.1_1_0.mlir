// RUN: not stablehlo-translate --serialize --target=1.1.0 %s -o %t 2>&1 | FileCheck %s
// CHECK: error: the program cannot be written for 1.1.0

// needs: type 'i2' of operation 'stablehlo.return' needs StableHLO 1.2.0 (types i2 and ui2)
// needs: type 'i2' of operation 'func.func' needs StableHLO 1.2.0 (types i2 and ui2)
func.func @type_i2(%value: tensor<2xi2>) -> tensor<2xi2> {
  func.return %value : tensor<2xi2>
}

// needs: type 'ui2' of operation 'stablehlo.return' needs StableHLO 1.2.0 (types i2 and ui2)
// needs: type 'ui2' of operation 'func.func' needs StableHLO 1.2.0 (types i2 and ui2)
func.func @type_ui2(%value: tensor<2xui2>) -> tensor<2xui2> {
  func.return %value : tensor<2xui2>
}
