// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @iota_op_dim_0() {
  %output = stablehlo.iota dim = 0 : tensor<4x5xi32>
  check.expect_eq_const %output, dense<[
    [0, 0, 0, 0, 0],
    [1, 1, 1, 1, 1],
    [2, 2, 2, 2, 2],
    [3, 3, 3, 3, 3]
  ]> : tensor<4x5xi32>
  func.return
}

// -----

func.func @iota_op_dim_1() {
  %output = stablehlo.iota dim = 1 : tensor<4x5xi32>
  check.expect_eq_const %output, dense<[
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4]
  ]> : tensor<4x5xi32>
  func.return
}

// -----

func.func @iota_op_integers() {
  %i8 = stablehlo.iota dim = 0 : tensor<3xi8>
  check.expect_eq_const %i8, dense<[0, 1, 2]> : tensor<3xi8>
  %i16 = stablehlo.iota dim = 0 : tensor<3xi16>
  check.expect_eq_const %i16, dense<[0, 1, 2]> : tensor<3xi16>
  %i64 = stablehlo.iota dim = 0 : tensor<3xi64>
  check.expect_eq_const %i64, dense<[0, 1, 2]> : tensor<3xi64>
  %ui2 = stablehlo.iota dim = 0 : tensor<4xui2>
  check.expect_eq_const %ui2, dense<[0, 1, 2, 3]> : tensor<4xui2>
  %ui8 = stablehlo.iota dim = 0 : tensor<3xui8>
  check.expect_eq_const %ui8, dense<[0, 1, 2]> : tensor<3xui8>
  %ui64 = stablehlo.iota dim = 0 : tensor<3xui64>
  check.expect_eq_const %ui64, dense<[0, 1, 2]> : tensor<3xui64>
  func.return
}

// -----

func.func @iota_op_wraps_i4() {
  %output = stablehlo.iota dim = 0 : tensor<10xi4>
  check.expect_eq_const %output, dense<[0, 1, 2, 3, 4, 5, 6, 7, -8, -7]> : tensor<10xi4>
  func.return
}

// -----

func.func @iota_op_floats() {
  %f8 = stablehlo.iota dim = 0 : tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %f8, dense<[0.0, 1.0, 2.0]> : tensor<3xf8E4M3FNUZ>
  %bf16 = stablehlo.iota dim = 0 : tensor<3xbf16>
  check.expect_eq_const %bf16, dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>
  %f16 = stablehlo.iota dim = 0 : tensor<3xf16>
  check.expect_eq_const %f16, dense<[0.0, 1.0, 2.0]> : tensor<3xf16>
  %f64 = stablehlo.iota dim = 0 : tensor<3xf64>
  check.expect_eq_const %f64, dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  func.return
}

// -----

// f4E2M1FN holds 0, 0.5, 1, 1.5, 2, 3, 4 and 6: 5 is halfway between 4 and 6, and 4 is even.
func.func @iota_op_rounds_f4() {
  %output = stablehlo.iota dim = 0 : tensor<7xf4E2M1FN>
  check.expect_eq_const %output, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 6.0]> : tensor<7xf4E2M1FN>
  func.return
}

// -----

func.func @iota_op_complex() {
  %output = stablehlo.iota dim = 0 : tensor<2xcomplex<f32>>
  check.expect_eq_const %output, dense<[(0.0, 0.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

// -----

func.func @iota_op_without_elements() {
  %output = stablehlo.iota dim = 0 : tensor<0x2xi32>
  check.expect_eq_const %output, dense<> : tensor<0x2xi32>
  func.return
}
