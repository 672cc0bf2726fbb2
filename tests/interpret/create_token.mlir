// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// A token goes through a loop as any other value does.
func.func @create_token_op_gives_what_a_loop_carries() {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %three = stablehlo.constant dense<3> : tensor<i64>
  %token = stablehlo.create_token : !stablehlo.token
  %count, %last = stablehlo.while(%i = %zero, %t = %token) : tensor<i64>, !stablehlo.token
  cond {
    %more = stablehlo.compare LT, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i64>
    %after = stablehlo.after_all %t : !stablehlo.token
    stablehlo.return %next, %after : tensor<i64>, !stablehlo.token
  }
  check.expect_eq_const %count, dense<3> : tensor<i64>
  func.return
}
