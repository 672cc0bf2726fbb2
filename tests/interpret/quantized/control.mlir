// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Doubled until it is not less than 10: 1, 2, 4, 8, 16
func.func @while_op() {
  %start = stablehlo.constant() <{value = dense<3> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %limit = stablehlo.constant() <{value = dense<21> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.while(%value = %start) : tensor<!quant.uniform<i8:f32, 0.5:1>>
  cond {
    %goes_on = stablehlo.compare LT, %value, %limit : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %twice = stablehlo.add %value, %value : tensor<!quant.uniform<i8:f32, 0.5:1>>
    stablehlo.return %twice : tensor<!quant.uniform<i8:f32, 0.5:1>>
  }
  %stored = stablehlo.bitcast_convert %result : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i8>
  check.expect_eq_const %stored, dense<33> : tensor<i8>
  func.return
}

// -----

func.func @case_op() {
  %index = stablehlo.constant dense<1> : tensor<i32>
  %operand = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = "stablehlo.case"(%index) ({
    stablehlo.return %operand : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  }, {
    %negative = stablehlo.negate %operand : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
    stablehlo.return %negative : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  }) : (tensor<i32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[-1, 4, -125]> : tensor<3xi8>
  func.return
}

// -----

func.func @tuple_op() {
  %operand = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %pair = stablehlo.tuple %operand, %operand : tuple<tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>>
  %result = stablehlo.get_tuple_element %pair[1] : (tuple<tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[3, -2, 127]> : tensor<3xi8>
  func.return
}

// -----

func.func @optimization_barrier_op() {
  %operand = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.optimization_barrier %operand : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[3, -2, 127]> : tensor<3xi8>
  func.return
}

// -----

// call_op
func.func private @negative(%operand: tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>> {
  %result = stablehlo.negate %operand : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  func.return %result : tensor<3x!quant.uniform<i8:f32, 0.5:1>>
}

func.func @main() {
  %operand = stablehlo.constant() <{value = dense<[3, -2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = func.call @negative(%operand) : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[-1, 4, -125]> : tensor<3xi8>
  func.return
}
