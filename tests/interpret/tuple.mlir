// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @spec_example() {
  %val0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %val1 = stablehlo.constant dense<3> : tensor<i32>
  %inner = stablehlo.tuple %val1 : tuple<tensor<i32>>
  %result = "stablehlo.tuple"(%val0, %inner) : (tensor<2xf32>, tuple<tensor<i32>>) -> tuple<tensor<2xf32>, tuple<tensor<i32>>>
  %0 = stablehlo.get_tuple_element %result[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tensor<2xf32>
  %1 = stablehlo.get_tuple_element %result[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %0, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %2, dense<3> : tensor<i32>
  func.return
}

// -----

// A tuple that a function returns.
func.func @main() {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %pair = func.call @with_twice(%a) : (tensor<i32>) -> tuple<tensor<i32>, tensor<i32>>
  %second = stablehlo.get_tuple_element %pair[1] : (tuple<tensor<i32>, tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %second, dense<2> : tensor<i32>
  func.return
}

func.func private @with_twice(%x: tensor<i32>) -> tuple<tensor<i32>, tensor<i32>> {
  %0 = stablehlo.add %x, %x : tensor<i32>
  %1 = stablehlo.tuple %x, %0 : tuple<tensor<i32>, tensor<i32>>
  return %1 : tuple<tensor<i32>, tensor<i32>>
}

// -----

// Nothing is a tuple, too.
func.func @empty() {
  %unit = stablehlo.tuple : tuple<>
  %a = stablehlo.constant dense<1> : tensor<i32>
  %both = stablehlo.tuple %unit, %a : tuple<tuple<>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %both[1] : (tuple<tuple<>, tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %1, dense<1> : tensor<i32>
  func.return
}
