// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Two operations under way at a time, done in the other order.
func.func @async_done_in_another_order() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %first = "stablehlo.async_start"(%operand) ({
  ^bb0(%arg: tensor<3xi32>):
    %0 = stablehlo.slice %arg [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    stablehlo.return %0 : tensor<1xi32>
  }) : (tensor<3xi32>) -> !stablehlo.future<tensor<1xi32>>
  %last = "stablehlo.async_start"(%operand) ({
  ^bb0(%arg: tensor<3xi32>):
    %0 = stablehlo.slice %arg [2:3] : (tensor<3xi32>) -> tensor<1xi32>
    stablehlo.return %0 : tensor<1xi32>
  }) : (tensor<3xi32>) -> !stablehlo.future<tensor<1xi32>>
  %result1 = "stablehlo.async_done"(%last) : (!stablehlo.future<tensor<1xi32>>) -> tensor<1xi32>
  %result0 = "stablehlo.async_done"(%first) : (!stablehlo.future<tensor<1xi32>>) -> tensor<1xi32>
  check.expect_eq_const %result0, dense<1> : tensor<1xi32>
  check.expect_eq_const %result1, dense<3> : tensor<1xi32>
  return
}
