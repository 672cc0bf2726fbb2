// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The values are the implementation's: only that they are in range is checked.
func.func @spec_example() {
  %a = stablehlo.constant dense<0> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %shape = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
    : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x3xi32>
  %limit = stablehlo.constant dense<1> : tensor<3x3xi32>
  %masked = stablehlo.and %result, %limit : tensor<3x3xi32>
  check.expect_eq %masked, %result : tensor<3x3xi32>
  func.return
}

// -----

func.func @uniform_interval_excludes_b() {
  %a = stablehlo.constant dense<-3> : tensor<i8>
  %b = stablehlo.constant dense<-2> : tensor<i8>
  %shape = stablehlo.constant dense<[5]> : tensor<1xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i8>, tensor<i8>, tensor<1xi64>) -> tensor<5xi8>
  check.expect_eq_const %result, dense<-3> : tensor<5xi8>
  func.return
}

// -----

// The only bf16 in [1, 1.0078125) is 1.
func.func @uniform_bf16() {
  %a = stablehlo.constant dense<1.0> : tensor<bf16>
  %b = stablehlo.constant dense<1.0078125> : tensor<bf16>
  %shape = stablehlo.constant dense<[50]> : tensor<1xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<1xi64>) -> tensor<50xbf16>
  check.expect_eq_const %result, dense<1.0> : tensor<50xbf16>
  func.return
}

// -----

func.func @normal_without_deviation() {
  %a = stablehlo.constant dense<1.5> : tensor<f32>
  %b = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %result = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<1.5> : tensor<2x2xf32>
  func.return
}

// -----

func.func @operations_draw_different_values() {
  %a = stablehlo.constant dense<0> : tensor<i64>
  %b = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %shape = stablehlo.constant dense<> : tensor<0xi64>
  %first = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<0xi64>) -> tensor<i64>
  %second = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<0xi64>) -> tensor<i64>
  %is_equal = stablehlo.compare EQ, %first, %second : (tensor<i64>, tensor<i64>) -> tensor<i1>
  check.expect_eq_const %is_equal, dense<false> : tensor<i1>
  func.return
}
