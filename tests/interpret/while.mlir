// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %init_i = stablehlo.constant dense<1> : tensor<i64>
  %init_sum = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %results0, %results1 = "stablehlo.while"(%init_i, %init_sum) ({
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %cond = stablehlo.compare LT, %arg0, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %cond : tensor<i1>
  }, {
    ^bb0(%arg0: tensor<i64>, %arg1: tensor<i64>):
      %new_sum = stablehlo.add %arg1, %one : tensor<i64>
      %new_i = stablehlo.add %arg0, %one : tensor<i64>
      stablehlo.return %new_i, %new_sum : tensor<i64>, tensor<i64>
  }) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
  check.expect_eq_const %results0, dense<10> : tensor<i64>
  check.expect_eq_const %results1, dense<9> : tensor<i64>
  func.return
}

// -----

func.func @one_value() {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<1000> : tensor<i32>
  %result = stablehlo.while(%i = %one) : tensor<i32>
    cond {
      %0 = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = stablehlo.add %i, %i : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }
  check.expect_eq_const %result, dense<1024> : tensor<i32>
  func.return
}

// -----

func.func @body_never_runs() {
  %init = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %result = stablehlo.while(%x = %init) : tensor<2xf32>
    cond {
      stablehlo.return %false : tensor<i1>
    } do {
      %0 = stablehlo.custom_call @nobody_has_registered_this(%x) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %0 : tensor<2xf32>
    }
  check.expect_eq_const %result, dense<[1.0, 2.0]> : tensor<2xf32>
  func.return
}

// -----

func.func @values_change_places() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %result:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<2xi32>, tensor<2xi32>
    cond {
      %0 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %0, %y, %x : tensor<i32>, tensor<2xi32>, tensor<2xi32>
    }
  check.expect_eq_const %result#1, dense<[3, 4]> : tensor<2xi32>
  check.expect_eq_const %result#2, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>
  func.return
}

// -----

func.func @loop_in_a_loop() {
  // The sum over i < 4 of i * j summed over j < 3.
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %outer:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
    cond {
      %0 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %inner:2 = stablehlo.while(%j = %zero, %partial = %sum) : tensor<i32>, tensor<i32>
        cond {
          %0 = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %0 : tensor<i1>
        } do {
          %0 = stablehlo.multiply %i, %j : tensor<i32>
          %1 = stablehlo.add %partial, %0 : tensor<i32>
          %2 = stablehlo.add %j, %one : tensor<i32>
          stablehlo.return %2, %1 : tensor<i32>, tensor<i32>
        }
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %3, %inner#1 : tensor<i32>, tensor<i32>
    }
  check.expect_eq_const %outer#1, dense<18> : tensor<i32>
  func.return
}

// -----

func.func @checks_run_in_the_body() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %0 = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      check.expect_eq_const %i, dense<0> : tensor<i32>
      %0 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }
  func.return
}

// -----

func.func @tokens_go_round() {
  %token = stablehlo.create_token : !stablehlo.token
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %result:2 = stablehlo.while(%t = %token, %i = %zero) : !stablehlo.token, tensor<i32>
    cond {
      %0 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = stablehlo.after_all %t : !stablehlo.token
      %1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %0, %1 : !stablehlo.token, tensor<i32>
    }
  check.expect_eq_const %result#1, dense<2> : tensor<i32>
  func.return
}
