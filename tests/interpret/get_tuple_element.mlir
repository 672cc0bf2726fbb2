// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %val0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %val1 = stablehlo.constant dense<3> : tensor<i64>
  %inner = stablehlo.tuple %val1 : tuple<tensor<i64>>
  %operand = stablehlo.tuple %val0, %inner : tuple<tensor<2xf64>, tuple<tensor<i64>>>
  %result = "stablehlo.get_tuple_element"(%operand) {index = 0 : i32} : (tuple<tensor<2xf64>, tuple<tensor<i64>>>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[1.0, 2.0]> : tensor<2xf64>
  func.return
}

// -----

func.func @element_of_an_argument_of_a_region() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %pair = stablehlo.tuple %zero, %one : tuple<tensor<i32>, tensor<i32>>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %result = "stablehlo.if"(%pred) ({
    %0 = stablehlo.get_tuple_element %pair[1] : (tuple<tensor<i32>, tensor<i32>>) -> tensor<i32>
    %1 = stablehlo.add %0, %eight : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    stablehlo.return %three : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %result, dense<9> : tensor<i32>
  func.return
}
