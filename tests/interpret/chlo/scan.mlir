// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @scan_op_sums() {
  %input = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %init = stablehlo.constant dense<10> : tensor<i32>
  %outputs, %carry = chlo.scan(%input) inits(%init) dimension=0 {
  ^bb0(%x: tensor<i32>, %total: tensor<i32>):
    %sum = stablehlo.add %x, %total : tensor<i32>
    stablehlo.return %sum, %sum : tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  check.expect_eq_const %outputs, dense<[11, 13, 16]> : tensor<3xi32>
  check.expect_eq_const %carry, dense<16> : tensor<i32>
  func.return
}

// -----

func.func @scan_op_reverse() {
  %input = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %outputs, %carry = chlo.scan(%input) inits(%init) dimension=0 attributes {is_reverse = true} {
  ^bb0(%x: tensor<i32>, %total: tensor<i32>):
    %sum = stablehlo.add %x, %total : tensor<i32>
    stablehlo.return %sum, %sum : tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  check.expect_eq_const %outputs, dense<[6, 5, 3]> : tensor<3xi32>
  check.expect_eq_const %carry, dense<6> : tensor<i32>
  func.return
}

// -----

func.func @scan_op_of_columns() {
  %input = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %init = stablehlo.constant dense<0> : tensor<2xi32>
  %outputs, %carry = chlo.scan(%input) inits(%init) dimension=1 {
  ^bb0(%x: tensor<2xi32>, %total: tensor<2xi32>):
    %sum = stablehlo.add %x, %total : tensor<2xi32>
    stablehlo.return %sum, %sum : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x2xi32>, tensor<2xi32>) -> (tensor<2x2xi32>, tensor<2xi32>)
  check.expect_eq_const %outputs, dense<[[1, 3], [3, 7]]> : tensor<2x2xi32>
  check.expect_eq_const %carry, dense<[3, 7]> : tensor<2xi32>
  func.return
}

// -----

func.func @scan_op_outputs_that_are_not_the_carry() {
  %input = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %outputs, %carry = chlo.scan(%input) inits(%init) dimension=0 {
  ^bb0(%x: tensor<i32>, %total: tensor<i32>):
    %sum = stablehlo.add %x, %total : tensor<i32>
    stablehlo.return %total, %sum : tensor<i32>, tensor<i32>
  } : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)
  check.expect_eq_const %outputs, dense<[0, 1, 3]> : tensor<3xi32>
  check.expect_eq_const %carry, dense<6> : tensor<i32>
  func.return
}

// -----

// Sums have the scale of the type: 0.5 + 1.0, then 1.5 + 2.0.
func.func @scan_op_quantized() {
  %codes = stablehlo.constant dense<[2, 4]> : tensor<2xi8>
  %start = stablehlo.constant dense<1> : tensor<i8>
  %input = stablehlo.bitcast_convert %codes : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-01>>
  %init = stablehlo.bitcast_convert %start : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 5.0e-01>>
  %outputs, %carry = chlo.scan(%input) inits(%init) dimension=0 {
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 5.0e-01>>, %total: tensor<!quant.uniform<i8:f32, 5.0e-01>>):
    %sum = stablehlo.add %x, %total : tensor<!quant.uniform<i8:f32, 5.0e-01>>
    stablehlo.return %sum, %sum : tensor<!quant.uniform<i8:f32, 5.0e-01>>, tensor<!quant.uniform<i8:f32, 5.0e-01>>
  } : (tensor<2x!quant.uniform<i8:f32, 5.0e-01>>, tensor<!quant.uniform<i8:f32, 5.0e-01>>) -> (tensor<2x!quant.uniform<i8:f32, 5.0e-01>>, tensor<!quant.uniform<i8:f32, 5.0e-01>>)
  %numbers = stablehlo.uniform_dequantize %outputs : (tensor<2x!quant.uniform<i8:f32, 5.0e-01>>) -> tensor<2xf32>
  check.expect_eq_const %numbers, dense<[1.5, 3.5]> : tensor<2xf32>
  func.return
}
