// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The token that joins others orders what takes it, and holds no value.
func.func @after_all_op_joins_tokens() {
  %value = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %first = stablehlo.create_token : !stablehlo.token
  %second = stablehlo.create_token : !stablehlo.token
  %both = stablehlo.after_all %first, %second : !stablehlo.token
  %pair = stablehlo.tuple %value, %both : tuple<tensor<2xi32>, !stablehlo.token>
  %same = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<2xi32>, !stablehlo.token>) -> tensor<2xi32>
  check.expect_eq_const %same, dense<[1, 2]> : tensor<2xi32>
  func.return
}

// -----

func.func @after_all_op_of_no_tokens() {
  %none = "stablehlo.after_all"() : () -> !stablehlo.token
  %value = stablehlo.constant dense<true> : tensor<i1>
  %result:2 = stablehlo.optimization_barrier %value, %none : tensor<i1>, !stablehlo.token
  check.expect_eq_const %result#0, dense<true> : tensor<i1>
  func.return
}
