// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @shift_right_arithmetic_op() {
  %lhs = stablehlo.constant dense<[-1, 0, 8]> : tensor<3xi64>
  %rhs = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<3xi64>
  check.expect_eq_const %result, dense<[-1, 0, 1]> : tensor<3xi64>
  func.return
}

// -----

// By the width or more: copies of the highest bit. The amount is unsigned, so that -1 stands for 3.
func.func @shift_right_arithmetic_op_i2() {
  %lhs = stablehlo.constant dense<[1, -2, -2, 1, -2]> : tensor<5xi2>
  %rhs = stablehlo.constant dense<[1, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<5xi2>
  check.expect_eq_const %result, dense<[0, -1, -1, 0, -1]> : tensor<5xi2>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_i4() {
  %lhs = stablehlo.constant dense<[1, -8, -8, 3, -8, 5, -3]> : tensor<7xi4>
  %rhs = stablehlo.constant dense<[3, 3, 1, 4, 4, -1, -1]> : tensor<7xi4>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<7xi4>
  check.expect_eq_const %result, dense<[0, -1, -4, 0, -1, 0, -1]> : tensor<7xi4>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_i8() {
  %lhs = stablehlo.constant dense<[1, -128, -128, 3, -128, 5, -3]> : tensor<7xi8>
  %rhs = stablehlo.constant dense<[7, 7, 1, 8, 8, -1, -1]> : tensor<7xi8>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<7xi8>
  check.expect_eq_const %result, dense<[0, -1, -64, 0, -1, 0, -1]> : tensor<7xi8>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_i16() {
  %lhs = stablehlo.constant dense<[1, -32768, -32768, 3, -32768, 5, -3]> : tensor<7xi16>
  %rhs = stablehlo.constant dense<[15, 15, 1, 16, 16, -1, -1]> : tensor<7xi16>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<7xi16>
  check.expect_eq_const %result, dense<[0, -1, -16384, 0, -1, 0, -1]> : tensor<7xi16>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_i32() {
  %lhs = stablehlo.constant dense<[1, -2147483648, -2147483648, 3, -2147483648, 5, -3]> : tensor<7xi32>
  %rhs = stablehlo.constant dense<[31, 31, 1, 32, 32, -1, -1]> : tensor<7xi32>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<7xi32>
  check.expect_eq_const %result, dense<[0, -1, -1073741824, 0, -1, 0, -1]> : tensor<7xi32>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_i64() {
  %lhs = stablehlo.constant dense<[1, -9223372036854775808, -9223372036854775808, 3, -9223372036854775808, 5, -3]> : tensor<7xi64>
  %rhs = stablehlo.constant dense<[63, 63, 1, 64, 64, -1, -1]> : tensor<7xi64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<7xi64>
  check.expect_eq_const %result, dense<[0, -1, -4611686018427387904, 0, -1, 0, -1]> : tensor<7xi64>
  func.return
}

// -----

// The highest bit is copied for unsigned integers, too.
func.func @shift_right_arithmetic_op_ui2() {
  %lhs = stablehlo.constant dense<[1, 2, 2, 3, 2]> : tensor<5xui2>
  %rhs = stablehlo.constant dense<[1, 1, 1, 2, 2]> : tensor<5xui2>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<5xui2>
  check.expect_eq_const %result, dense<[0, 3, 3, 3, 3]> : tensor<5xui2>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_ui4() {
  %lhs = stablehlo.constant dense<[1, 8, 8, 3, 8]> : tensor<5xui4>
  %rhs = stablehlo.constant dense<[3, 3, 1, 4, 4]> : tensor<5xui4>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 15, 12, 0, 15]> : tensor<5xui4>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_ui8() {
  %lhs = stablehlo.constant dense<[1, 128, 128, 3, 128]> : tensor<5xui8>
  %rhs = stablehlo.constant dense<[7, 7, 1, 8, 8]> : tensor<5xui8>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 255, 192, 0, 255]> : tensor<5xui8>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_ui16() {
  %lhs = stablehlo.constant dense<[1, 32768, 32768, 3, 32768]> : tensor<5xui16>
  %rhs = stablehlo.constant dense<[15, 15, 1, 16, 16]> : tensor<5xui16>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<5xui16>
  check.expect_eq_const %result, dense<[0, 65535, 49152, 0, 65535]> : tensor<5xui16>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_ui32() {
  %lhs = stablehlo.constant dense<[1, 2147483648, 2147483648, 3, 2147483648]> : tensor<5xui32>
  %rhs = stablehlo.constant dense<[31, 31, 1, 32, 32]> : tensor<5xui32>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 4294967295, 3221225472, 0, 4294967295]> : tensor<5xui32>
  func.return
}

// -----

func.func @shift_right_arithmetic_op_ui64() {
  %lhs = stablehlo.constant dense<[1, 9223372036854775808, 9223372036854775808, 3, 9223372036854775808]> : tensor<5xui64>
  %rhs = stablehlo.constant dense<[63, 63, 1, 64, 64]> : tensor<5xui64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 18446744073709551615, 13835058055282163712, 0, 18446744073709551615]> : tensor<5xui64>
  func.return
}
