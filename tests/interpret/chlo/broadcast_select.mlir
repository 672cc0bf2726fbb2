// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @broadcast_select_op() {
  %pred = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %on_true = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %on_false = stablehlo.constant dense<7> : tensor<i32>
  %result = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<2x1xi1>, tensor<2xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [7, 7]]> : tensor<2x2xi32>
  func.return
}
