// Reduced by hlokit from @add_op_booleans: diverges:iree
//   hlokit diff docs/findings/iree_add_i1.mlir --against=iree
// element [0]: True expected, False there

module {
  func.func @main() -> tensor<1xi1> {
    %c = stablehlo.constant dense<true> : tensor<1xi1>
    %0 = stablehlo.add %c, %c : tensor<1xi1>
    return %0 : tensor<1xi1>
  }
}
