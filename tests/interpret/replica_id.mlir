// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

module @replica_id_in_a_grid {
  func.func @id() -> tensor<ui32> {
    %result = stablehlo.replica_id : tensor<ui32>
    return %result : tensor<ui32>
  }
  func.func @main() {
    %results:4 = "interpreter.run_parallel"() {programs = [[@id, @id], [@id, @id]]}
      : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %results#0, dense<0> : tensor<ui32>
    check.expect_eq_const %results#1, dense<0> : tensor<ui32>
    check.expect_eq_const %results#2, dense<1> : tensor<ui32>
    check.expect_eq_const %results#3, dense<1> : tensor<ui32>
    return
  }
}

// -----

// A program that runs alone is the only process of a grid.
func.func @replica_id_of_a_single_process() {
  %result = stablehlo.replica_id : tensor<ui32>
  check.expect_eq_const %result, dense<0> : tensor<ui32>
  return
}
