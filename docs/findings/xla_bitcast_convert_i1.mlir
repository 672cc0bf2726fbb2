// `bitcast_convert` of eight booleans, of one bit each, to an i8.
//   hlokit diff docs/findings/xla_bitcast_convert_i1.mlir --against=xla
// int8[] expected, int8[8] there

func.func @main() -> tensor<i8> {
  %bits = stablehlo.constant dense<[true, true, false, false, false, false, false, false]> : tensor<8xi1>
  %0 = stablehlo.bitcast_convert %bits : (tensor<8xi1>) -> tensor<i8>
  return %0 : tensor<i8>
}
