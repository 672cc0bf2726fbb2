// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @popcnt_op() {
  %operand = stablehlo.constant dense<[0, 1, 2, 127]> : tensor<4xi64>
  %result = stablehlo.popcnt %operand : tensor<4xi64>
  check.expect_eq_const %result, dense<[0, 1, 1, 7]> : tensor<4xi64>
  func.return
}

// -----

// The count wraps, as 2 does not fit.
func.func @popcnt_op_i2() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.popcnt %operand : tensor<5xi2>
  check.expect_eq_const %result, dense<[0, 1, 1, 1, -2]> : tensor<5xi2>
  func.return
}

// -----

func.func @popcnt_op_i4() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -1]> : tensor<5xi4>
  %result = stablehlo.popcnt %operand : tensor<5xi4>
  check.expect_eq_const %result, dense<[0, 1, 3, 1, 4]> : tensor<5xi4>
  func.return
}

// -----

func.func @popcnt_op_i8() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -1]> : tensor<5xi8>
  %result = stablehlo.popcnt %operand : tensor<5xi8>
  check.expect_eq_const %result, dense<[0, 1, 7, 1, 8]> : tensor<5xi8>
  func.return
}

// -----

func.func @popcnt_op_i16() {
  %operand = stablehlo.constant dense<[0, 1, 32767, -32768, -1]> : tensor<5xi16>
  %result = stablehlo.popcnt %operand : tensor<5xi16>
  check.expect_eq_const %result, dense<[0, 1, 15, 1, 16]> : tensor<5xi16>
  func.return
}

// -----

func.func @popcnt_op_i32() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.popcnt %operand : tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, 31, 1, 32]> : tensor<5xi32>
  func.return
}

// -----

func.func @popcnt_op_ui2() {
  %operand = stablehlo.constant dense<[0, 1, 1, 2, 3]> : tensor<5xui2>
  %result = stablehlo.popcnt %operand : tensor<5xui2>
  check.expect_eq_const %result, dense<[0, 1, 1, 1, 2]> : tensor<5xui2>
  func.return
}

// -----

func.func @popcnt_op_ui4() {
  %operand = stablehlo.constant dense<[0, 1, 7, 8, 15]> : tensor<5xui4>
  %result = stablehlo.popcnt %operand : tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 1, 3, 1, 4]> : tensor<5xui4>
  func.return
}

// -----

func.func @popcnt_op_ui8() {
  %operand = stablehlo.constant dense<[0, 1, 127, 128, 255]> : tensor<5xui8>
  %result = stablehlo.popcnt %operand : tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 1, 7, 1, 8]> : tensor<5xui8>
  func.return
}

// -----

func.func @popcnt_op_ui16() {
  %operand = stablehlo.constant dense<[0, 1, 32767, 32768, 65535]> : tensor<5xui16>
  %result = stablehlo.popcnt %operand : tensor<5xui16>
  check.expect_eq_const %result, dense<[0, 1, 15, 1, 16]> : tensor<5xui16>
  func.return
}

// -----

func.func @popcnt_op_ui32() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, 2147483648, 4294967295]> : tensor<5xui32>
  %result = stablehlo.popcnt %operand : tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 1, 31, 1, 32]> : tensor<5xui32>
  func.return
}

// -----

func.func @popcnt_op_ui64() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, 9223372036854775808, 18446744073709551615]> : tensor<5xui64>
  %result = stablehlo.popcnt %operand : tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 1, 63, 1, 64]> : tensor<5xui64>
  func.return
}
