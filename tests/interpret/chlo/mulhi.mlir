// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

func.func @mulhi_op_i4() {
  %x = stablehlo.constant dense<[-8, 7, 7, -8, 3]> : tensor<5xi4>
  %y = stablehlo.constant dense<[-8, 7, -8, 1, 7]> : tensor<5xi4>
  %result = chlo.mulhi %x, %y : tensor<5xi4>, tensor<5xi4> -> tensor<5xi4>
  check.expect_eq_const %result, dense<[4, 3, -4, -1, 1]> : tensor<5xi4>
  func.return
}

// -----

func.func @mulhi_op_ui4() {
  %x = stablehlo.constant dense<[0, 15, 15, 0, 3]> : tensor<5xui4>
  %y = stablehlo.constant dense<[0, 15, 0, 1, 15]> : tensor<5xui4>
  %result = chlo.mulhi %x, %y : tensor<5xui4>, tensor<5xui4> -> tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 14, 0, 0, 2]> : tensor<5xui4>
  func.return
}

// -----

func.func @mulhi_op_i8() {
  %x = stablehlo.constant dense<[-128, 127, 127, -128, 3]> : tensor<5xi8>
  %y = stablehlo.constant dense<[-128, 127, -128, 1, 127]> : tensor<5xi8>
  %result = chlo.mulhi %x, %y : tensor<5xi8>, tensor<5xi8> -> tensor<5xi8>
  check.expect_eq_const %result, dense<[64, 63, -64, -1, 1]> : tensor<5xi8>
  func.return
}

// -----

func.func @mulhi_op_ui8() {
  %x = stablehlo.constant dense<[0, 255, 255, 0, 3]> : tensor<5xui8>
  %y = stablehlo.constant dense<[0, 255, 0, 1, 255]> : tensor<5xui8>
  %result = chlo.mulhi %x, %y : tensor<5xui8>, tensor<5xui8> -> tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 254, 0, 0, 2]> : tensor<5xui8>
  func.return
}

// -----

func.func @mulhi_op_i32() {
  %x = stablehlo.constant dense<[-2147483648, 2147483647, 2147483647, -2147483648, 3]> : tensor<5xi32>
  %y = stablehlo.constant dense<[-2147483648, 2147483647, -2147483648, 1, 2147483647]> : tensor<5xi32>
  %result = chlo.mulhi %x, %y : tensor<5xi32>, tensor<5xi32> -> tensor<5xi32>
  check.expect_eq_const %result, dense<[1073741824, 1073741823, -1073741824, -1, 1]> : tensor<5xi32>
  func.return
}

// -----

func.func @mulhi_op_ui32() {
  %x = stablehlo.constant dense<[0, 4294967295, 4294967295, 0, 3]> : tensor<5xui32>
  %y = stablehlo.constant dense<[0, 4294967295, 0, 1, 4294967295]> : tensor<5xui32>
  %result = chlo.mulhi %x, %y : tensor<5xui32>, tensor<5xui32> -> tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 4294967294, 0, 0, 2]> : tensor<5xui32>
  func.return
}

// -----

func.func @mulhi_op_i64() {
  %x = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, 9223372036854775807, -9223372036854775808, 3]> : tensor<5xi64>
  %y = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807, -9223372036854775808, 1, 9223372036854775807]> : tensor<5xi64>
  %result = chlo.mulhi %x, %y : tensor<5xi64>, tensor<5xi64> -> tensor<5xi64>
  check.expect_eq_const %result, dense<[4611686018427387904, 4611686018427387903, -4611686018427387904, -1, 1]> : tensor<5xi64>
  func.return
}

// -----

func.func @mulhi_op_ui64() {
  %x = stablehlo.constant dense<[0, 18446744073709551615, 18446744073709551615, 0, 3]> : tensor<5xui64>
  %y = stablehlo.constant dense<[0, 18446744073709551615, 0, 1, 18446744073709551615]> : tensor<5xui64>
  %result = chlo.mulhi %x, %y : tensor<5xui64>, tensor<5xui64> -> tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 18446744073709551614, 0, 0, 2]> : tensor<5xui64>
  func.return
}
