// RUN: stablehlo-opt --mlir-print-op-generic %s.bc | FileCheck %s
// RUN: stablehlo-translate --deserialize %s.bc | stablehlo-translate --serialize --target=1.17.0 | stablehlo-opt --mlir-print-op-generic | FileCheck %s
// RUN: stablehlo-translate --deserialize %s.bc | stablehlo-opt > %t.0
// RUN: stablehlo-opt --strip-debuginfo %s > %t.1
// RUN: diff %t.0 %t.1
// RUN: stablehlo-translate --serialize --target=1.17.0 --strip-debuginfo %s > %t.2
// RUN: diff %s.bc %t.2

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_i1">
// CHECK: "vhlo.return_v1"
func.func @type_i1(%value: tensor<2xi1>) -> tensor<2xi1> {
  func.return %value : tensor<2xi1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_i2">
// CHECK: "vhlo.return_v1"
func.func @type_i2(%value: tensor<2xi2>) -> tensor<2xi2> {
  func.return %value : tensor<2xi2>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_i4">
// CHECK: "vhlo.return_v1"
func.func @type_i4(%value: tensor<2xi4>) -> tensor<2xi4> {
  func.return %value : tensor<2xi4>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_i8">
// CHECK: "vhlo.return_v1"
func.func @type_i8(%value: tensor<2xi8>) -> tensor<2xi8> {
  func.return %value : tensor<2xi8>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_i16">
// CHECK: "vhlo.return_v1"
func.func @type_i16(%value: tensor<2xi16>) -> tensor<2xi16> {
  func.return %value : tensor<2xi16>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_i32">
// CHECK: "vhlo.return_v1"
func.func @type_i32(%value: tensor<2xi32>) -> tensor<2xi32> {
  func.return %value : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_i64">
// CHECK: "vhlo.return_v1"
func.func @type_i64(%value: tensor<2xi64>) -> tensor<2xi64> {
  func.return %value : tensor<2xi64>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_ui2">
// CHECK: "vhlo.return_v1"
func.func @type_ui2(%value: tensor<2xui2>) -> tensor<2xui2> {
  func.return %value : tensor<2xui2>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_ui4">
// CHECK: "vhlo.return_v1"
func.func @type_ui4(%value: tensor<2xui4>) -> tensor<2xui4> {
  func.return %value : tensor<2xui4>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_ui8">
// CHECK: "vhlo.return_v1"
func.func @type_ui8(%value: tensor<2xui8>) -> tensor<2xui8> {
  func.return %value : tensor<2xui8>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_ui16">
// CHECK: "vhlo.return_v1"
func.func @type_ui16(%value: tensor<2xui16>) -> tensor<2xui16> {
  func.return %value : tensor<2xui16>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_ui32">
// CHECK: "vhlo.return_v1"
func.func @type_ui32(%value: tensor<2xui32>) -> tensor<2xui32> {
  func.return %value : tensor<2xui32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_ui64">
// CHECK: "vhlo.return_v1"
func.func @type_ui64(%value: tensor<2xui64>) -> tensor<2xui64> {
  func.return %value : tensor<2xui64>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f4E2M1FN">
// CHECK: "vhlo.return_v1"
func.func @type_f4E2M1FN(%value: tensor<2xf4E2M1FN>) -> tensor<2xf4E2M1FN> {
  func.return %value : tensor<2xf4E2M1FN>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f6E2M3FN">
// CHECK: "vhlo.return_v1"
func.func @type_f6E2M3FN(%value: tensor<2xf6E2M3FN>) -> tensor<2xf6E2M3FN> {
  func.return %value : tensor<2xf6E2M3FN>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f6E3M2FN">
// CHECK: "vhlo.return_v1"
func.func @type_f6E3M2FN(%value: tensor<2xf6E3M2FN>) -> tensor<2xf6E3M2FN> {
  func.return %value : tensor<2xf6E3M2FN>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f8E3M4">
// CHECK: "vhlo.return_v1"
func.func @type_f8E3M4(%value: tensor<2xf8E3M4>) -> tensor<2xf8E3M4> {
  func.return %value : tensor<2xf8E3M4>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f8E4M3">
// CHECK: "vhlo.return_v1"
func.func @type_f8E4M3(%value: tensor<2xf8E4M3>) -> tensor<2xf8E4M3> {
  func.return %value : tensor<2xf8E4M3>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f8E4M3FN">
// CHECK: "vhlo.return_v1"
func.func @type_f8E4M3FN(%value: tensor<2xf8E4M3FN>) -> tensor<2xf8E4M3FN> {
  func.return %value : tensor<2xf8E4M3FN>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f8E4M3FNUZ">
// CHECK: "vhlo.return_v1"
func.func @type_f8E4M3FNUZ(%value: tensor<2xf8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ> {
  func.return %value : tensor<2xf8E4M3FNUZ>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f8E4M3B11FNUZ">
// CHECK: "vhlo.return_v1"
func.func @type_f8E4M3B11FNUZ(%value: tensor<2xf8E4M3B11FNUZ>) -> tensor<2xf8E4M3B11FNUZ> {
  func.return %value : tensor<2xf8E4M3B11FNUZ>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f8E5M2">
// CHECK: "vhlo.return_v1"
func.func @type_f8E5M2(%value: tensor<2xf8E5M2>) -> tensor<2xf8E5M2> {
  func.return %value : tensor<2xf8E5M2>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f8E5M2FNUZ">
// CHECK: "vhlo.return_v1"
func.func @type_f8E5M2FNUZ(%value: tensor<2xf8E5M2FNUZ>) -> tensor<2xf8E5M2FNUZ> {
  func.return %value : tensor<2xf8E5M2FNUZ>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f8E8M0FNU">
// CHECK: "vhlo.return_v1"
func.func @type_f8E8M0FNU(%value: tensor<2xf8E8M0FNU>) -> tensor<2xf8E8M0FNU> {
  func.return %value : tensor<2xf8E8M0FNU>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_bf16">
// CHECK: "vhlo.return_v1"
func.func @type_bf16(%value: tensor<2xbf16>) -> tensor<2xbf16> {
  func.return %value : tensor<2xbf16>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f16">
// CHECK: "vhlo.return_v1"
func.func @type_f16(%value: tensor<2xf16>) -> tensor<2xf16> {
  func.return %value : tensor<2xf16>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f32">
// CHECK: "vhlo.return_v1"
func.func @type_f32(%value: tensor<2xf32>) -> tensor<2xf32> {
  func.return %value : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_f64">
// CHECK: "vhlo.return_v1"
func.func @type_f64(%value: tensor<2xf64>) -> tensor<2xf64> {
  func.return %value : tensor<2xf64>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_complex_f32">
// CHECK: "vhlo.return_v1"
func.func @type_complex_f32(%value: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  func.return %value : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_complex_f64">
// CHECK: "vhlo.return_v1"
func.func @type_complex_f64(%value: tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>> {
  func.return %value : tensor<2xcomplex<f64>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_abs">
// CHECK: "vhlo.abs_v1"
// CHECK: "vhlo.return_v1"
func.func @op_abs(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.abs"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_cbrt">
// CHECK: "vhlo.cbrt_v2"
// CHECK: "vhlo.return_v1"
func.func @op_cbrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cbrt"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_ceil">
// CHECK: "vhlo.ceil_v1"
// CHECK: "vhlo.return_v1"
func.func @op_ceil(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.ceil"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_convert">
// CHECK: "vhlo.convert_v1"
// CHECK: "vhlo.return_v1"
func.func @op_convert(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.convert"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_cosine">
// CHECK: "vhlo.cosine_v2"
// CHECK: "vhlo.return_v1"
func.func @op_cosine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cosine"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_exponential">
// CHECK: "vhlo.exponential_v2"
// CHECK: "vhlo.return_v1"
func.func @op_exponential(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_exponential_minus_one">
// CHECK: "vhlo.exponential_minus_one_v2"
// CHECK: "vhlo.return_v1"
func.func @op_exponential_minus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential_minus_one"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_floor">
// CHECK: "vhlo.floor_v1"
// CHECK: "vhlo.return_v1"
func.func @op_floor(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.floor"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_log">
// CHECK: "vhlo.log_v2"
// CHECK: "vhlo.return_v1"
func.func @op_log(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_log_plus_one">
// CHECK: "vhlo.log_plus_one_v2"
// CHECK: "vhlo.return_v1"
func.func @op_log_plus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log_plus_one"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_logistic">
// CHECK: "vhlo.logistic_v2"
// CHECK: "vhlo.return_v1"
func.func @op_logistic(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.logistic"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_negate">
// CHECK: "vhlo.negate_v1"
// CHECK: "vhlo.return_v1"
func.func @op_negate(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.negate"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_round_nearest_afz">
// CHECK: "vhlo.round_nearest_afz_v1"
// CHECK: "vhlo.return_v1"
func.func @op_round_nearest_afz(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.round_nearest_afz"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_round_nearest_even">
// CHECK: "vhlo.round_nearest_even_v1"
// CHECK: "vhlo.return_v1"
func.func @op_round_nearest_even(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.round_nearest_even"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_rsqrt">
// CHECK: "vhlo.rsqrt_v2"
// CHECK: "vhlo.return_v1"
func.func @op_rsqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.rsqrt"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_sign">
// CHECK: "vhlo.sign_v1"
// CHECK: "vhlo.return_v1"
func.func @op_sign(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sign"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_sine">
// CHECK: "vhlo.sine_v2"
// CHECK: "vhlo.return_v1"
func.func @op_sine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sine"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_sqrt">
// CHECK: "vhlo.sqrt_v2"
// CHECK: "vhlo.return_v1"
func.func @op_sqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sqrt"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_tan">
// CHECK: "vhlo.tan_v2"
// CHECK: "vhlo.return_v1"
func.func @op_tan(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tan"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_tanh">
// CHECK: "vhlo.tanh_v2"
// CHECK: "vhlo.return_v1"
func.func @op_tanh(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tanh"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_optimization_barrier">
// CHECK: "vhlo.optimization_barrier_v1"
// CHECK: "vhlo.return_v1"
func.func @op_optimization_barrier(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.optimization_barrier"(%operand) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_count_leading_zeros">
// CHECK: "vhlo.count_leading_zeros_v1"
// CHECK: "vhlo.return_v1"
func.func @op_count_leading_zeros(%operand: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.count_leading_zeros"(%operand) : (tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_not">
// CHECK: "vhlo.not_v1"
// CHECK: "vhlo.return_v1"
func.func @op_not(%operand: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.not"(%operand) : (tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_popcnt">
// CHECK: "vhlo.popcnt_v1"
// CHECK: "vhlo.return_v1"
func.func @op_popcnt(%operand: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.popcnt"(%operand) : (tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_is_finite">
// CHECK: "vhlo.is_finite_v1"
// CHECK: "vhlo.return_v1"
func.func @op_is_finite(%operand: tensor<2xf32>) -> tensor<2xi1> {
  %0 = "stablehlo.is_finite"(%operand) : (tensor<2xf32>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_imag">
// CHECK: "vhlo.imag_v1"
// CHECK: "vhlo.return_v1"
func.func @op_imag(%operand: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %0 = "stablehlo.imag"(%operand) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_real">
// CHECK: "vhlo.real_v1"
// CHECK: "vhlo.return_v1"
func.func @op_real(%operand: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %0 = "stablehlo.real"(%operand) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_bitcast_convert">
// CHECK: "vhlo.bitcast_convert_v1"
// CHECK: "vhlo.return_v1"
func.func @op_bitcast_convert(%operand: tensor<2xf32>) -> tensor<2xi32> {
  %0 = "stablehlo.bitcast_convert"(%operand) : (tensor<2xf32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_add">
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
func.func @op_add(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_atan2">
// CHECK: "vhlo.atan2_v1"
// CHECK: "vhlo.return_v1"
func.func @op_atan2(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.atan2"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_divide">
// CHECK: "vhlo.divide_v1"
// CHECK: "vhlo.return_v1"
func.func @op_divide(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.divide"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_maximum">
// CHECK: "vhlo.maximum_v1"
// CHECK: "vhlo.return_v1"
func.func @op_maximum(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.maximum"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_minimum">
// CHECK: "vhlo.minimum_v1"
// CHECK: "vhlo.return_v1"
func.func @op_minimum(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.minimum"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_multiply">
// CHECK: "vhlo.multiply_v1"
// CHECK: "vhlo.return_v1"
func.func @op_multiply(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.multiply"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_power">
// CHECK: "vhlo.power_v1"
// CHECK: "vhlo.return_v1"
func.func @op_power(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.power"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_remainder">
// CHECK: "vhlo.remainder_v1"
// CHECK: "vhlo.return_v1"
func.func @op_remainder(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.remainder"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_subtract">
// CHECK: "vhlo.subtract_v1"
// CHECK: "vhlo.return_v1"
func.func @op_subtract(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.subtract"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_and">
// CHECK: "vhlo.and_v1"
// CHECK: "vhlo.return_v1"
func.func @op_and(%lhs: tensor<2xi32>, %rhs: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.and"(%lhs, %rhs) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_or">
// CHECK: "vhlo.or_v1"
// CHECK: "vhlo.return_v1"
func.func @op_or(%lhs: tensor<2xi32>, %rhs: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.or"(%lhs, %rhs) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_xor">
// CHECK: "vhlo.xor_v1"
// CHECK: "vhlo.return_v1"
func.func @op_xor(%lhs: tensor<2xi32>, %rhs: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.xor"(%lhs, %rhs) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_shift_left">
// CHECK: "vhlo.shift_left_v1"
// CHECK: "vhlo.return_v1"
func.func @op_shift_left(%lhs: tensor<2xi32>, %rhs: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.shift_left"(%lhs, %rhs) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_shift_right_arithmetic">
// CHECK: "vhlo.shift_right_arithmetic_v1"
// CHECK: "vhlo.return_v1"
func.func @op_shift_right_arithmetic(%lhs: tensor<2xi32>, %rhs: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.shift_right_arithmetic"(%lhs, %rhs) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_shift_right_logical">
// CHECK: "vhlo.shift_right_logical_v1"
// CHECK: "vhlo.return_v1"
func.func @op_shift_right_logical(%lhs: tensor<2xi32>, %rhs: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.shift_right_logical"(%lhs, %rhs) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_complex">
// CHECK: "vhlo.complex_v1"
// CHECK: "vhlo.return_v1"
func.func @op_complex(%lhs: tensor<2xf32>, %rhs: tensor<2xf32>) -> tensor<2xcomplex<f32>> {
  %0 = "stablehlo.complex"(%lhs, %rhs) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  func.return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_direction_eq">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_direction_eq(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_direction_ne">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_direction_ne(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare NE, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_direction_ge">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_direction_ge(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GE, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_direction_gt">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_direction_gt(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_direction_le">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_direction_le(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LE, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_direction_lt">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_direction_lt(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_type_notype">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_type_notype(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %lhs, %rhs : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_type_float">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_type_float(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_type_totalorder">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_type_totalorder(%lhs: tensor<f32>, %rhs: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_type_signed">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_type_signed(%lhs: tensor<i32>, %rhs: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_comparison_type_unsigned">
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_comparison_type_unsigned(%lhs: tensor<ui32>, %rhs: tensor<ui32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_precision_default">
// CHECK: "vhlo.dot_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_precision_default(%lhs: tensor<2x3xf32>, %rhs: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot %lhs, %rhs, precision = [DEFAULT, HIGH] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_precision_high">
// CHECK: "vhlo.dot_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_precision_high(%lhs: tensor<2x3xf32>, %rhs: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot %lhs, %rhs, precision = [HIGH, HIGH] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_precision_highest">
// CHECK: "vhlo.dot_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_precision_highest(%lhs: tensor<2x3xf32>, %rhs: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot %lhs, %rhs, precision = [HIGHEST, HIGHEST] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_cbrt">
// CHECK: "vhlo.cbrt_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_cbrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cbrt"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_cosine">
// CHECK: "vhlo.cosine_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_cosine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cosine"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_exponential">
// CHECK: "vhlo.exponential_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_exponential(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_exponential_minus_one">
// CHECK: "vhlo.exponential_minus_one_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_exponential_minus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential_minus_one"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_log">
// CHECK: "vhlo.log_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_log(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_log_plus_one">
// CHECK: "vhlo.log_plus_one_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_log_plus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.log_plus_one"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_logistic">
// CHECK: "vhlo.logistic_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_logistic(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.logistic"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_rsqrt">
// CHECK: "vhlo.rsqrt_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_rsqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.rsqrt"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_sine">
// CHECK: "vhlo.sine_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_sine(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sine"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_sqrt">
// CHECK: "vhlo.sqrt_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_sqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.sqrt"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_tan">
// CHECK: "vhlo.tan_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_tan(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tan"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_result_accuracy_tanh">
// CHECK: "vhlo.tanh_v2"
// CHECK: "vhlo.return_v1"
func.func @attr_result_accuracy_tanh(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.tanh"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_fft_type_fft">
// CHECK: "vhlo.fft_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_fft_type_fft(%operand: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.fft %operand, type = FFT, length = [2] : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  func.return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_fft_type_ifft">
// CHECK: "vhlo.fft_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_fft_type_ifft(%operand: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.fft %operand, type = IFFT, length = [2] : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  func.return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_fft_type_rfft">
// CHECK: "vhlo.fft_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_fft_type_rfft(%operand: tensor<4xf32>) -> tensor<3xcomplex<f32>> {
  %0 = stablehlo.fft %operand, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  func.return %0 : tensor<3xcomplex<f32>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_fft_type_irfft">
// CHECK: "vhlo.fft_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_fft_type_irfft(%operand: tensor<3xcomplex<f32>>) -> tensor<4xf32> {
  %0 = stablehlo.fft %operand, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_rng_algorithm_default">
// CHECK: "vhlo.rng_bit_generator_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_rng_algorithm_default(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>) {
  %0:2 = "stablehlo.rng_bit_generator"(%state) {rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  func.return %0#0, %0#1 : tensor<2xui64>, tensor<2xui32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_rng_algorithm_three_fry">
// CHECK: "vhlo.rng_bit_generator_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_rng_algorithm_three_fry(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>) {
  %0:2 = "stablehlo.rng_bit_generator"(%state) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  func.return %0#0, %0#1 : tensor<2xui64>, tensor<2xui32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_rng_algorithm_philox">
// CHECK: "vhlo.rng_bit_generator_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_rng_algorithm_philox(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>) {
  %0:2 = "stablehlo.rng_bit_generator"(%state) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  func.return %0#0, %0#1 : tensor<2xui64>, tensor<2xui32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_rng_distribution_uniform">
// CHECK: "vhlo.rng_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_rng_distribution_uniform(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<1xi64>) -> tensor<2xf32> {
  %0 = "stablehlo.rng"(%a, %b, %shape) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_rng_distribution_normal">
// CHECK: "vhlo.rng_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_rng_distribution_normal(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<1xi64>) -> tensor<2xf32> {
  %0 = "stablehlo.rng"(%a, %b, %shape) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_transpose_no_transpose">
// CHECK: "vhlo.triangular_solve_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_transpose_no_transpose(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_transpose_transpose">
// CHECK: "vhlo.triangular_solve_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_transpose_transpose(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"attr_transpose_adjoint">
// CHECK: "vhlo.triangular_solve_v1"
// CHECK: "vhlo.return_v1"
func.func @attr_transpose_adjoint(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_token">
// CHECK: "vhlo.return_v1"
func.func @type_token(%value: !stablehlo.token) -> !stablehlo.token {
  func.return %value : !stablehlo.token
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_tuple">
// CHECK: "vhlo.return_v1"
func.func @type_tuple(%value: tuple<tensor<f32>, tuple<>>) -> tuple<tensor<f32>, tuple<>> {
  func.return %value : tuple<tensor<f32>, tuple<>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_dynamic">
// CHECK: "vhlo.return_v1"
func.func @type_dynamic(%value: tensor<?x2xf32>) -> tensor<?x2xf32> {
  func.return %value : tensor<?x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_unranked">
// CHECK: "vhlo.return_v1"
func.func @type_unranked(%value: tensor<*xf32>) -> tensor<*xf32> {
  func.return %value : tensor<*xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_bounded">
// CHECK: "vhlo.return_v1"
func.func @type_bounded(%value: tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  func.return %value : tensor<?xf32, #stablehlo.bounds<4>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_index">
// CHECK: "vhlo.return_v1"
func.func @type_index(%value: tensor<2xindex>) -> tensor<2xindex> {
  func.return %value : tensor<2xindex>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_quantized">
// CHECK: "vhlo.return_v1"
func.func @type_quantized(%value: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>> {
  func.return %value : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_quantized_per_axis">
// CHECK: "vhlo.return_v1"
func.func @type_quantized_per_axis(%value: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01, 2.500000e-01:1}>>) -> tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01, 2.500000e-01:1}>> {
  func.return %value : tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01, 2.500000e-01:1}>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"declared">
func.func private @declared(tensor<f32> {any.name = "argument"}) -> (tensor<f32> {any.name = "result"})

// CHECK-LABEL: sym_name = #vhlo.string_v1<"no_results">
// CHECK: "vhlo.return_v1"
func.func @no_results(%value: tensor<f32>) attributes {any.name = "function"} {
  func.return
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"no_arguments">
// CHECK: "vhlo.constant_v1"
// CHECK: "vhlo.return_v1"
func.func @no_arguments() -> tensor<3xi32> {
  %0 = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi32>
  func.return %0 : tensor<3xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"constants">
// CHECK: "vhlo.constant_v1"
// CHECK: "vhlo.constant_v1"
// CHECK: "vhlo.constant_v1"
// CHECK: "vhlo.constant_v1"
// CHECK: "vhlo.constant_v1"
// CHECK: "vhlo.constant_v1"
// CHECK: "vhlo.constant_v1"
// CHECK: "vhlo.constant_v1"
// CHECK: "vhlo.return_v1"
func.func @constants() -> tensor<2x2xf32> {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %2 = stablehlo.constant dense<[1, -1]> : tensor<2xi4>
  %3 = stablehlo.constant dense<255> : tensor<2xui8>
  %4 = stablehlo.constant dense<[1.0, 0x7FC0]> : tensor<2xbf16>
  %5 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %6 = stablehlo.constant dense<> : tensor<0xf32>
  %7 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  func.return %7 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"discardable_attributes">
// CHECK: "vhlo.abs_v1"
// CHECK: "vhlo.return_v1"
func.func @discardable_attributes(%value: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %value {any.array = [1 : i32, "two"], any.bool = true, any.dictionary = {one = 1 : i64}, any.float = 1.0 : f64, any.type = tensor<2xf32>, any.tensor = dense<1> : tensor<2xi64>} : tensor<f32>
  func.return %0 : tensor<f32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_after_all">
// CHECK: "vhlo.after_all_v1"
// CHECK: "vhlo.return_v1"
func.func @op_after_all(%token: !stablehlo.token) -> !stablehlo.token {
  %0 = stablehlo.after_all %token : !stablehlo.token
  func.return %0 : !stablehlo.token
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_gather">
// CHECK: "vhlo.all_gather_v2"
// CHECK: "vhlo.return_v1"
func.func @op_all_gather(%operand: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%operand) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2xf32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_gather_of_two">
// CHECK: "vhlo.all_gather_v2"
// CHECK: "vhlo.return_v1"
func.func @op_all_gather_of_two(%a: tensor<2x2xf32>, %b: tensor<2x2xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {
  %0:2 = "stablehlo.all_gather"(%a, %b) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<2x2xf32>, tensor<2x2xi32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  func.return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_reduce">
// CHECK: "vhlo.all_reduce_v2"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_all_reduce(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%operand) ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %1 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_reduce_of_two">
// CHECK: "vhlo.all_reduce_v2"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_all_reduce_of_two(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %0:2 = "stablehlo.all_reduce"(%a, %b) ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %1 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
  func.return %0#0, %0#1 : tensor<2xf32>, tensor<3xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_reduce_over_mesh">
// CHECK: "vhlo.all_reduce_v2"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_all_reduce_over_mesh(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%operand) ({
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %1 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_to_all">
// CHECK: "vhlo.all_to_all_v2"
// CHECK: "vhlo.return_v1"
func.func @op_all_to_all(%operand: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.all_to_all"(%operand) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  func.return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_all_to_all_of_two">
// CHECK: "vhlo.all_to_all_v2"
// CHECK: "vhlo.return_v1"
func.func @op_all_to_all_of_two(%a: tensor<2x4xf32>, %b: tensor<2x4xi32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %0:2 = "stablehlo.all_to_all"(%a, %b) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  func.return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_batch_norm_grad">
// CHECK: "vhlo.batch_norm_grad_v1"
// CHECK: "vhlo.return_v1"
func.func @op_batch_norm_grad(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>, %grad: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  func.return %0#0, %0#1, %0#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_batch_norm_inference">
// CHECK: "vhlo.batch_norm_inference_v1"
// CHECK: "vhlo.return_v1"
func.func @op_batch_norm_inference(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_batch_norm_training">
// CHECK: "vhlo.batch_norm_training_v1"
// CHECK: "vhlo.return_v1"
func.func @op_batch_norm_training(%operand: tensor<2x3xf32>, %scale: tensor<3xf32>, %offset: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  func.return %0#0, %0#1, %0#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_broadcast">
// CHECK: "vhlo.broadcast_v1"
// CHECK: "vhlo.return_v1"
func.func @op_broadcast(%operand: tensor<2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.broadcast %operand, sizes = [3] : (tensor<2xf32>) -> tensor<3x2xf32>
  func.return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_broadcast_in_dim">
// CHECK: "vhlo.broadcast_in_dim_v1"
// CHECK: "vhlo.return_v1"
func.func @op_broadcast_in_dim(%operand: tensor<2xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %operand, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_call">
// CHECK: "vhlo.call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_call(%operand: tensor<f32>) -> tensor<f32> {
  %0 = func.call @declared(%operand) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_case">
// CHECK: "vhlo.case_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_case(%index: tensor<i32>, %a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%index) ({
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_cholesky">
// CHECK: "vhlo.cholesky_v1"
// CHECK: "vhlo.return_v1"
func.func @op_cholesky(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_clamp">
// CHECK: "vhlo.clamp_v1"
// CHECK: "vhlo.return_v1"
func.func @op_clamp(%min: tensor<f32>, %operand: tensor<2xf32>, %max: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %min, %operand, %max : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_collective_broadcast">
// CHECK: "vhlo.collective_broadcast_v1"
// CHECK: "vhlo.return_v1"
func.func @op_collective_broadcast(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_collective_permute">
// CHECK: "vhlo.collective_permute_v1"
// CHECK: "vhlo.return_v1"
func.func @op_collective_permute(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_composite">
// CHECK: "vhlo.composite_v2"
// CHECK: "vhlo.return_v1"
func.func @op_composite(%operand: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "any.name" %operand {composite_attributes = {one = 1 : i64}, decomposition = @declared, version = 2 : i32} : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_concatenate">
// CHECK: "vhlo.concatenate_v1"
// CHECK: "vhlo.return_v1"
func.func @op_concatenate(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  func.return %0 : tensor<5xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_convolution">
// CHECK: "vhlo.convolution_v1"
// CHECK: "vhlo.return_v1"
func.func @op_convolution(%lhs: tensor<1x4x4x2xf32>, %rhs: tensor<3x3x2x1xf32>) -> tensor<1x1x6x1xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 0], [0, 1]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<1x4x4x2xf32>, tensor<3x3x2x1xf32>) -> tensor<1x1x6x1xf32>
  func.return %0 : tensor<1x1x6x1xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_create_token">
// CHECK: "vhlo.create_token_v1"
// CHECK: "vhlo.return_v1"
func.func @op_create_token() -> !stablehlo.token {
  %0 = stablehlo.create_token : !stablehlo.token
  func.return %0 : !stablehlo.token
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_cross_replica_sum">
// CHECK: "vhlo.return_v1"
func.func @op_cross_replica_sum(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cross-replica-sum"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.custom_call"(%operand) {call_target_name = "any", has_side_effect = true, backend_config = "text", api_version = 2 : i32, called_computations = [@declared], operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call_with_dictionary">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call_with_dictionary(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, backend_config = {one = 1 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call_with_buffers">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call_with_buffers(%operand: memref<2xf32>) -> memref<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
  func.return %0 : memref<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dot_general">
// CHECK: "vhlo.dot_general_v2"
// CHECK: "vhlo.return_v1"
func.func @op_dot_general(%lhs: tensor<2x3x4xf32>, %rhs: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return %0 : tensor<2x3x5xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dot_general_with_algorithm">
// CHECK: "vhlo.dot_general_v2"
// CHECK: "vhlo.return_v1"
func.func @op_dot_general_with_algorithm(%lhs: tensor<2x3xf32>, %rhs: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dynamic_broadcast_in_dim">
// CHECK: "vhlo.dynamic_broadcast_in_dim_v1"
// CHECK: "vhlo.return_v1"
func.func @op_dynamic_broadcast_in_dim(%operand: tensor<?xf32>, %shape: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%operand, %shape) {broadcast_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  func.return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dynamic_conv">
// CHECK: "vhlo.dynamic_conv_v2"
// CHECK: "vhlo.return_v1"
func.func @op_dynamic_conv(%lhs: tensor<1x4x4x2xf32>, %rhs: tensor<3x3x2x1xf32>, %padding: tensor<2x2xi64>) -> tensor<1x?x?x1xf32> {
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
  func.return %0 : tensor<1x?x?x1xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dynamic_gather">
// CHECK: "vhlo.dynamic_gather_v2"
// CHECK: "vhlo.return_v1"
func.func @op_dynamic_gather(%operand: tensor<3x4xf32>, %indices: tensor<2x1xi64>, %sizes: tensor<2xi64>) -> tensor<2x4xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true} : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dynamic_iota">
// CHECK: "vhlo.dynamic_iota_v1"
// CHECK: "vhlo.return_v1"
func.func @op_dynamic_iota(%shape: tensor<1xindex>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  func.return %0 : tensor<?xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dynamic_pad">
// CHECK: "vhlo.dynamic_pad_v1"
// CHECK: "vhlo.return_v1"
func.func @op_dynamic_pad(%operand: tensor<?xf32>, %value: tensor<f32>, %low: tensor<1xindex>, %high: tensor<1xindex>, %interior: tensor<1xindex>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<?xf32>, tensor<f32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
  func.return %0 : tensor<?xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dynamic_reshape">
// CHECK: "vhlo.dynamic_reshape_v1"
// CHECK: "vhlo.return_v1"
func.func @op_dynamic_reshape(%operand: tensor<4xf32>, %shape: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %operand, %shape : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  func.return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dynamic_slice">
// CHECK: "vhlo.dynamic_slice_v1"
// CHECK: "vhlo.return_v1"
func.func @op_dynamic_slice(%operand: tensor<4xf32>, %start: tensor<i64>) -> tensor<2xf32> {
  %0 = stablehlo.dynamic_slice %operand, %start, sizes = [2] : (tensor<4xf32>, tensor<i64>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_dynamic_update_slice">
// CHECK: "vhlo.dynamic_update_slice_v1"
// CHECK: "vhlo.return_v1"
func.func @op_dynamic_update_slice(%operand: tensor<4xf32>, %update: tensor<2xf32>, %start: tensor<i64>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_update_slice %operand, %update, %start : (tensor<4xf32>, tensor<2xf32>, tensor<i64>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_einsum">
// CHECK: "vhlo.einsum_v1"
// CHECK: "vhlo.return_v1"
func.func @op_einsum(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.einsum %lhs, %rhs, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_gather">
// CHECK: "vhlo.gather_v2"
// CHECK: "vhlo.return_v1"
func.func @op_gather(%operand: tensor<3x4xf32>, %indices: tensor<2x1xi64>) -> tensor<2x4xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = true} : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_gather_with_batching">
// CHECK: "vhlo.gather_v2"
// CHECK: "vhlo.return_v1"
func.func @op_gather_with_batching(%operand: tensor<2x3xf32>, %indices: tensor<2x1xi64>) -> tensor<2xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_get_dimension_size">
// CHECK: "vhlo.get_dimension_size_v1"
// CHECK: "vhlo.return_v1"
func.func @op_get_dimension_size(%operand: tensor<?xf32>) -> tensor<i32> {
  %0 = stablehlo.get_dimension_size %operand, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  func.return %0 : tensor<i32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_get_tuple_element">
// CHECK: "vhlo.get_tuple_element_v1"
// CHECK: "vhlo.return_v1"
func.func @op_get_tuple_element(%operand: tuple<tensor<f32>, tensor<i32>>) -> tensor<i32> {
  %0 = stablehlo.get_tuple_element %operand[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  func.return %0 : tensor<i32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_if">
// CHECK: "vhlo.if_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_if(%pred: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%pred) ({
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %b : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_infeed">
// CHECK: "vhlo.infeed_v1"
// CHECK: "vhlo.return_v1"
func.func @op_infeed(%token: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%token) {infeed_config = "text", layout = [[0]]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  func.return %0#0, %0#1 : tensor<2xf32>, !stablehlo.token
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_iota">
// CHECK: "vhlo.iota_v1"
// CHECK: "vhlo.return_v1"
func.func @op_iota() -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  func.return %0 : tensor<4xi32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_map">
// CHECK: "vhlo.map_v1"
// CHECK: "vhlo.abs_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_map(%operand: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.map"(%operand) ({
  ^bb0(%x: tensor<f32>):
    %1 = stablehlo.abs %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_outfeed">
// CHECK: "vhlo.outfeed_v1"
// CHECK: "vhlo.return_v1"
func.func @op_outfeed(%operand: tensor<2xf32>, %token: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.outfeed"(%operand, %token) {outfeed_config = "text"} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  func.return %0 : !stablehlo.token
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_pad">
// CHECK: "vhlo.pad_v1"
// CHECK: "vhlo.return_v1"
func.func @op_pad(%operand: tensor<2xf32>, %value: tensor<f32>) -> tensor<6xf32> {
  %0 = stablehlo.pad %operand, %value, low = [1], high = [2], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
  func.return %0 : tensor<6xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_partition_id">
// CHECK: "vhlo.partition_id_v1"
// CHECK: "vhlo.return_v1"
func.func @op_partition_id() -> tensor<ui32> {
  %0 = stablehlo.partition_id : tensor<ui32>
  func.return %0 : tensor<ui32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_real_dynamic_slice">
// CHECK: "vhlo.real_dynamic_slice_v1"
// CHECK: "vhlo.return_v1"
func.func @op_real_dynamic_slice(%operand: tensor<?xf32>, %start: tensor<1xindex>, %limit: tensor<1xindex>, %strides: tensor<1xindex>) -> tensor<?xf32> {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides : (tensor<?xf32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
  func.return %0 : tensor<?xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_recv">
// CHECK: "vhlo.recv_v2"
// CHECK: "vhlo.return_v1"
func.func @op_recv(%token: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  func.return %0#0, %0#1 : tensor<2xf32>, !stablehlo.token
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_recv_with_pairs">
// CHECK: "vhlo.recv_v2"
// CHECK: "vhlo.return_v1"
func.func @op_recv_with_pairs(%token: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  func.return %0#0, %0#1 : tensor<2xf32>, !stablehlo.token
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_reduce">
// CHECK: "vhlo.reduce_v1"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_reduce(%operand: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%operand init: %init) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_reduce_that_promotes">
// CHECK: "vhlo.reduce_v1"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_reduce_that_promotes(%operand: tensor<4xf32>, %init: tensor<f32>) -> tensor<f64> {
  %0 = "stablehlo.reduce"(%operand, %init) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %1 = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f64>
  func.return %0 : tensor<f64>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_reduce_precision">
// CHECK: "vhlo.reduce_precision_v1"
// CHECK: "vhlo.return_v1"
func.func @op_reduce_precision(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce_precision %operand, format = e5m10 : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_reduce_scatter">
// CHECK: "vhlo.reduce_scatter_v1"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_reduce_scatter(%operand: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.reduce_scatter"(%operand) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_reduce_window">
// CHECK: "vhlo.reduce_window_v1"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_reduce_window(%operand: tensor<4xf32>, %init: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%operand, %init) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, base_dilations = array<i64: 2>, window_dilations = array<i64: 3>, padding = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_replica_id">
// CHECK: "vhlo.replica_id_v1"
// CHECK: "vhlo.return_v1"
func.func @op_replica_id() -> tensor<ui32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  func.return %0 : tensor<ui32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_reshape">
// CHECK: "vhlo.reshape_v1"
// CHECK: "vhlo.return_v1"
func.func @op_reshape(%operand: tensor<4xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.reshape %operand : (tensor<4xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_reverse">
// CHECK: "vhlo.reverse_v1"
// CHECK: "vhlo.return_v1"
func.func @op_reverse(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.reverse %operand, dims = [0] : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_scatter">
// CHECK: "vhlo.scatter_v2"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_scatter(%operand: tensor<4xf32>, %indices: tensor<2x1xi64>, %updates: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.scatter"(%operand, %indices, %updates) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = true, unique_indices = true} : (tensor<4xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_scatter_with_batching">
// CHECK: "vhlo.scatter_v2"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_scatter_with_batching(%operand: tensor<2x3xf32>, %indices: tensor<2x1xi64>, %updates: tensor<2xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.scatter"(%operand, %indices, %updates) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_select">
// CHECK: "vhlo.select_v1"
// CHECK: "vhlo.return_v1"
func.func @op_select(%pred: tensor<2xi1>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.select %pred, %a, %b : tensor<2xi1>, tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_select_and_scatter">
// CHECK: "vhlo.select_and_scatter_v1"
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.add_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_select_and_scatter(%operand: tensor<4xf32>, %source: tensor<2xf32>, %init: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_send">
// CHECK: "vhlo.send_v2"
// CHECK: "vhlo.return_v1"
func.func @op_send(%operand: tensor<2xf32>, %token: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%operand, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  func.return %0 : !stablehlo.token
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_send_with_pairs">
// CHECK: "vhlo.send_v2"
// CHECK: "vhlo.return_v1"
func.func @op_send_with_pairs(%operand: tensor<2xf32>, %token: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%operand, %token) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  func.return %0 : !stablehlo.token
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_set_dimension_size">
// CHECK: "vhlo.set_dimension_size_v1"
// CHECK: "vhlo.return_v1"
func.func @op_set_dimension_size(%operand: tensor<4xf32>, %size: tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  func.return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_slice">
// CHECK: "vhlo.slice_v1"
// CHECK: "vhlo.return_v1"
func.func @op_slice(%operand: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.slice %operand [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_sort">
// CHECK: "vhlo.sort_v1"
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_sort(%operand: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.sort"(%operand) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_torch_index_select">
// CHECK: "vhlo.torch_index_select_v1"
// CHECK: "vhlo.return_v1"
func.func @op_torch_index_select(%operand: tensor<3x4xf32>, %index: tensor<2xi32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.torch_index_select"(%operand, %index) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_transpose">
// CHECK: "vhlo.transpose_v1"
// CHECK: "vhlo.return_v1"
func.func @op_transpose(%operand: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_tuple">
// CHECK: "vhlo.tuple_v1"
// CHECK: "vhlo.return_v1"
func.func @op_tuple(%a: tensor<f32>, %b: tensor<i32>) -> tuple<tensor<f32>, tensor<i32>> {
  %0 = stablehlo.tuple %a, %b : tuple<tensor<f32>, tensor<i32>>
  func.return %0 : tuple<tensor<f32>, tensor<i32>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_unary_einsum">
// CHECK: "vhlo.unary_einsum_v1"
// CHECK: "vhlo.return_v1"
func.func @op_unary_einsum(%operand: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.unary_einsum"(%operand) {einsum_config = "ab->a"} : (tensor<2x3xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_uniform_dequantize">
// CHECK: "vhlo.uniform_dequantize_v1"
// CHECK: "vhlo.return_v1"
func.func @op_uniform_dequantize(%operand: tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xf32> {
  %0 = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_uniform_quantize">
// CHECK: "vhlo.uniform_quantize_v1"
// CHECK: "vhlo.return_v1"
func.func @op_uniform_quantize(%operand: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>> {
  %0 = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  func.return %0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_while">
// CHECK: "vhlo.while_v1"
// CHECK: "vhlo.compare_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.negate_v1"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_while(%init: tensor<i32>, %bound: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %init) : tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.negate %i : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  func.return %0 : tensor<i32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"type_future">
func.func private @type_future(!stablehlo.future<tensor<2xf32>>)

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_composite_with_region">
// CHECK: "vhlo.composite_v2"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.return_v1"
func.func @op_composite_with_region(%operand: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.composite"(%operand) ({
    stablehlo.return %operand : tensor<f32>
  }) {name = "any.name", decomposition = @declared} : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_async">
// CHECK: "vhlo.async_start_v1"
// CHECK: "vhlo.all_gather_v2"
// CHECK: "vhlo.return_v1"
// CHECK: "vhlo.async_done_v1"
// CHECK: "vhlo.return_v1"
func.func @op_async(%operand: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%operand) ({
  ^bb0(%inner: tensor<2xf32>):
    %2 = "stablehlo.all_gather"(%inner) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// CHECK-LABEL: sym_name = #vhlo.string_v1<"op_custom_call_of_future">
// CHECK: "vhlo.custom_call_v1"
// CHECK: "vhlo.return_v1"
func.func @op_custom_call_of_future(%operand: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32} : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
