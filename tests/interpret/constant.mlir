// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Values are checked by way of another type, which is read in another way: integers converted to wider ones or
// taken apart to words, floats as their bits, complex numbers by their parts.

func.func @spec_example() {
  %output = "stablehlo.constant"() {
    value = dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  } : () -> tensor<2x2xf32>
  check.expect_eq_const %output, dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  func.return
}

// -----

func.func @i1() {
  %values = stablehlo.constant dense<[true, false, true, true, false, false, true, false, true, true]> : tensor<10xi1>
  %numbers = stablehlo.convert %values : (tensor<10xi1>) -> tensor<10xi32>
  check.expect_eq_const %numbers, dense<[1, 0, 1, 1, 0, 0, 1, 0, 1, 1]> : tensor<10xi32>
  %splat = stablehlo.constant dense<true> : tensor<3x3xi1>
  %splat_numbers = stablehlo.convert %splat : (tensor<3x3xi1>) -> tensor<3x3xi32>
  check.expect_eq_const %splat_numbers, dense<1> : tensor<3x3xi32>
  %scalar = stablehlo.constant dense<true> : tensor<i1>
  %scalar_number = stablehlo.convert %scalar : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %scalar_number, dense<1> : tensor<i32>
  %empty = stablehlo.constant dense<> : tensor<0xi1>
  %no_numbers = stablehlo.convert %empty : (tensor<0xi1>) -> tensor<0xi32>
  check.expect_eq_const %no_numbers, dense<> : tensor<0xi32>
  func.return
}

// -----

func.func @i2() {
  %values = stablehlo.constant dense<[-2, -1, 0, 1, 1]> : tensor<5xi2>
  %wide = stablehlo.convert %values : (tensor<5xi2>) -> tensor<5xi64>
  check.expect_eq_const %wide, dense<[-2, -1, 0, 1, 1]> : tensor<5xi64>
  %splat = stablehlo.constant dense<-2> : tensor<2x3xi2>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xi2>) -> tensor<2x3xi64>
  check.expect_eq_const %wide_splat, dense<-2> : tensor<2x3xi64>
  %bytes = stablehlo.constant dense<"0x0201"> : tensor<2xi2>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xi2>) -> tensor<2xi64>
  check.expect_eq_const %wide_bytes, dense<[-2, 1]> : tensor<2xi64>
  %scalar = stablehlo.constant dense<1> : tensor<i2>
  %wide_scalar = stablehlo.convert %scalar : (tensor<i2>) -> tensor<i64>
  check.expect_eq_const %wide_scalar, dense<1> : tensor<i64>
  %empty = stablehlo.constant dense<> : tensor<2x0xi2>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xi2>) -> tensor<2x0xi64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xi64>
  func.return
}

// -----

func.func @ui2() {
  %values = stablehlo.constant dense<[0, 1, 0, 1, 3]> : tensor<5xui2>
  %wide = stablehlo.convert %values : (tensor<5xui2>) -> tensor<5xui64>
  check.expect_eq_const %wide, dense<[0, 1, 0, 1, 3]> : tensor<5xui64>
  %splat = stablehlo.constant dense<3> : tensor<2x3xui2>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xui2>) -> tensor<2x3xui64>
  check.expect_eq_const %wide_splat, dense<3> : tensor<2x3xui64>
  %bytes = stablehlo.constant dense<"0x0003"> : tensor<2xui2>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xui2>) -> tensor<2xui64>
  check.expect_eq_const %wide_bytes, dense<[0, 3]> : tensor<2xui64>
  %scalar = stablehlo.constant dense<3> : tensor<ui2>
  %wide_scalar = stablehlo.convert %scalar : (tensor<ui2>) -> tensor<ui64>
  check.expect_eq_const %wide_scalar, dense<3> : tensor<ui64>
  %empty = stablehlo.constant dense<> : tensor<2x0xui2>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xui2>) -> tensor<2x0xui64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xui64>
  func.return
}

// -----

func.func @i4() {
  %values = stablehlo.constant dense<[-8, -1, 0, 1, 7]> : tensor<5xi4>
  %wide = stablehlo.convert %values : (tensor<5xi4>) -> tensor<5xi64>
  check.expect_eq_const %wide, dense<[-8, -1, 0, 1, 7]> : tensor<5xi64>
  %splat = stablehlo.constant dense<-8> : tensor<2x3xi4>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xi4>) -> tensor<2x3xi64>
  check.expect_eq_const %wide_splat, dense<-8> : tensor<2x3xi64>
  %bytes = stablehlo.constant dense<"0x0807"> : tensor<2xi4>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xi4>) -> tensor<2xi64>
  check.expect_eq_const %wide_bytes, dense<[-8, 7]> : tensor<2xi64>
  %scalar = stablehlo.constant dense<7> : tensor<i4>
  %wide_scalar = stablehlo.convert %scalar : (tensor<i4>) -> tensor<i64>
  check.expect_eq_const %wide_scalar, dense<7> : tensor<i64>
  %empty = stablehlo.constant dense<> : tensor<2x0xi4>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xi4>) -> tensor<2x0xi64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xi64>
  func.return
}

// -----

func.func @ui4() {
  %values = stablehlo.constant dense<[0, 1, 0, 1, 15]> : tensor<5xui4>
  %wide = stablehlo.convert %values : (tensor<5xui4>) -> tensor<5xui64>
  check.expect_eq_const %wide, dense<[0, 1, 0, 1, 15]> : tensor<5xui64>
  %splat = stablehlo.constant dense<15> : tensor<2x3xui4>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xui4>) -> tensor<2x3xui64>
  check.expect_eq_const %wide_splat, dense<15> : tensor<2x3xui64>
  %bytes = stablehlo.constant dense<"0x000F"> : tensor<2xui4>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xui4>) -> tensor<2xui64>
  check.expect_eq_const %wide_bytes, dense<[0, 15]> : tensor<2xui64>
  %scalar = stablehlo.constant dense<15> : tensor<ui4>
  %wide_scalar = stablehlo.convert %scalar : (tensor<ui4>) -> tensor<ui64>
  check.expect_eq_const %wide_scalar, dense<15> : tensor<ui64>
  %empty = stablehlo.constant dense<> : tensor<2x0xui4>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xui4>) -> tensor<2x0xui64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xui64>
  func.return
}

// -----

func.func @i8() {
  %values = stablehlo.constant dense<[-128, -1, 0, 1, 127]> : tensor<5xi8>
  %wide = stablehlo.convert %values : (tensor<5xi8>) -> tensor<5xi64>
  check.expect_eq_const %wide, dense<[-128, -1, 0, 1, 127]> : tensor<5xi64>
  %splat = stablehlo.constant dense<-128> : tensor<2x3xi8>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xi8>) -> tensor<2x3xi64>
  check.expect_eq_const %wide_splat, dense<-128> : tensor<2x3xi64>
  %bytes = stablehlo.constant dense<"0x807F"> : tensor<2xi8>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xi8>) -> tensor<2xi64>
  check.expect_eq_const %wide_bytes, dense<[-128, 127]> : tensor<2xi64>
  %scalar = stablehlo.constant dense<127> : tensor<i8>
  %wide_scalar = stablehlo.convert %scalar : (tensor<i8>) -> tensor<i64>
  check.expect_eq_const %wide_scalar, dense<127> : tensor<i64>
  %empty = stablehlo.constant dense<> : tensor<2x0xi8>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xi8>) -> tensor<2x0xi64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xi64>
  func.return
}

// -----

func.func @ui8() {
  %values = stablehlo.constant dense<[0, 1, 0, 1, 255]> : tensor<5xui8>
  %wide = stablehlo.convert %values : (tensor<5xui8>) -> tensor<5xui64>
  check.expect_eq_const %wide, dense<[0, 1, 0, 1, 255]> : tensor<5xui64>
  %splat = stablehlo.constant dense<255> : tensor<2x3xui8>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xui8>) -> tensor<2x3xui64>
  check.expect_eq_const %wide_splat, dense<255> : tensor<2x3xui64>
  %bytes = stablehlo.constant dense<"0x00FF"> : tensor<2xui8>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xui8>) -> tensor<2xui64>
  check.expect_eq_const %wide_bytes, dense<[0, 255]> : tensor<2xui64>
  %scalar = stablehlo.constant dense<255> : tensor<ui8>
  %wide_scalar = stablehlo.convert %scalar : (tensor<ui8>) -> tensor<ui64>
  check.expect_eq_const %wide_scalar, dense<255> : tensor<ui64>
  %empty = stablehlo.constant dense<> : tensor<2x0xui8>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xui8>) -> tensor<2x0xui64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xui64>
  func.return
}

// -----

func.func @i16() {
  %values = stablehlo.constant dense<[-32768, -1, 0, 1, 32767]> : tensor<5xi16>
  %wide = stablehlo.convert %values : (tensor<5xi16>) -> tensor<5xi64>
  check.expect_eq_const %wide, dense<[-32768, -1, 0, 1, 32767]> : tensor<5xi64>
  %splat = stablehlo.constant dense<-32768> : tensor<2x3xi16>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xi16>) -> tensor<2x3xi64>
  check.expect_eq_const %wide_splat, dense<-32768> : tensor<2x3xi64>
  %bytes = stablehlo.constant dense<"0x0080FF7F"> : tensor<2xi16>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xi16>) -> tensor<2xi64>
  check.expect_eq_const %wide_bytes, dense<[-32768, 32767]> : tensor<2xi64>
  %scalar = stablehlo.constant dense<32767> : tensor<i16>
  %wide_scalar = stablehlo.convert %scalar : (tensor<i16>) -> tensor<i64>
  check.expect_eq_const %wide_scalar, dense<32767> : tensor<i64>
  %empty = stablehlo.constant dense<> : tensor<2x0xi16>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xi16>) -> tensor<2x0xi64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xi64>
  func.return
}

// -----

func.func @ui16() {
  %values = stablehlo.constant dense<[0, 1, 0, 1, 65535]> : tensor<5xui16>
  %wide = stablehlo.convert %values : (tensor<5xui16>) -> tensor<5xui64>
  check.expect_eq_const %wide, dense<[0, 1, 0, 1, 65535]> : tensor<5xui64>
  %splat = stablehlo.constant dense<65535> : tensor<2x3xui16>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xui16>) -> tensor<2x3xui64>
  check.expect_eq_const %wide_splat, dense<65535> : tensor<2x3xui64>
  %bytes = stablehlo.constant dense<"0x0000FFFF"> : tensor<2xui16>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xui16>) -> tensor<2xui64>
  check.expect_eq_const %wide_bytes, dense<[0, 65535]> : tensor<2xui64>
  %scalar = stablehlo.constant dense<65535> : tensor<ui16>
  %wide_scalar = stablehlo.convert %scalar : (tensor<ui16>) -> tensor<ui64>
  check.expect_eq_const %wide_scalar, dense<65535> : tensor<ui64>
  %empty = stablehlo.constant dense<> : tensor<2x0xui16>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xui16>) -> tensor<2x0xui64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xui64>
  func.return
}

// -----

func.func @i32() {
  %values = stablehlo.constant dense<[-2147483648, -1, 0, 1, 2147483647]> : tensor<5xi32>
  %wide = stablehlo.convert %values : (tensor<5xi32>) -> tensor<5xi64>
  check.expect_eq_const %wide, dense<[-2147483648, -1, 0, 1, 2147483647]> : tensor<5xi64>
  %splat = stablehlo.constant dense<-2147483648> : tensor<2x3xi32>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xi32>) -> tensor<2x3xi64>
  check.expect_eq_const %wide_splat, dense<-2147483648> : tensor<2x3xi64>
  %bytes = stablehlo.constant dense<"0x00000080FFFFFF7F"> : tensor<2xi32>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xi32>) -> tensor<2xi64>
  check.expect_eq_const %wide_bytes, dense<[-2147483648, 2147483647]> : tensor<2xi64>
  %scalar = stablehlo.constant dense<2147483647> : tensor<i32>
  %wide_scalar = stablehlo.convert %scalar : (tensor<i32>) -> tensor<i64>
  check.expect_eq_const %wide_scalar, dense<2147483647> : tensor<i64>
  %empty = stablehlo.constant dense<> : tensor<2x0xi32>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xi32>) -> tensor<2x0xi64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xi64>
  func.return
}

// -----

func.func @ui32() {
  %values = stablehlo.constant dense<[0, 1, 0, 1, 4294967295]> : tensor<5xui32>
  %wide = stablehlo.convert %values : (tensor<5xui32>) -> tensor<5xui64>
  check.expect_eq_const %wide, dense<[0, 1, 0, 1, 4294967295]> : tensor<5xui64>
  %splat = stablehlo.constant dense<4294967295> : tensor<2x3xui32>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xui32>) -> tensor<2x3xui64>
  check.expect_eq_const %wide_splat, dense<4294967295> : tensor<2x3xui64>
  %bytes = stablehlo.constant dense<"0x00000000FFFFFFFF"> : tensor<2xui32>
  %wide_bytes = stablehlo.convert %bytes : (tensor<2xui32>) -> tensor<2xui64>
  check.expect_eq_const %wide_bytes, dense<[0, 4294967295]> : tensor<2xui64>
  %scalar = stablehlo.constant dense<4294967295> : tensor<ui32>
  %wide_scalar = stablehlo.convert %scalar : (tensor<ui32>) -> tensor<ui64>
  check.expect_eq_const %wide_scalar, dense<4294967295> : tensor<ui64>
  %empty = stablehlo.constant dense<> : tensor<2x0xui32>
  %wide_empty = stablehlo.convert %empty : (tensor<2x0xui32>) -> tensor<2x0xui64>
  check.expect_eq_const %wide_empty, dense<> : tensor<2x0xui64>
  func.return
}

// -----

func.func @i64() {
  %values = stablehlo.constant dense<[-9223372036854775808, -1, 0, 1, 9223372036854775807]> : tensor<5xi64>
  // The low word comes first.
  %words = stablehlo.bitcast_convert %values : (tensor<5xi64>) -> tensor<5x2xui32>
  check.expect_eq_const %words, dense<[[0, 2147483648], [4294967295, 4294967295], [0, 0], [1, 0], [4294967295, 2147483647]]> : tensor<5x2xui32>
  %splat = stablehlo.constant dense<9223372036854775807> : tensor<2xi64>
  %splat_words = stablehlo.bitcast_convert %splat : (tensor<2xi64>) -> tensor<2x2xui32>
  check.expect_eq_const %splat_words, dense<[[4294967295, 2147483647], [4294967295, 2147483647]]> : tensor<2x2xui32>
  %bytes = stablehlo.constant dense<"0x0807060504030201F8F7F6F5F4F3F2F1"> : tensor<2xi64>
  %bytes_words = stablehlo.bitcast_convert %bytes : (tensor<2xi64>) -> tensor<2x2xui32>
  check.expect_eq_const %bytes_words, dense<[[84281096, 16909060], [4126603256, 4059231220]]> : tensor<2x2xui32>
  %scalar = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %scalar_words = stablehlo.bitcast_convert %scalar : (tensor<i64>) -> tensor<2xui32>
  check.expect_eq_const %scalar_words, dense<[4294967295, 2147483647]> : tensor<2xui32>
  %empty = stablehlo.constant dense<> : tensor<0xi64>
  %no_words = stablehlo.bitcast_convert %empty : (tensor<0xi64>) -> tensor<0x2xui32>
  check.expect_eq_const %no_words, dense<> : tensor<0x2xui32>
  func.return
}

// -----

func.func @ui64() {
  %values = stablehlo.constant dense<[0, 1, 4294967296, 9223372036854775808, 18446744073709551615]> : tensor<5xui64>
  // The low word comes first.
  %words = stablehlo.bitcast_convert %values : (tensor<5xui64>) -> tensor<5x2xui32>
  check.expect_eq_const %words, dense<[[0, 0], [1, 0], [0, 1], [0, 2147483648], [4294967295, 4294967295]]> : tensor<5x2xui32>
  %splat = stablehlo.constant dense<18446744073709551615> : tensor<2xui64>
  %splat_words = stablehlo.bitcast_convert %splat : (tensor<2xui64>) -> tensor<2x2xui32>
  check.expect_eq_const %splat_words, dense<[[4294967295, 4294967295], [4294967295, 4294967295]]> : tensor<2x2xui32>
  %bytes = stablehlo.constant dense<"0x0807060504030201F8F7F6F5F4F3F2F1"> : tensor<2xui64>
  %bytes_words = stablehlo.bitcast_convert %bytes : (tensor<2xui64>) -> tensor<2x2xui32>
  check.expect_eq_const %bytes_words, dense<[[84281096, 16909060], [4126603256, 4059231220]]> : tensor<2x2xui32>
  %scalar = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %scalar_words = stablehlo.bitcast_convert %scalar : (tensor<ui64>) -> tensor<2xui32>
  check.expect_eq_const %scalar_words, dense<[4294967295, 4294967295]> : tensor<2xui32>
  %empty = stablehlo.constant dense<> : tensor<0xui64>
  %no_words = stablehlo.bitcast_convert %empty : (tensor<0xui64>) -> tensor<0x2xui32>
  check.expect_eq_const %no_words, dense<> : tensor<0x2xui32>
  func.return
}

// -----

func.func @f4E2M1FN() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 0.5, 6.0]> : tensor<6xf4E2M1FN>
  %bits = stablehlo.bitcast_convert %values : (tensor<6xf4E2M1FN>) -> tensor<6xui4>
  check.expect_eq_const %bits, dense<[0x0, 0x8, 0x2, 0xB, 0x1, 0x7]> : tensor<6xui4>
  %bytes = stablehlo.constant dense<"0x0008020B0107"> : tensor<6xf4E2M1FN>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<6xf4E2M1FN>) -> tensor<6xui4>
  check.expect_eq %bytes_bits, %bits : tensor<6xui4>
  %splat = stablehlo.constant dense<1.0> : tensor<2x3xf4E2M1FN>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf4E2M1FN>) -> tensor<2x3xui4>
  check.expect_eq_const %splat_bits, dense<0x2> : tensor<2x3xui4>
  %scalar = stablehlo.constant dense<-1.5> : tensor<f4E2M1FN>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f4E2M1FN>) -> tensor<ui4>
  check.expect_eq_const %scalar_bits, dense<0xB> : tensor<ui4>
  %empty = stablehlo.constant dense<> : tensor<3x0xf4E2M1FN>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf4E2M1FN>) -> tensor<3x0xui4>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui4>
  func.return
}

// -----

func.func @f8E3M4() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 15.5, 0.015625, 0x70, 0x78]> : tensor<8xf8E3M4>
  %bits = stablehlo.bitcast_convert %values : (tensor<8xf8E3M4>) -> tensor<8xui8>
  check.expect_eq_const %bits, dense<[0x0, 0x80, 0x30, 0xB8, 0x6F, 0x1, 0x70, 0x78]> : tensor<8xui8>
  %bytes = stablehlo.constant dense<"0x008030B86F017078"> : tensor<8xf8E3M4>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<8xf8E3M4>) -> tensor<8xui8>
  check.expect_eq %bytes_bits, %bits : tensor<8xui8>
  %splat = stablehlo.constant dense<1.0> : tensor<2x3xf8E3M4>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf8E3M4>) -> tensor<2x3xui8>
  check.expect_eq_const %splat_bits, dense<0x30> : tensor<2x3xui8>
  %scalar = stablehlo.constant dense<0x70> : tensor<f8E3M4>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f8E3M4>) -> tensor<ui8>
  check.expect_eq_const %scalar_bits, dense<0x70> : tensor<ui8>
  %empty = stablehlo.constant dense<> : tensor<3x0xf8E3M4>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf8E3M4>) -> tensor<3x0xui8>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui8>
  func.return
}

// -----

func.func @f8E4M3() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 240.0, 0.001953125, 0x78, 0x7C]> : tensor<8xf8E4M3>
  %bits = stablehlo.bitcast_convert %values : (tensor<8xf8E4M3>) -> tensor<8xui8>
  check.expect_eq_const %bits, dense<[0x0, 0x80, 0x38, 0xBC, 0x77, 0x1, 0x78, 0x7C]> : tensor<8xui8>
  %bytes = stablehlo.constant dense<"0x008038BC7701787C"> : tensor<8xf8E4M3>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<8xf8E4M3>) -> tensor<8xui8>
  check.expect_eq %bytes_bits, %bits : tensor<8xui8>
  %splat = stablehlo.constant dense<1.0> : tensor<2x3xf8E4M3>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf8E4M3>) -> tensor<2x3xui8>
  check.expect_eq_const %splat_bits, dense<0x38> : tensor<2x3xui8>
  %scalar = stablehlo.constant dense<0x78> : tensor<f8E4M3>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f8E4M3>) -> tensor<ui8>
  check.expect_eq_const %scalar_bits, dense<0x78> : tensor<ui8>
  %empty = stablehlo.constant dense<> : tensor<3x0xf8E4M3>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf8E4M3>) -> tensor<3x0xui8>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui8>
  func.return
}

// -----

func.func @f8E4M3B11FNUZ() {
  %values = stablehlo.constant dense<[0.0, 1.0, -1.5, 30.0, 0.0001220703125, 0x80]> : tensor<6xf8E4M3B11FNUZ>
  %bits = stablehlo.bitcast_convert %values : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %bits, dense<[0x0, 0x58, 0xDC, 0x7F, 0x1, 0x80]> : tensor<6xui8>
  %bytes = stablehlo.constant dense<"0x0058DC7F0180"> : tensor<6xf8E4M3B11FNUZ>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xui8>
  check.expect_eq %bytes_bits, %bits : tensor<6xui8>
  %splat = stablehlo.constant dense<-1.5> : tensor<2x3xf8E4M3B11FNUZ>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf8E4M3B11FNUZ>) -> tensor<2x3xui8>
  check.expect_eq_const %splat_bits, dense<0xDC> : tensor<2x3xui8>
  %scalar = stablehlo.constant dense<0.0001220703125> : tensor<f8E4M3B11FNUZ>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f8E4M3B11FNUZ>) -> tensor<ui8>
  check.expect_eq_const %scalar_bits, dense<0x1> : tensor<ui8>
  %empty = stablehlo.constant dense<> : tensor<3x0xf8E4M3B11FNUZ>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf8E4M3B11FNUZ>) -> tensor<3x0xui8>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui8>
  func.return
}

// -----

func.func @f8E4M3FN() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 448.0, 0.001953125, 0x7F, 0xFF]> : tensor<8xf8E4M3FN>
  %bits = stablehlo.bitcast_convert %values : (tensor<8xf8E4M3FN>) -> tensor<8xui8>
  check.expect_eq_const %bits, dense<[0x0, 0x80, 0x38, 0xBC, 0x7E, 0x1, 0x7F, 0xFF]> : tensor<8xui8>
  %bytes = stablehlo.constant dense<"0x008038BC7E017FFF"> : tensor<8xf8E4M3FN>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<8xf8E4M3FN>) -> tensor<8xui8>
  check.expect_eq %bytes_bits, %bits : tensor<8xui8>
  %splat = stablehlo.constant dense<1.0> : tensor<2x3xf8E4M3FN>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf8E4M3FN>) -> tensor<2x3xui8>
  check.expect_eq_const %splat_bits, dense<0x38> : tensor<2x3xui8>
  %scalar = stablehlo.constant dense<0x7F> : tensor<f8E4M3FN>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f8E4M3FN>) -> tensor<ui8>
  check.expect_eq_const %scalar_bits, dense<0x7F> : tensor<ui8>
  %empty = stablehlo.constant dense<> : tensor<3x0xf8E4M3FN>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf8E4M3FN>) -> tensor<3x0xui8>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui8>
  func.return
}

// -----

func.func @f8E4M3FNUZ() {
  %values = stablehlo.constant dense<[0.0, 1.0, -1.5, 240.0, 0.0009765625, 0x80]> : tensor<6xf8E4M3FNUZ>
  %bits = stablehlo.bitcast_convert %values : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %bits, dense<[0x0, 0x40, 0xC4, 0x7F, 0x1, 0x80]> : tensor<6xui8>
  %bytes = stablehlo.constant dense<"0x0040C47F0180"> : tensor<6xf8E4M3FNUZ>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<6xf8E4M3FNUZ>) -> tensor<6xui8>
  check.expect_eq %bytes_bits, %bits : tensor<6xui8>
  %splat = stablehlo.constant dense<-1.5> : tensor<2x3xf8E4M3FNUZ>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf8E4M3FNUZ>) -> tensor<2x3xui8>
  check.expect_eq_const %splat_bits, dense<0xC4> : tensor<2x3xui8>
  %scalar = stablehlo.constant dense<0.0009765625> : tensor<f8E4M3FNUZ>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f8E4M3FNUZ>) -> tensor<ui8>
  check.expect_eq_const %scalar_bits, dense<0x1> : tensor<ui8>
  %empty = stablehlo.constant dense<> : tensor<3x0xf8E4M3FNUZ>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf8E4M3FNUZ>) -> tensor<3x0xui8>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui8>
  func.return
}

// -----

func.func @f8E5M2() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 57344.0, 1.52587890625e-05, 0x7C, 0x7E]> : tensor<8xf8E5M2>
  %bits = stablehlo.bitcast_convert %values : (tensor<8xf8E5M2>) -> tensor<8xui8>
  check.expect_eq_const %bits, dense<[0x0, 0x80, 0x3C, 0xBE, 0x7B, 0x1, 0x7C, 0x7E]> : tensor<8xui8>
  %bytes = stablehlo.constant dense<"0x00803CBE7B017C7E"> : tensor<8xf8E5M2>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<8xf8E5M2>) -> tensor<8xui8>
  check.expect_eq %bytes_bits, %bits : tensor<8xui8>
  %splat = stablehlo.constant dense<1.0> : tensor<2x3xf8E5M2>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf8E5M2>) -> tensor<2x3xui8>
  check.expect_eq_const %splat_bits, dense<0x3C> : tensor<2x3xui8>
  %scalar = stablehlo.constant dense<0x7C> : tensor<f8E5M2>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f8E5M2>) -> tensor<ui8>
  check.expect_eq_const %scalar_bits, dense<0x7C> : tensor<ui8>
  %empty = stablehlo.constant dense<> : tensor<3x0xf8E5M2>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf8E5M2>) -> tensor<3x0xui8>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui8>
  func.return
}

// -----

func.func @f8E5M2FNUZ() {
  %values = stablehlo.constant dense<[0.0, 1.0, -1.5, 57344.0, 7.62939453125e-06, 0x80]> : tensor<6xf8E5M2FNUZ>
  %bits = stablehlo.bitcast_convert %values : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq_const %bits, dense<[0x0, 0x40, 0xC2, 0x7F, 0x1, 0x80]> : tensor<6xui8>
  %bytes = stablehlo.constant dense<"0x0040C27F0180"> : tensor<6xf8E5M2FNUZ>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<6xf8E5M2FNUZ>) -> tensor<6xui8>
  check.expect_eq %bytes_bits, %bits : tensor<6xui8>
  %splat = stablehlo.constant dense<-1.5> : tensor<2x3xf8E5M2FNUZ>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf8E5M2FNUZ>) -> tensor<2x3xui8>
  check.expect_eq_const %splat_bits, dense<0xC2> : tensor<2x3xui8>
  %scalar = stablehlo.constant dense<7.62939453125e-06> : tensor<f8E5M2FNUZ>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f8E5M2FNUZ>) -> tensor<ui8>
  check.expect_eq_const %scalar_bits, dense<0x1> : tensor<ui8>
  %empty = stablehlo.constant dense<> : tensor<3x0xf8E5M2FNUZ>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf8E5M2FNUZ>) -> tensor<3x0xui8>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui8>
  func.return
}

// -----

func.func @f8E8M0FNU() {
  %values = stablehlo.constant dense<[1.0, 2.0, 0.25, 0x00, 0xFE, 0xFF]> : tensor<6xf8E8M0FNU>
  %bits = stablehlo.bitcast_convert %values : (tensor<6xf8E8M0FNU>) -> tensor<6xui8>
  check.expect_eq_const %bits, dense<[0x7F, 0x80, 0x7D, 0x0, 0xFE, 0xFF]> : tensor<6xui8>
  %bytes = stablehlo.constant dense<"0x7F807D00FEFF"> : tensor<6xf8E8M0FNU>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<6xf8E8M0FNU>) -> tensor<6xui8>
  check.expect_eq %bytes_bits, %bits : tensor<6xui8>
  %splat = stablehlo.constant dense<0.25> : tensor<2x3xf8E8M0FNU>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf8E8M0FNU>) -> tensor<2x3xui8>
  check.expect_eq_const %splat_bits, dense<0x7D> : tensor<2x3xui8>
  %scalar = stablehlo.constant dense<0xFE> : tensor<f8E8M0FNU>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f8E8M0FNU>) -> tensor<ui8>
  check.expect_eq_const %scalar_bits, dense<0xFE> : tensor<ui8>
  %empty = stablehlo.constant dense<> : tensor<3x0xf8E8M0FNU>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf8E8M0FNU>) -> tensor<3x0xui8>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui8>
  func.return
}

// -----

func.func @bf16() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 0x7F7F, 0x0001, 0x7F80, 0xFFC1]> : tensor<8xbf16>
  %bits = stablehlo.bitcast_convert %values : (tensor<8xbf16>) -> tensor<8xui16>
  check.expect_eq_const %bits, dense<[0x0, 0x8000, 0x3F80, 0xBFC0, 0x7F7F, 0x1, 0x7F80, 0xFFC1]> : tensor<8xui16>
  %bytes = stablehlo.constant dense<"0x00000080803FC0BF7F7F0100807FC1FF"> : tensor<8xbf16>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<8xbf16>) -> tensor<8xui16>
  check.expect_eq %bytes_bits, %bits : tensor<8xui16>
  %splat = stablehlo.constant dense<1.0> : tensor<2x3xbf16>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xbf16>) -> tensor<2x3xui16>
  check.expect_eq_const %splat_bits, dense<0x3F80> : tensor<2x3xui16>
  %scalar = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<bf16>) -> tensor<ui16>
  check.expect_eq_const %scalar_bits, dense<0x7F80> : tensor<ui16>
  %empty = stablehlo.constant dense<> : tensor<3x0xbf16>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xbf16>) -> tensor<3x0xui16>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui16>
  func.return
}

// -----

func.func @f16() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 65504.0, 0x0001, 0x7C00, 0xFE01]> : tensor<8xf16>
  %bits = stablehlo.bitcast_convert %values : (tensor<8xf16>) -> tensor<8xui16>
  check.expect_eq_const %bits, dense<[0x0, 0x8000, 0x3C00, 0xBE00, 0x7BFF, 0x1, 0x7C00, 0xFE01]> : tensor<8xui16>
  %bytes = stablehlo.constant dense<"0x00000080003C00BEFF7B0100007C01FE"> : tensor<8xf16>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<8xf16>) -> tensor<8xui16>
  check.expect_eq %bytes_bits, %bits : tensor<8xui16>
  %splat = stablehlo.constant dense<1.0> : tensor<2x3xf16>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf16>) -> tensor<2x3xui16>
  check.expect_eq_const %splat_bits, dense<0x3C00> : tensor<2x3xui16>
  %scalar = stablehlo.constant dense<0x7C00> : tensor<f16>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f16>) -> tensor<ui16>
  check.expect_eq_const %scalar_bits, dense<0x7C00> : tensor<ui16>
  %empty = stablehlo.constant dense<> : tensor<3x0xf16>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf16>) -> tensor<3x0xui16>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui16>
  func.return
}

// -----

func.func @f32() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 0x7F7FFFFF, 0x00000001, 0x7F800000, 0xFFC00001]> : tensor<8xf32>
  %bits = stablehlo.bitcast_convert %values : (tensor<8xf32>) -> tensor<8xui32>
  check.expect_eq_const %bits, dense<[0x0, 0x80000000, 0x3F800000, 0xBFC00000, 0x7F7FFFFF, 0x1, 0x7F800000, 0xFFC00001]> : tensor<8xui32>
  %bytes = stablehlo.constant dense<"0x00000000000000800000803F0000C0BFFFFF7F7F010000000000807F0100C0FF"> : tensor<8xf32>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<8xf32>) -> tensor<8xui32>
  check.expect_eq %bytes_bits, %bits : tensor<8xui32>
  %splat = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %splat_bits, dense<0x3F800000> : tensor<2x3xui32>
  %scalar = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %scalar_bits, dense<0x7F800000> : tensor<ui32>
  %empty = stablehlo.constant dense<> : tensor<3x0xf32>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf32>) -> tensor<3x0xui32>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui32>
  func.return
}

// -----

func.func @f64() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 0x7FEFFFFFFFFFFFFF, 0x0000000000000001, 0x7FF0000000000000, 0xFFF8000000000001]> : tensor<8xf64>
  %bits = stablehlo.bitcast_convert %values : (tensor<8xf64>) -> tensor<8xui64>
  check.expect_eq_const %bits, dense<[0x0, 0x8000000000000000, 0x3FF0000000000000, 0xBFF8000000000000, 0x7FEFFFFFFFFFFFFF, 0x1, 0x7FF0000000000000, 0xFFF8000000000001]> : tensor<8xui64>
  %bytes = stablehlo.constant dense<"0x00000000000000000000000000000080000000000000F03F000000000000F8BFFFFFFFFFFFFFEF7F0100000000000000000000000000F07F010000000000F8FF"> : tensor<8xf64>
  %bytes_bits = stablehlo.bitcast_convert %bytes : (tensor<8xf64>) -> tensor<8xui64>
  check.expect_eq %bytes_bits, %bits : tensor<8xui64>
  %splat = stablehlo.constant dense<1.0> : tensor<2x3xf64>
  %splat_bits = stablehlo.bitcast_convert %splat : (tensor<2x3xf64>) -> tensor<2x3xui64>
  check.expect_eq_const %splat_bits, dense<0x3FF0000000000000> : tensor<2x3xui64>
  %scalar = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %scalar_bits = stablehlo.bitcast_convert %scalar : (tensor<f64>) -> tensor<ui64>
  check.expect_eq_const %scalar_bits, dense<0x7FF0000000000000> : tensor<ui64>
  %empty = stablehlo.constant dense<> : tensor<3x0xf64>
  %no_bits = stablehlo.bitcast_convert %empty : (tensor<3x0xf64>) -> tensor<3x0xui64>
  check.expect_eq_const %no_bits, dense<> : tensor<3x0xui64>
  func.return
}

// -----

func.func @f6E2M3FN() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 7.5, 0.125]> : tensor<6xf6E2M3FN>
  %wide = stablehlo.convert %values : (tensor<6xf6E2M3FN>) -> tensor<6xf32>
  check.expect_eq_const %wide, dense<[0.0, -0.0, 1.0, -1.5, 7.5, 0.125]> : tensor<6xf32>
  %bytes = stablehlo.constant dense<"0x0020082C1F01"> : tensor<6xf6E2M3FN>
  %wide_bytes = stablehlo.convert %bytes : (tensor<6xf6E2M3FN>) -> tensor<6xf32>
  check.expect_eq %wide_bytes, %wide : tensor<6xf32>
  %splat = stablehlo.constant dense<-1.5> : tensor<2x3xf6E2M3FN>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xf6E2M3FN>) -> tensor<2x3xf32>
  check.expect_eq_const %wide_splat, dense<-1.5> : tensor<2x3xf32>
  %scalar = stablehlo.constant dense<7.5> : tensor<f6E2M3FN>
  %wide_scalar = stablehlo.convert %scalar : (tensor<f6E2M3FN>) -> tensor<f32>
  check.expect_eq_const %wide_scalar, dense<7.5> : tensor<f32>
  %empty = stablehlo.constant dense<> : tensor<0xf6E2M3FN>
  %wide_empty = stablehlo.convert %empty : (tensor<0xf6E2M3FN>) -> tensor<0xf32>
  check.expect_eq_const %wide_empty, dense<> : tensor<0xf32>
  func.return
}

// -----

func.func @f6E3M2FN() {
  %values = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.5, 28.0, 0.0625]> : tensor<6xf6E3M2FN>
  %wide = stablehlo.convert %values : (tensor<6xf6E3M2FN>) -> tensor<6xf32>
  check.expect_eq_const %wide, dense<[0.0, -0.0, 1.0, -1.5, 28.0, 0.0625]> : tensor<6xf32>
  %bytes = stablehlo.constant dense<"0x00200C2E1F01"> : tensor<6xf6E3M2FN>
  %wide_bytes = stablehlo.convert %bytes : (tensor<6xf6E3M2FN>) -> tensor<6xf32>
  check.expect_eq %wide_bytes, %wide : tensor<6xf32>
  %splat = stablehlo.constant dense<-1.5> : tensor<2x3xf6E3M2FN>
  %wide_splat = stablehlo.convert %splat : (tensor<2x3xf6E3M2FN>) -> tensor<2x3xf32>
  check.expect_eq_const %wide_splat, dense<-1.5> : tensor<2x3xf32>
  %scalar = stablehlo.constant dense<28.0> : tensor<f6E3M2FN>
  %wide_scalar = stablehlo.convert %scalar : (tensor<f6E3M2FN>) -> tensor<f32>
  check.expect_eq_const %wide_scalar, dense<28.0> : tensor<f32>
  %empty = stablehlo.constant dense<> : tensor<0xf6E3M2FN>
  %wide_empty = stablehlo.convert %empty : (tensor<0xf6E3M2FN>) -> tensor<0xf32>
  check.expect_eq_const %wide_empty, dense<> : tensor<0xf32>
  func.return
}

// -----

func.func @complex_f32() {
  %values = stablehlo.constant dense<[(1.0, -2.0), (-0.0, 0x7F800000), (0xFFC00001, 0.25)]> : tensor<3xcomplex<f32>>
  %values_real = stablehlo.real %values : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  check.expect_eq_const %values_real, dense<[1.0, -0.0, 0xFFC00001]> : tensor<3xf32>
  %values_imag = stablehlo.imag %values : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  check.expect_eq_const %values_imag, dense<[-2.0, 0x7F800000, 0.25]> : tensor<3xf32>
  %bytes = stablehlo.constant dense<"0x0000C03F000000C0000000800000003F"> : tensor<2xcomplex<f32>>
  %bytes_real = stablehlo.real %bytes : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %bytes_real, dense<[1.5, -0.0]> : tensor<2xf32>
  %bytes_imag = stablehlo.imag %bytes : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %bytes_imag, dense<[-2.0, 0.5]> : tensor<2xf32>
  %splat = stablehlo.constant dense<(1.0, -0.0)> : tensor<2x2xcomplex<f32>>
  %splat_real = stablehlo.real %splat : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  check.expect_eq_const %splat_real, dense<1.0> : tensor<2x2xf32>
  %splat_imag = stablehlo.imag %splat : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  check.expect_eq_const %splat_imag, dense<-0.0> : tensor<2x2xf32>
  %scalar = stablehlo.constant dense<(-3.0, 4.0)> : tensor<complex<f32>>
  %scalar_real = stablehlo.real %scalar : (tensor<complex<f32>>) -> tensor<f32>
  check.expect_eq_const %scalar_real, dense<-3.0> : tensor<f32>
  %scalar_imag = stablehlo.imag %scalar : (tensor<complex<f32>>) -> tensor<f32>
  check.expect_eq_const %scalar_imag, dense<4.0> : tensor<f32>
  %empty = stablehlo.constant dense<> : tensor<0xcomplex<f32>>
  %empty_real = stablehlo.real %empty : (tensor<0xcomplex<f32>>) -> tensor<0xf32>
  check.expect_eq_const %empty_real, dense<> : tensor<0xf32>
  %empty_imag = stablehlo.imag %empty : (tensor<0xcomplex<f32>>) -> tensor<0xf32>
  check.expect_eq_const %empty_imag, dense<> : tensor<0xf32>
  func.return
}

// -----

func.func @complex_f64() {
  %values = stablehlo.constant dense<[(1.0, -2.0), (-0.0, 0x7FF0000000000000), (0xFFF8000000000001, 0.25)]> : tensor<3xcomplex<f64>>
  %values_real = stablehlo.real %values : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  check.expect_eq_const %values_real, dense<[1.0, -0.0, 0xFFF8000000000001]> : tensor<3xf64>
  %values_imag = stablehlo.imag %values : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  check.expect_eq_const %values_imag, dense<[-2.0, 0x7FF0000000000000, 0.25]> : tensor<3xf64>
  %bytes = stablehlo.constant dense<"0x000000000000F83F00000000000000C00000000000000080000000000000E03F"> : tensor<2xcomplex<f64>>
  %bytes_real = stablehlo.real %bytes : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %bytes_real, dense<[1.5, -0.0]> : tensor<2xf64>
  %bytes_imag = stablehlo.imag %bytes : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %bytes_imag, dense<[-2.0, 0.5]> : tensor<2xf64>
  %splat = stablehlo.constant dense<(1.0, -0.0)> : tensor<2x2xcomplex<f64>>
  %splat_real = stablehlo.real %splat : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
  check.expect_eq_const %splat_real, dense<1.0> : tensor<2x2xf64>
  %splat_imag = stablehlo.imag %splat : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
  check.expect_eq_const %splat_imag, dense<-0.0> : tensor<2x2xf64>
  %scalar = stablehlo.constant dense<(-3.0, 4.0)> : tensor<complex<f64>>
  %scalar_real = stablehlo.real %scalar : (tensor<complex<f64>>) -> tensor<f64>
  check.expect_eq_const %scalar_real, dense<-3.0> : tensor<f64>
  %scalar_imag = stablehlo.imag %scalar : (tensor<complex<f64>>) -> tensor<f64>
  check.expect_eq_const %scalar_imag, dense<4.0> : tensor<f64>
  %empty = stablehlo.constant dense<> : tensor<0xcomplex<f64>>
  %empty_real = stablehlo.real %empty : (tensor<0xcomplex<f64>>) -> tensor<0xf64>
  check.expect_eq_const %empty_real, dense<> : tensor<0xf64>
  %empty_imag = stablehlo.imag %empty : (tensor<0xcomplex<f64>>) -> tensor<0xf64>
  check.expect_eq_const %empty_imag, dense<> : tensor<0xf64>
  func.return
}

// -----

func.func @resources() {
  %f32 = stablehlo.constant dense_resource<floats> : tensor<2xf32>
  check.expect_eq_const %f32, dense<[1.0, -2.0]> : tensor<2xf32>
  %bf16 = stablehlo.constant dense_resource<halves> : tensor<1x2xbf16>
  %bits = stablehlo.bitcast_convert %bf16 : (tensor<1x2xbf16>) -> tensor<1x2xui16>
  check.expect_eq_const %bits, dense<[[0x3F80, 0xC000]]> : tensor<1x2xui16>
  %f8 = stablehlo.constant dense_resource<bytes> : tensor<3xf8E4M3FN>
  %f8_bits = stablehlo.bitcast_convert %f8 : (tensor<3xf8E4M3FN>) -> tensor<3xui8>
  check.expect_eq_const %f8_bits, dense<[0x38, 0xBC, 0x7F]> : tensor<3xui8>
  %i64 = stablehlo.constant dense_resource<integer> : tensor<i64>
  check.expect_eq_const %i64, dense<-2> : tensor<i64>
  func.return
}

{-#
  dialect_resources: {
    builtin: {
      floats: "0x040000000000803F000000C0",
      halves: "0x02000000803F00C0",
      bytes: "0x0100000038BC7F",
      integer: "0x08000000FEFFFFFFFFFFFFFF"
    }
  }
#-}

// -----

func.func @many_dimensions() {
  %values = stablehlo.constant dense<[[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]]> : tensor<2x1x2x2xi16>
  %last = stablehlo.slice %values [1:2, 0:1, 0:2, 1:2] : (tensor<2x1x2x2xi16>) -> tensor<1x1x2x1xi16>
  check.expect_eq_const %last, dense<[[[[6], [8]]]]> : tensor<1x1x2x1xi16>
  func.return
}
