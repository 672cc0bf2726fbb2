// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: stablehlo-opt --split-input-file --verify-diagnostics --mlir-print-op-generic %s | stablehlo-opt --split-input-file | FileCheck %s

// First a valid program for every operation of the dialect: it is printed and read again in
// both forms. Then each function breaks one constraint of the specification, after which it is named; the
// others are named after what is wrong.

// CHECK-LABEL: func.func @cbrt(
// CHECK: stablehlo.cbrt %arg0 : tensor<3x5xf32>
func.func @cbrt(%arg0: tensor<3x5xf32>) {
  %0 = "stablehlo.cbrt"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// CHECK-LABEL: func.func @ceil(
// CHECK: stablehlo.ceil %arg0 : tensor<4x?xf64>
func.func @ceil(%arg0: tensor<4x?xf64>) {
  %0 = "stablehlo.ceil"(%arg0) : (tensor<4x?xf64>) -> tensor<4x?xf64>
  return
}

// CHECK-LABEL: func.func @cosine(
// CHECK: stablehlo.cosine %arg0 : tensor<bf16>
func.func @cosine(%arg0: tensor<bf16>) {
  %0 = "stablehlo.cosine"(%arg0) : (tensor<bf16>) -> tensor<bf16>
  return
}

// CHECK-LABEL: func.func @exponential(
// CHECK: stablehlo.exponential %arg0 : tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @exponential(%arg0: tensor<6x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = "stablehlo.exponential"(%arg0) : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @exponential_minus_one(
// CHECK: stablehlo.exponential_minus_one %arg0 : tensor<3x5xf32>
func.func @exponential_minus_one(%arg0: tensor<3x5xf32>) {
  %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// CHECK-LABEL: func.func @floor(
// CHECK: stablehlo.floor %arg0 : tensor<4x?xf64>
func.func @floor(%arg0: tensor<4x?xf64>) {
  %0 = "stablehlo.floor"(%arg0) : (tensor<4x?xf64>) -> tensor<4x?xf64>
  return
}

// CHECK-LABEL: func.func @log(
// CHECK: stablehlo.log %arg0 : tensor<bf16>
func.func @log(%arg0: tensor<bf16>) {
  %0 = "stablehlo.log"(%arg0) : (tensor<bf16>) -> tensor<bf16>
  return
}

// CHECK-LABEL: func.func @log_plus_one(
// CHECK: stablehlo.log_plus_one %arg0 : tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @log_plus_one(%arg0: tensor<6x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @logistic(
// CHECK: stablehlo.logistic %arg0 : tensor<3x5xf32>
func.func @logistic(%arg0: tensor<3x5xf32>) {
  %0 = "stablehlo.logistic"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// CHECK-LABEL: func.func @round_nearest_afz(
// CHECK: stablehlo.round_nearest_afz %arg0 : tensor<4x?xf64>
func.func @round_nearest_afz(%arg0: tensor<4x?xf64>) {
  %0 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<4x?xf64>) -> tensor<4x?xf64>
  return
}

// CHECK-LABEL: func.func @round_nearest_even(
// CHECK: stablehlo.round_nearest_even %arg0 : tensor<bf16>
func.func @round_nearest_even(%arg0: tensor<bf16>) {
  %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<bf16>) -> tensor<bf16>
  return
}

// CHECK-LABEL: func.func @rsqrt(
// CHECK: stablehlo.rsqrt %arg0 : tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @rsqrt(%arg0: tensor<6x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = "stablehlo.rsqrt"(%arg0) : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @sine(
// CHECK: stablehlo.sine %arg0 : tensor<3x5xf32>
func.func @sine(%arg0: tensor<3x5xf32>) {
  %0 = "stablehlo.sine"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// CHECK-LABEL: func.func @sqrt(
// CHECK: stablehlo.sqrt %arg0 : tensor<4x?xf64>
func.func @sqrt(%arg0: tensor<4x?xf64>) {
  %0 = "stablehlo.sqrt"(%arg0) : (tensor<4x?xf64>) -> tensor<4x?xf64>
  return
}

// CHECK-LABEL: func.func @tan(
// CHECK: stablehlo.tan %arg0 : tensor<bf16>
func.func @tan(%arg0: tensor<bf16>) {
  %0 = "stablehlo.tan"(%arg0) : (tensor<bf16>) -> tensor<bf16>
  return
}

// CHECK-LABEL: func.func @tanh(
// CHECK: stablehlo.tanh %arg0 : tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @tanh(%arg0: tensor<6x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = "stablehlo.tanh"(%arg0) : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @exponential_accuracy(
// CHECK: stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 5.000000e-01, ulps = 4, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<7xf32>
func.func @exponential_accuracy(%arg0: tensor<7xf32>) {
  %0 = "stablehlo.exponential"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.5, rtol = 0.0, ulps = 4, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// CHECK-LABEL: func.func @cosine_complex(
// CHECK: stablehlo.cosine %arg0 : tensor<2xcomplex<f64>>
func.func @cosine_complex(%arg0: tensor<2xcomplex<f64>>) {
  %0 = "stablehlo.cosine"(%arg0) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @abs(
// CHECK: stablehlo.abs %arg0 : tensor<3xi16>
func.func @abs(%arg0: tensor<3xi16>) {
  %0 = "stablehlo.abs"(%arg0) : (tensor<3xi16>) -> tensor<3xi16>
  return
}

// CHECK-LABEL: func.func @abs_complex(
// CHECK: stablehlo.abs %arg0 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
func.func @abs_complex(%arg0: tensor<3xcomplex<f32>>) {
  %0 = "stablehlo.abs"(%arg0) : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @count_leading_zeros(
// CHECK: stablehlo.count_leading_zeros %arg0 : tensor<4xui8>
func.func @count_leading_zeros(%arg0: tensor<4xui8>) {
  %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<4xui8>) -> tensor<4xui8>
  return
}

// CHECK-LABEL: func.func @not(
// CHECK: stablehlo.not %arg0 : tensor<2x2xi1>
func.func @not(%arg0: tensor<2x2xi1>) {
  %0 = "stablehlo.not"(%arg0) : (tensor<2x2xi1>) -> tensor<2x2xi1>
  return
}

// CHECK-LABEL: func.func @popcnt(
// CHECK: stablehlo.popcnt %arg0 : tensor<4xi64>
func.func @popcnt(%arg0: tensor<4xi64>) {
  %0 = "stablehlo.popcnt"(%arg0) : (tensor<4xi64>) -> tensor<4xi64>
  return
}

// CHECK-LABEL: func.func @negate(
// CHECK: stablehlo.negate %arg0 : tensor<4xcomplex<f32>>
func.func @negate(%arg0: tensor<4xcomplex<f32>>) {
  %0 = "stablehlo.negate"(%arg0) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @sign(
// CHECK: stablehlo.sign %arg0 : tensor<?xf16>
func.func @sign(%arg0: tensor<?xf16>) {
  %0 = "stablehlo.sign"(%arg0) : (tensor<?xf16>) -> tensor<?xf16>
  return
}

// CHECK-LABEL: func.func @and(
// CHECK: stablehlo.and %arg0, %arg1 : tensor<2x3xi1>
func.func @and(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xi1>) {
  %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: func.func @or(
// CHECK: stablehlo.or %arg0, %arg1 : tensor<2x3xui32>
func.func @or(%arg0: tensor<2x3xui32>, %arg1: tensor<2x3xui32>) {
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<2x3xui32>, tensor<2x3xui32>) -> tensor<2x3xui32>
  return
}

// CHECK-LABEL: func.func @xor(
// CHECK: stablehlo.xor %arg0, %arg1 : tensor<2x3xi64>
func.func @xor(%arg0: tensor<2x3xi64>, %arg1: tensor<2x3xi64>) {
  %0 = "stablehlo.xor"(%arg0, %arg1) : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
  return
}

// CHECK-LABEL: func.func @shift_left(
// CHECK: stablehlo.shift_left %arg0, %arg1 : tensor<2x3xi8>
func.func @shift_left(%arg0: tensor<2x3xi8>, %arg1: tensor<2x3xi8>) {
  %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x3xi8>
  return
}

// CHECK-LABEL: func.func @shift_right_arithmetic(
// CHECK: stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<2x3xi16>
func.func @shift_right_arithmetic(%arg0: tensor<2x3xi16>, %arg1: tensor<2x3xi16>) {
  %0 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<2x3xi16>, tensor<2x3xi16>) -> tensor<2x3xi16>
  return
}

// CHECK-LABEL: func.func @shift_right_logical(
// CHECK: stablehlo.shift_right_logical %arg0, %arg1 : tensor<2x3xui64>
func.func @shift_right_logical(%arg0: tensor<2x3xui64>, %arg1: tensor<2x3xui64>) {
  %0 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<2x3xui64>, tensor<2x3xui64>) -> tensor<2x3xui64>
  return
}

// CHECK-LABEL: func.func @atan2(
// CHECK: stablehlo.atan2 %arg0, %arg1 : tensor<2x3xf32>
func.func @atan2(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) {
  %0 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @divide(
// CHECK: stablehlo.divide %arg0, %arg1 : tensor<2x3xf64>
func.func @divide(%arg0: tensor<2x3xf64>, %arg1: tensor<2x3xf64>) {
  %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return
}

// CHECK-LABEL: func.func @maximum(
// CHECK: stablehlo.maximum %arg0, %arg1 : tensor<2x3xbf16>
func.func @maximum(%arg0: tensor<2x3xbf16>, %arg1: tensor<2x3xbf16>) {
  %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}

// CHECK-LABEL: func.func @minimum(
// CHECK: stablehlo.minimum %arg0, %arg1 : tensor<2x3xi32>
func.func @minimum(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) {
  %0 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: func.func @multiply(
// CHECK: stablehlo.multiply %arg0, %arg1 : tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @multiply(%arg0: tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>, %arg1: tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @power(
// CHECK: stablehlo.power %arg0, %arg1 : tensor<2x3xf16>
func.func @power(%arg0: tensor<2x3xf16>, %arg1: tensor<2x3xf16>) {
  %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<2x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  return
}

// CHECK-LABEL: func.func @remainder(
// CHECK: stablehlo.remainder %arg0, %arg1 : tensor<2x3xi32>
func.func @remainder(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) {
  %0 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: func.func @subtract(
// CHECK: stablehlo.subtract %arg0, %arg1 : tensor<2x3xcomplex<f64>>
func.func @subtract(%arg0: tensor<2x3xcomplex<f64>>, %arg1: tensor<2x3xcomplex<f64>>) {
  %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<2x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @add(
// CHECK: stablehlo.add %arg0, %arg1 : tensor<2x3xi4>
func.func @add(%arg0: tensor<2x3xi4>, %arg1: tensor<2x3xi4>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x3xi4>, tensor<2x3xi4>) -> tensor<2x3xi4>
  return
}

// CHECK-LABEL: func.func @add_dynamic(
// CHECK: stablehlo.add %arg0, %arg1 : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
func.func @add_dynamic(%arg0: tensor<?x3xf32>, %arg1: tensor<2x?xf32>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @add_bounded(
// CHECK: stablehlo.add %arg0, %arg1 : tensor<?xf32, #stablehlo.bounds<4>>
func.func @add_bounded(%arg0: tensor<?xf32, #stablehlo.bounds<4>>, %arg1: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @add_per_axis(
// CHECK: stablehlo.add %arg0, %arg1 : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>, tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>
func.func @add_per_axis(%arg0: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>, %arg1: tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>, tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  return
}

// CHECK-LABEL: func.func @is_finite(
// CHECK: stablehlo.is_finite %arg0 : (tensor<3x2xf32>) -> tensor<3x2xi1>
func.func @is_finite(%arg0: tensor<3x2xf32>) {
  %0 = "stablehlo.is_finite"(%arg0) : (tensor<3x2xf32>) -> tensor<3x2xi1>
  return
}

// CHECK-LABEL: func.func @real(
// CHECK: stablehlo.real %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
func.func @real(%arg0: tensor<4xcomplex<f32>>) {
  %0 = "stablehlo.real"(%arg0) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @real_of_real(
// CHECK: stablehlo.real %arg0 : tensor<4xf64>
func.func @real_of_real(%arg0: tensor<4xf64>) {
  %0 = "stablehlo.real"(%arg0) : (tensor<4xf64>) -> tensor<4xf64>
  return
}

// CHECK-LABEL: func.func @imag(
// CHECK: stablehlo.imag %arg0 : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
func.func @imag(%arg0: tensor<4xcomplex<f64>>) {
  %0 = "stablehlo.imag"(%arg0) : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  return
}

// CHECK-LABEL: func.func @complex(
// CHECK: stablehlo.complex %arg0, %arg1 : tensor<3xcomplex<f32>>
func.func @complex(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) {
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @compare(
// CHECK: stablehlo.compare NE, %arg0, %arg1 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
func.func @compare(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  return
}

// CHECK-LABEL: func.func @compare_total_order(
// CHECK: stablehlo.compare LE, %arg0, %arg1, TOTALORDER : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xi1>
func.func @compare_total_order(%arg0: tensor<3xf16>, %arg1: tensor<3xf16>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LE>, compare_type = #stablehlo<comparison_type TOTALORDER>} : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xi1>
  return
}

// CHECK-LABEL: func.func @convert(
// CHECK: stablehlo.convert %arg0 : (tensor<4x2xi32>) -> tensor<4x2xf8E5M2>
func.func @convert(%arg0: tensor<4x2xi32>) {
  %0 = "stablehlo.convert"(%arg0) : (tensor<4x2xi32>) -> tensor<4x2xf8E5M2>
  return
}

// CHECK-LABEL: func.func @select(
// CHECK: stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xf32>
func.func @select(%arg0: tensor<4xi1>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @select_scalar_predicate(
// CHECK: stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<4x2xf32>
func.func @select_scalar_predicate(%arg0: tensor<i1>, %arg1: tensor<4x2xf32>, %arg2: tensor<4x2xf32>) {
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// CHECK-LABEL: func.func @clamp(
// CHECK: stablehlo.clamp %arg0, %arg1, %arg2 : (tensor<f32>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
func.func @clamp(%arg0: tensor<f32>, %arg1: tensor<3x2xf32>, %arg2: tensor<3x2xf32>) {
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<f32>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: func.func @reduce_precision(
// CHECK: stablehlo.reduce_precision %arg0, format = e4m3 : tensor<7xf32>
func.func @reduce_precision(%arg0: tensor<7xf32>) {
  %0 = "stablehlo.reduce_precision"(%arg0) {exponent_bits = 4 : i32, mantissa_bits = 3 : i32} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// CHECK-LABEL: func.func @bitcast_convert(
// CHECK: stablehlo.bitcast_convert %arg0 : (tensor<3xi32>) -> tensor<3x2xbf16>
func.func @bitcast_convert(%arg0: tensor<3xi32>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xi32>) -> tensor<3x2xbf16>
  return
}

// CHECK-LABEL: func.func @bitcast_convert_wider(
// CHECK: stablehlo.bitcast_convert %arg0 : (tensor<3x4xi16>) -> tensor<3xf64>
func.func @bitcast_convert_wider(%arg0: tensor<3x4xi16>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3x4xi16>) -> tensor<3xf64>
  return
}

// CHECK-LABEL: func.func @constant(
// CHECK: stablehlo.constant dense<[1, -2]> : tensor<2xi8>
func.func @constant() {
  %0 = "stablehlo.constant"() {value = dense<[1, -2]> : tensor<2xi8>} : () -> tensor<2xi8>
  return
}

// CHECK-LABEL: func.func @iota(
// CHECK: stablehlo.iota dim = 1 : tensor<3x4xui16>
func.func @iota() {
  %0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<3x4xui16>
  return
}

// CHECK-LABEL: func.func @reshape(
// CHECK: stablehlo.reshape %arg0 : (tensor<6xi32>) -> tensor<3x1x2xi32>
func.func @reshape(%arg0: tensor<6xi32>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<6xi32>) -> tensor<3x1x2xi32>
  return
}

// CHECK-LABEL: func.func @reshape_per_axis(
// CHECK: stablehlo.reshape %arg0 : (tensor<2x6x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>) -> tensor<2x3x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>
func.func @reshape_per_axis(%arg0: tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) -> tensor<2x3x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  return
}

// CHECK-LABEL: func.func @broadcast(
// CHECK: stablehlo.broadcast %arg0, sizes = [2, 5] : (tensor<3xi32>) -> tensor<2x5x3xi32>
func.func @broadcast(%arg0: tensor<3xi32>) {
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 2, 5>} : (tensor<3xi32>) -> tensor<2x5x3xi32>
  return
}

// CHECK-LABEL: func.func @broadcast_in_dim(
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<3x1xi32>) -> tensor<4x2x3xi32>
func.func @broadcast_in_dim(%arg0: tensor<3x1xi32>) {
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2, 0>} : (tensor<3x1xi32>) -> tensor<4x2x3xi32>
  return
}

// CHECK-LABEL: func.func @broadcast_in_dim_per_axis(
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>
func.func @broadcast_in_dim_per_axis(%arg0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) {
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>
  return
}

// CHECK-LABEL: func.func @transpose(
// CHECK: stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<3x2x?xi32>) -> tensor<?x3x2xi32>
func.func @transpose(%arg0: tensor<3x2x?xi32>) {
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<3x2x?xi32>) -> tensor<?x3x2xi32>
  return
}

// CHECK-LABEL: func.func @reverse(
// CHECK: stablehlo.reverse %arg0, dims = [1, 0] : tensor<3x2xi32>
func.func @reverse(%arg0: tensor<3x2xi32>) {
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 1, 0>} : (tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}

// CHECK-LABEL: func.func @concatenate(
// CHECK: stablehlo.concatenate %arg0, %arg1, %arg2, dim = 1 : (tensor<3x1xi32>, tensor<3x4xi32>, tensor<3x0xi32>) -> tensor<3x5xi32>
func.func @concatenate(%arg0: tensor<3x1xi32>, %arg1: tensor<3x4xi32>, %arg2: tensor<3x0xi32>) {
  %0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2) {dimension = 1 : i64} : (tensor<3x1xi32>, tensor<3x4xi32>, tensor<3x0xi32>) -> tensor<3x5xi32>
  return
}

// CHECK-LABEL: func.func @concatenate_dynamic(
// CHECK: stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<?xi32>, tensor<4xi32>) -> tensor<?xi32>
func.func @concatenate_dynamic(%arg0: tensor<?xi32>, %arg1: tensor<4xi32>) {
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<?xi32>, tensor<4xi32>) -> tensor<?xi32>
  return
}

// CHECK-LABEL: func.func @slice(
// CHECK: stablehlo.slice %arg0 [1:5:3, 0:2] : (tensor<5x2xi32>) -> tensor<2x2xi32>
func.func @slice(%arg0: tensor<5x2xi32>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 5, 2>, strides = array<i64: 3, 1>} : (tensor<5x2xi32>) -> tensor<2x2xi32>
  return
}

// CHECK-LABEL: func.func @pad(
// CHECK: stablehlo.pad %arg0, %arg1, low = [1, -1], high = [2, 0], interior = [1, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<8x3xf32>
func.func @pad(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 1, 0>} : (tensor<3x4xf32>, tensor<f32>) -> tensor<8x3xf32>
  return
}

// CHECK-LABEL: func.func @get_dimension_size(
// CHECK: stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<3x?xf32>) -> tensor<i32>
func.func @get_dimension_size(%arg0: tensor<3x?xf32>) {
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 1 : i64} : (tensor<3x?xf32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @set_dimension_size(
// CHECK: stablehlo.set_dimension_size %arg0, %arg1, dim = 1 : (tensor<3x8xf32>, tensor<i32>) -> tensor<3x?xf32, #stablehlo.bounds<?, 8>>
func.func @set_dimension_size(%arg0: tensor<3x8xf32>, %arg1: tensor<i32>) {
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<3x8xf32>, tensor<i32>) -> tensor<3x?xf32, #stablehlo.bounds<?, 8>>
  return
}

// CHECK-LABEL: func.func @tuple(
// CHECK: stablehlo.tuple %arg0, %arg1 : tuple<tensor<i32>, tensor<2xf32>>
func.func @tuple(%arg0: tensor<i32>, %arg1: tensor<2xf32>) {
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<i32>, tensor<2xf32>) -> tuple<tensor<i32>, tensor<2xf32>>
  return
}

// CHECK-LABEL: func.func @get_tuple_element(
// CHECK: stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<i32>, tensor<2xf32>>) -> tensor<2xf32>
func.func @get_tuple_element(%arg0: tuple<tensor<i32>, tensor<2xf32>>) {
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 1 : i32} : (tuple<tensor<i32>, tensor<2xf32>>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @optimization_barrier(
// CHECK: stablehlo.optimization_barrier %arg0, %arg1 : tensor<3xi32>, tensor<2xf32>
func.func @optimization_barrier(%arg0: tensor<3xi32>, %arg1: tensor<2xf32>) {
  %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<3xi32>, tensor<2xf32>) -> (tensor<3xi32>, tensor<2xf32>)
  return
}

// CHECK-LABEL: func.func @optimization_barrier_of_nothing(
// CHECK: stablehlo.optimization_barrier()
func.func @optimization_barrier_of_nothing() {
  "stablehlo.optimization_barrier"() : () -> ()
  return
}

// CHECK-LABEL: func.func @if(
// CHECK: "stablehlo.if"(%arg0) ({
func.func @if(%arg0: tensor<i1>) {
  %0 = "stablehlo.if"(%arg0) ({
    %1 = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.constant dense<3> : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @case(
// CHECK: "stablehlo.case"(%arg0) ({
func.func @case(%arg0: tensor<i32>) {
  "stablehlo.case"(%arg0) ({
    stablehlo.return
  }, {
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i32>) -> ()
  return
}

// CHECK-LABEL: func.func @while(
// CHECK: stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i32>, tensor<3xf32>
func.func @while(%arg0: tensor<i32>, %arg1: tensor<3xf32>) {
  %0:2 = "stablehlo.while"(%arg0, %arg1) ({
  ^bb0(%i: tensor<i32>, %x: tensor<3xf32>):
    %1 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.compare LT, %i, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<3xf32>):
    %1 = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %1, %x : tensor<i32>, tensor<3xf32>
  }) : (tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: func.func @map(
// CHECK: "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
func.func @map(%arg0: tensor<3x2xf32>, %arg1: tensor<3x2xi32>) {
  %0 = "stablehlo.map"(%arg0, %arg1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>):
    %1 = stablehlo.convert %y : (tensor<i32>) -> tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) {dimensions = array<i64: 0, 1>} : (tensor<3x2xf32>, tensor<3x2xi32>) -> tensor<3x2xf64>
  return
}

// CHECK-LABEL: func.func @sort(
// CHECK: "stablehlo.sort"(%arg0, %arg1) <{dimension = -1 : i64, is_stable = true}> ({
func.func @sort(%arg0: tensor<2x5xi32>, %arg1: tensor<2x5xf32>) {
  %0:2 = "stablehlo.sort"(%arg0, %arg1) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = -1 : i64, is_stable = true} : (tensor<2x5xi32>, tensor<2x5xf32>) -> (tensor<2x5xi32>, tensor<2x5xf32>)
  return
}

// CHECK-LABEL: func.func @composite(
// CHECK: stablehlo.composite "ours.twice" %arg0 {composite_attributes = {a = 1 : i32}, decomposition = @decomposition_of_twice, version = 2 : i32} : (tensor<i32>) -> tensor<i32>
func.func @composite(%arg0: tensor<i32>) {
  %0 = "stablehlo.composite"(%arg0) {name = "ours.twice", decomposition = @decomposition_of_twice, version = 2 : i32, composite_attributes = {a = 1 : i32}} : (tensor<i32>) -> tensor<i32>
  return
}
func.func private @decomposition_of_twice(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %x : tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @after_all(
// CHECK: stablehlo.after_all %arg0, %arg1 : !stablehlo.token
func.func @after_all(%arg0: !stablehlo.token, %arg1: !stablehlo.token) {
  %0 = "stablehlo.after_all"(%arg0, %arg1) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  return
}

// CHECK-LABEL: func.func @create_token(
// CHECK: stablehlo.create_token : !stablehlo.token
func.func @create_token() {
  %0 = "stablehlo.create_token"() : () -> !stablehlo.token
  return
}

// CHECK-LABEL: func.func @send(
// CHECK: "stablehlo.send"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
func.func @send(%arg0: tensor<3xf32>, %arg1: !stablehlo.token) {
  %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// CHECK-LABEL: func.func @recv(
// CHECK: "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false, source_target_pairs = dense<{{\[\[}}0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
func.func @recv(%arg0: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// CHECK-LABEL: func.func @infeed(
// CHECK: "stablehlo.infeed"(%arg0) <{infeed_config = "", layout = {{\[\[}}0, 1], []]}> : (!stablehlo.token) -> (tensor<3x2xf32>, tensor<i1>, !stablehlo.token)
func.func @infeed(%arg0: !stablehlo.token) {
  %0:3 = "stablehlo.infeed"(%arg0) {infeed_config = "", layout = [[0, 1], []]} : (!stablehlo.token) -> (tensor<3x2xf32>, tensor<i1>, !stablehlo.token)
  return
}

// CHECK-LABEL: func.func @outfeed(
// CHECK: "stablehlo.outfeed"(%arg0, %arg1, %arg2) <{outfeed_config = "queue"}> : (tensor<3xf32>, tensor<i32>, !stablehlo.token) -> !stablehlo.token
func.func @outfeed(%arg0: tensor<3xf32>, %arg1: tensor<i32>, %arg2: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%arg0, %arg1, %arg2) {outfeed_config = "queue"} : (tensor<3xf32>, tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return
}

// CHECK-LABEL: func.func @custom_call(
// CHECK: stablehlo.custom_call @f(%arg0) {api_version = 4 : i32, backend_config = {a = 3 : i32}, has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<3x2xf32>) -> tensor<3x2xf32>
func.func @custom_call(%arg0: tensor<3x2xf32>) {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "f", has_side_effect = true, api_version = 4 : i32, backend_config = {a = 3 : i32}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: func.func @custom_call_alias(
// CHECK: stablehlo.custom_call @g(%arg0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>)
func.func @custom_call_alias(%arg0: tensor<3x2xf32>) {
  %0:2 = "stablehlo.custom_call"(%arg0) {call_target_name = "g", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>)
  return
}

// CHECK-LABEL: func.func @custom_call_create_buffer(
// CHECK: stablehlo.custom_call @CreateBuffer() {api_version = 4 : i32} : () -> memref<4xf32>
func.func @custom_call_create_buffer() {
  %0 = "stablehlo.custom_call"() {call_target_name = "CreateBuffer", api_version = 4 : i32} : () -> memref<4xf32>
  return
}

// CHECK-LABEL: func.func @custom_call_pin(
// CHECK: stablehlo.custom_call @Pin(%arg0) {api_version = 4 : i32} : (tensor<4xf32>) -> memref<4xf32>
func.func @custom_call_pin(%arg0: tensor<4xf32>) {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "Pin", api_version = 4 : i32} : (tensor<4xf32>) -> memref<4xf32>
  return
}

// CHECK-LABEL: func.func @custom_call_unpin(
// CHECK: stablehlo.custom_call @Unpin(%arg0) {api_version = 4 : i32} : (memref<4xf32>) -> tensor<4xf32>
func.func @custom_call_unpin(%arg0: memref<4xf32>) {
  %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "Unpin", api_version = 4 : i32} : (memref<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @rng(
// CHECK: stablehlo.rng %arg0, %arg1, %arg2, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
func.func @rng(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>) {
  %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @rng_bit_generator(
// CHECK: %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui16>)
func.func @rng_bit_generator(%arg0: tensor<3xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%arg0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui16>)
  return
}

// CHECK-LABEL: func.func @cholesky(
// CHECK: stablehlo.cholesky %arg0, lower = true : tensor<5x3x3xf64>
func.func @cholesky(%arg0: tensor<5x3x3xf64>) {
  %0 = "stablehlo.cholesky"(%arg0) {lower = true} : (tensor<5x3x3xf64>) -> tensor<5x3x3xf64>
  return
}

// CHECK-LABEL: func.func @triangular_solve(
// CHECK: "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xcomplex<f32>>, tensor<5x3xcomplex<f32>>) -> tensor<5x3xcomplex<f32>>
func.func @triangular_solve(%arg0: tensor<3x3xcomplex<f32>>, %arg1: tensor<5x3xcomplex<f32>>) {
  %0 = "stablehlo.triangular_solve"(%arg0, %arg1) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<3x3xcomplex<f32>>, tensor<5x3xcomplex<f32>>) -> tensor<5x3xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @fft(
// CHECK: stablehlo.fft %arg0, type = IFFT, length = [4, 8] : (tensor<3x4x8xcomplex<f32>>) -> tensor<3x4x8xcomplex<f32>>
func.func @fft(%arg0: tensor<3x4x8xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 4, 8>} : (tensor<3x4x8xcomplex<f32>>) -> tensor<3x4x8xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @fft_real(
// CHECK: stablehlo.fft %arg0, type = RFFT, length = [9] : (tensor<9xf64>) -> tensor<5xcomplex<f64>>
func.func @fft_real(%arg0: tensor<9xf64>) {
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 9>} : (tensor<9xf64>) -> tensor<5xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @fft_to_real(
// CHECK: stablehlo.fft %arg0, type = IRFFT, length = [8] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
func.func @fft_to_real(%arg0: tensor<2x5xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%arg0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
  return
}

// CHECK-LABEL: func.func @batch_norm_grad(
// CHECK: %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.250000e-01 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
func.func @batch_norm_grad(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<2x3x4xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: func.func @batch_norm_inference(
// CHECK: "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.250000e-01 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
func.func @batch_norm_inference(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<3xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @batch_norm_training(
// CHECK: %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 1.250000e-01 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
func.func @batch_norm_training(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: func.func @all_gather(
// CHECK: "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<4x4xf32>
func.func @all_gather(%arg0: tensor<4x2xf32>) {
  %0 = "stablehlo.all_gather"(%arg0) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4x2xf32>) -> tensor<4x4xf32>
  return
}

// CHECK-LABEL: func.func @all_reduce(
// CHECK: "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
func.func @all_reduce(%arg0: tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%arg0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @reduce_scatter(
// CHECK: "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64}> ({
func.func @reduce_scatter(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.reduce_scatter"(%arg0) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: func.func @all_to_all(
// CHECK: "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
func.func @all_to_all(%arg0: tensor<4x6xf32>) {
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// CHECK-LABEL: func.func @collective_permute(
// CHECK: "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<{{\[\[}}0, 1], [2, 0]]> : tensor<2x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
func.func @collective_permute(%arg0: tensor<3xf32>) {
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 1], [2, 0]]> : tensor<2x2xi64>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @collective_broadcast(
// CHECK: "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
func.func @collective_broadcast(%arg0: tensor<3xf32>) {
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @cross_replica_sum(
// CHECK: "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
func.func @cross_replica_sum(%arg0: tensor<3xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%arg0) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @partition_id(
// CHECK: stablehlo.partition_id : tensor<ui32>
func.func @partition_id() {
  %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
  return
}

// CHECK-LABEL: func.func @replica_id(
// CHECK: stablehlo.replica_id : tensor<ui32>
func.func @replica_id() {
  %0 = "stablehlo.replica_id"() : () -> tensor<ui32>
  return
}

// CHECK-LABEL: func.func @async_start(
// CHECK: "stablehlo.async_start"(%arg0) ({
func.func @async_start(%arg0: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%arg0) ({
  ^bb0(%x: tensor<4xf32>):
    %1 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// CHECK-LABEL: func.func @async_done(
// CHECK: "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
func.func @async_done(%arg0: !stablehlo.future<tensor<2xf32>>) {
  %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @uniform_quantize(
// CHECK: stablehlo.uniform_quantize %arg0 : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>
func.func @uniform_quantize(%arg0: tensor<2x3xf32>) {
  %0 = "stablehlo.uniform_quantize"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  return
}

// CHECK-LABEL: func.func @uniform_dequantize(
// CHECK: stablehlo.uniform_dequantize %arg0 : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x3xf32>
func.func @uniform_dequantize(%arg0: tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = "stablehlo.uniform_dequantize"(%arg0) : (tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @convolution(
// CHECK: stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = {{\[\[}}1, 0], [0, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x7x5x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x4x5x4xf32>
func.func @convolution(%arg0: tensor<2x7x5x3xf32>, %arg1: tensor<2x3x3x4xf32>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>} : (tensor<2x7x5x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x4x5x4xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_conv(
// CHECK: "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<2x7x5x3xf32>, tensor<2x3x3x4xf32>, tensor<2x2xi64>) -> tensor<2x?x?x4xf32>
func.func @dynamic_conv(%arg0: tensor<2x7x5x3xf32>, %arg1: tensor<2x3x3x4xf32>, %arg2: tensor<2x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x7x5x3xf32>, tensor<2x3x3x4xf32>, tensor<2x2xi64>) -> tensor<2x?x?x4xf32>
  return
}

// CHECK-LABEL: func.func @dot(
// CHECK: stablehlo.dot %arg0, %arg1 : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
func.func @dot(%arg0: tensor<3x4xf32>, %arg1: tensor<4xf32>) {
  %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @dot_general(
// CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [2], contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<5x4x3xf64>, tensor<4x2x5xf64>) -> tensor<5x3x2xf64>
func.func @dot_general(%arg0: tensor<5x4x3xf64>, %arg1: tensor<4x2x5xf64>) {
  %0 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<5x4x3xf64>, tensor<4x2x5xf64>) -> tensor<5x3x2xf64>
  return
}

// CHECK-LABEL: func.func @einsum(
// CHECK: stablehlo.einsum %arg0, %arg1, config = "ij,kj->ki" : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
func.func @einsum(%arg0: tensor<3x4xf32>, %arg1: tensor<2x4xf32>) {
  %0 = "stablehlo.einsum"(%arg0, %arg1) {einsum_config = "ij,kj->ki"} : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @unary_einsum(
// CHECK: stablehlo.unary_einsum %arg0, config = "ij->i" : (tensor<3x4xf32>) -> tensor<3xf32>
func.func @unary_einsum(%arg0: tensor<3x4xf32>) {
  %0 = "stablehlo.unary_einsum"(%arg0) {einsum_config = "ij->i"} : (tensor<3x4xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @gather(
// CHECK: "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 3>}> : (tensor<6x5xf32>, tensor<4x2xi32>) -> tensor<4x3xf32>
func.func @gather(%arg0: tensor<6x5xf32>, %arg1: tensor<4x2xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 3>} : (tensor<6x5xf32>, tensor<4x2xi32>) -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_gather(
// CHECK: "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<6x5xf32>, tensor<4x2xi32>, tensor<2xi32>) -> tensor<4x?xf32>
func.func @dynamic_gather(%arg0: tensor<6x5xf32>, %arg1: tensor<4x2xi32>, %arg2: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true} : (tensor<6x5xf32>, tensor<4x2xi32>, tensor<2xi32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @scatter(
// CHECK: "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
func.func @scatter(%arg0: tensor<6x5xf32>, %arg1: tensor<4x1xi32>, %arg2: tensor<4x5xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  return
}

// CHECK-LABEL: func.func @reduce(
// CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1] : (tensor<6x5xf32>, tensor<f32>) -> tensor<6xf32>
func.func @reduce(%arg0: tensor<6x5xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce"(%arg0, %arg1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<6x5xf32>, tensor<f32>) -> tensor<6xf32>
  return
}

// CHECK-LABEL: func.func @reduce_of_two(
// CHECK: stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [0, 1] : (tensor<6x5xf32>, tensor<6x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
func.func @reduce_of_two(%arg0: tensor<6x5xf32>, %arg1: tensor<6x5xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) {
  %0:2 = "stablehlo.reduce"(%arg0, %arg1, %arg2, %arg3) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %1 = stablehlo.add %a, %c : tensor<f32>
    %2 = stablehlo.multiply %b, %d : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<6x5xf32>, tensor<6x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return
}

// CHECK-LABEL: func.func @reduce_window(
// CHECK: "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
func.func @reduce_window(%arg0: tensor<6x7xf32>, %arg1: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%arg0, %arg1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>} : (tensor<6x7xf32>, tensor<f32>) -> tensor<6x3xf32>
  return
}

// CHECK-LABEL: func.func @select_and_scatter(
// CHECK: "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
func.func @select_and_scatter(%arg0: tensor<7xf32>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 3>, window_strides = array<i64: 2>} : (tensor<7xf32>, tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_slice(
// CHECK: stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [2, 3] : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
func.func @dynamic_slice(%arg0: tensor<6x5xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) {
  %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) {slice_sizes = array<i64: 2, 3>} : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_update_slice(
// CHECK: stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg3 : (tensor<6x5xf32>, tensor<2x5xf32>, tensor<ui8>, tensor<ui8>) -> tensor<6x5xf32>
func.func @dynamic_update_slice(%arg0: tensor<6x5xf32>, %arg1: tensor<2x5xf32>, %arg2: tensor<ui8>, %arg3: tensor<ui8>) {
  %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<6x5xf32>, tensor<2x5xf32>, tensor<ui8>, tensor<ui8>) -> tensor<6x5xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_broadcast_in_dim(
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [1] {known_expanding_dimensions = array<i64: 0>} : (tensor<1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
func.func @dynamic_broadcast_in_dim(%arg0: tensor<1xf32>, %arg1: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 0>} : (tensor<1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_iota(
// CHECK: stablehlo.dynamic_iota %arg0, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf32>
func.func @dynamic_iota(%arg0: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_iota"(%arg0) {iota_dimension = 1 : i64} : (tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_pad(
// CHECK: stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
func.func @dynamic_pad(%arg0: tensor<?xf32>, %arg1: tensor<f32>, %arg2: tensor<1xi64>, %arg3: tensor<1xi64>, %arg4: tensor<1xi64>) {
  %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_reshape(
// CHECK: stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
func.func @dynamic_reshape(%arg0: tensor<?x3xf32>, %arg1: tensor<1xi32>) {
  %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @real_dynamic_slice(
// CHECK: stablehlo.real_dynamic_slice %arg0, %arg1, %arg2, %arg3 : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
func.func @real_dynamic_slice(%arg0: tensor<?xf32>, %arg1: tensor<1xi32>, %arg2: tensor<1xi32>, %arg3: tensor<1xi32>) {
  %0 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @torch_index_select(
// CHECK: "stablehlo.torch_index_select"(%arg0, %arg1) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<3x2xf32>
func.func @torch_index_select(%arg0: tensor<3x4xf32>, %arg1: tensor<2xi32>) {
  %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: func.func @constant_quantized(
// CHECK: stablehlo.constant() <{value = dense<[1, -2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @constant_quantized() {
  %0 = "stablehlo.constant"() {value = dense<[1, -2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @abs_c1(%arg0: tensor<4x3xi16>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.abs"(%arg0) : (tensor<4x3xi16>) -> tensor<3x4xi16>
  return
}

// -----

func.func @abs_c2(%arg0: tensor<5xcomplex<f32>>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.abs"(%arg0) : (tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @abs_c2_width(%arg0: tensor<5xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5xf32>' are incompatible with return type(s) of operation 'tensor<5xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.abs"(%arg0) : (tensor<5xcomplex<f32>>) -> tensor<5xf64>
  return
}

// -----

func.func @abs_c2_real(%arg0: tensor<6xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<6xf32>' are incompatible with return type(s) of operation 'tensor<6xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.abs"(%arg0) : (tensor<6xf32>) -> tensor<6xf64>
  return
}

// -----

func.func @is_finite_c1(%arg0: tensor<3x2xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.is_finite"(%arg0) : (tensor<3x2xf32>) -> tensor<2x3xi1>
  return
}

// -----

func.func @real_c1(%arg0: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.real"(%arg0) : (tensor<4xcomplex<f32>>) -> tensor<5xf32>
  return
}

// -----

func.func @real_c2(%arg0: tensor<4xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.real"(%arg0) : (tensor<4xcomplex<f32>>) -> tensor<4xf64>
  return
}

// -----

func.func @real_c2_real(%arg0: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.real"(%arg0) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @imag_c1(%arg0: tensor<2x2xcomplex<f64>>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.imag"(%arg0) : (tensor<2x2xcomplex<f64>>) -> tensor<4xf64>
  return
}

// -----

func.func @imag_c2(%arg0: tensor<2xcomplex<f64>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2xf64>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.imag"(%arg0) : (tensor<2xcomplex<f64>>) -> tensor<2xf32>
  return
}

// -----

func.func @imag_c2_real(%arg0: tensor<2xf64>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2xf64>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.imag"(%arg0) : (tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @complex_c1(%arg0: tensor<3xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @complex_c1_element_type(%arg0: tensor<3xf32>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{requires the same element type for all operands}}
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @complex_c2(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<3xf64>, tensor<3xf64>) -> tensor<2xcomplex<f64>>
  return
}

// -----

func.func @complex_c3(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3xcomplex<f32>>' are incompatible with return type(s) of operation 'tensor<3xcomplex<f64>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xcomplex<f64>>
  return
}

// -----

func.func @complex_custom_type(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.complex' expected tensor with complex element type}}
  %0 = stablehlo.complex %arg0, %arg1 : tensor<3xf32>
  return
}

// -----

func.func @compare_c1(%arg0: tensor<3xi32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{requires compatible element types for all operands}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<3xi32>, tensor<3xi64>) -> tensor<3xi1>
  return
}

// -----

func.func @compare_c2(%arg0: tensor<3xi32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<3xi32>, tensor<2xi32>) -> tensor<3xi1>
  return
}

// -----

func.func @compare_c2_result(%arg0: tensor<3x3xf32>, %arg1: tensor<3x3xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<9xi1>
  return
}

// -----

func.func @convert_c1(%arg0: tensor<4x2xi32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = "stablehlo.convert"(%arg0) : (tensor<4x2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @select_c1(%arg0: tensor<3xi1>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+2 {{requires the same shape for all operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<3xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2(%arg0: tensor<i1>, %arg1: tensor<4xf32>, %arg2: tensor<5xf32>) {
  // expected-error@+2 {{requires compatible types for non-predicate operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_element_type(%arg0: tensor<4xi1>, %arg1: tensor<4xf32>, %arg2: tensor<4xf64>) {
  // expected-error@+2 {{requires compatible types for non-predicate operands}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_result(%arg0: tensor<4xi1>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<2x2xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @select_custom_type(%arg0: tensor<i1>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>) {
  // expected-error@+1 {{custom op 'stablehlo.select' expected functional type or list of two types}}
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<3xi32>, tensor<3xi32>
  return
}

// -----

func.func @clamp_c1(%arg0: tensor<2xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<f32>) {
  // expected-error@+2 {{min shape [2] is not scalar and is not compatible to operand shape [3, 2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<2xf32>, tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @clamp_c2(%arg0: tensor<f32>, %arg1: tensor<3x2xf32>, %arg2: tensor<2x3xf32>) {
  // expected-error@+2 {{max shape [2, 3] is not scalar and is not compatible to operand shape [3, 2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<f32>, tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @clamp_c3(%arg0: tensor<i32>, %arg1: tensor<4xi32>, %arg2: tensor<i16>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<i32>, tensor<4xi32>, tensor<i16>) -> tensor<4xi32>
  return
}

// -----

func.func @clamp_c3_min(%arg0: tensor<i8>, %arg1: tensor<4xi32>, %arg2: tensor<i32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<i8>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return
}

// -----

func.func @clamp_c4(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xi32>' are incompatible with return type(s) of operation 'tensor<5xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @clamp_c4_element_type(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi64>
  return
}

// -----

func.func @reduce_precision_format(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce_precision' expected exponent mantissa in format e#m#, saw bits5}}
  %0 = stablehlo.reduce_precision %arg0, format = bits5 : tensor<7xf32>
  return
}

// -----

func.func @reduce_precision_format_exponent(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce_precision' unable to parse exponent '99999999999999999999'}}
  %0 = stablehlo.reduce_precision %arg0, format = e99999999999999999999m2 : tensor<7xf32>
  return
}

// -----

func.func @reduce_precision_format_mantissa(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{custom op 'stablehlo.reduce_precision' unable to parse mantissa '99999999999999999999'}}
  %0 = stablehlo.reduce_precision %arg0, format = e5m99999999999999999999 : tensor<7xf32>
  return
}

// -----

func.func @add_same_type_form(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>) {
  // expected-error@+1 {{custom op 'stablehlo.add' 2 operands present, but expected 1}}
  %0 = stablehlo.add %arg0, %arg1 : (tensor<3xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @add_results_form(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>) {
  // expected-error@+1 {{custom op 'stablehlo.add' expected single output}}
  %0 = stablehlo.add %arg0, %arg1 : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
  return
}

// -----

func.func @exponential_result_accuracy_tolerance(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Negative tolerance}}
  %0 = "stablehlo.exponential"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = -0.5, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @cbrt_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.cbrt"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @cosine_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.cosine"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @exponential_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.exponential"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @exponential_minus_one_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.exponential_minus_one"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @log_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.log"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @log_plus_one_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.log_plus_one"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @logistic_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.logistic"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @rsqrt_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.rsqrt"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @sine_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.sine"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @sqrt_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.sqrt"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @tan_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.tan"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @tanh_result_accuracy(%arg0: tensor<7xf32>) {
  // expected-error@+1 {{Invalid tolerances for ResultAccuracyAttr with mode HIGHEST, must be all zero.}}
  %0 = "stablehlo.tanh"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @constant_c1() {
  // expected-error@+2 {{inferred type(s) 'tensor<3xi32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<7> : tensor<3xi32>} : () -> tensor<4xi32>
  return
}

// -----

func.func @constant_c1_element_type() {
  // expected-error@+2 {{inferred type(s) 'tensor<3xi32>' are incompatible with return type(s) of operation 'tensor<3xi64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.constant"() {value = dense<7> : tensor<3xi32>} : () -> tensor<3xi64>
  return
}

// -----

func.func @constant_value() {
  // expected-error@+1 {{attribute 'value' failed to satisfy constraint: constant vector/tensor attribute}}
  %0 = "stablehlo.constant"() {value = 7 : i32} : () -> tensor<i32>
  return
}

// -----

func.func @iota_c1() {
  // expected-error@+1 {{iota dimension cannot go beyond the output rank.}}
  %0 = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<3x4xi32>
  return
}

// -----

func.func @iota_c1_negative() {
  // expected-error@+1 {{attribute 'iota_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.iota"() {iota_dimension = -1 : i64} : () -> tensor<3x4xi32>
  return
}

// -----

func.func @iota_c1_scalar() {
  // expected-error@+1 {{does not support scalars.}}
  %0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<i32>
  return
}

// -----

func.func @reshape_c1(%arg0: tensor<6xi32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<6xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @reshape_c2(%arg0: tensor<2x5xi32>) {
  // expected-error@+1 {{number of output elements (12) doesn't match expected number of elements (10)}}
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x5xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @broadcast_in_dim_c1(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<3xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c2(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{broadcast_dimensions size (2) does not match operand rank (1)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<3xi32>) -> tensor<3x3xi32>
  return
}

// -----

func.func @broadcast_in_dim_c3(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{broadcast_dimensions contains invalid value 2 for result with rank 2}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 2>} : (tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @broadcast_in_dim_c3_negative(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{broadcast_dimensions contains invalid value -1 for result with rank 2}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: -1>} : (tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @broadcast_in_dim_c4(%arg0: tensor<1x3xi32>) {
  // expected-error@+1 {{broadcast_dimensions should not have duplicates}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<1x3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @broadcast_in_dim_c5(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{size of operand dimension 0 (3) is not equal to 1 or size of result dimension 0 (2)}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @broadcast_in_dim_unranked_result(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @broadcast_negative_size(%arg0: tensor<3xi32>) {
  // expected-error@+2 {{Broadcast with negative dimension size -4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 2, -4>} : (tensor<3xi32>) -> tensor<2x4x3xi32>
  return
}

// -----

func.func @broadcast_result(%arg0: tensor<3xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x3xi32>' are incompatible with return type(s) of operation 'tensor<3x2xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 2>} : (tensor<3xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @transpose_c1(%arg0: tensor<3x2xi32>) {
  // expected-error@+1 {{requires compatible element types for all operands and results}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<3x2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c2(%arg0: tensor<3x2xi32>) {
  // expected-error@+2 {{attribute permutation must be a permutation of [0, 1] but got 1, 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 1>} : (tensor<3x2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @transpose_c2_size(%arg0: tensor<3x2xi32>) {
  // expected-error@+2 {{TransposeOp operand rank 2 does not match permutation size 3}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0, 2>} : (tensor<3x2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @transpose_c2_range(%arg0: tensor<3x2xi32>) {
  // expected-error@+2 {{attribute permutation must be a permutation of [0, 1] but got 2, 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 2, 0>} : (tensor<3x2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @transpose_c3(%arg0: tensor<3x2xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2x3xi32>' are incompatible with return type(s) of operation 'tensor<3x2xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @reverse_c1(%arg0: tensor<3x2xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x2xi32>' are incompatible with return type(s) of operation 'tensor<2x3xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<3x2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @reverse_c1_element_type(%arg0: tensor<3x2xi32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<3x2xi32>) -> tensor<3x2xi16>
  return
}

// -----

func.func @reverse_c2(%arg0: tensor<3x2xi32>) {
  // expected-error@+1 {{dimensions should be unique. Got: 1, 0, 1}}
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 1, 0, 1>} : (tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @reverse_c3(%arg0: tensor<3x2xi32>) {
  // expected-error@+1 {{all dimensions should be between [0, 2). Got dimension: 2.}}
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 2>} : (tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @reverse_c3_negative(%arg0: tensor<3x2xi32>) {
  // expected-error@+1 {{all dimensions should be non-negative. Got dimension: -2.}}
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: -2>} : (tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @concatenate_c1(%arg0: tensor<3xi32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<3xi32>, tensor<2xi64>) -> tensor<5xi32>
  return
}

// -----

func.func @concatenate_c2(%arg0: tensor<2x3xi32>, %arg1: tensor<4x2xi32>) {
  // expected-error@+2 {{shapes of operand (0) and (1) are not compatible at non-concat index 0: (2, 3) != (4, 2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<2x3xi32>, tensor<4x2xi32>) -> tensor<2x5xi32>
  return
}

// -----

func.func @concatenate_c2_rank(%arg0: tensor<2x3xi32>, %arg1: tensor<3xi32>) {
  // expected-error@+2 {{operands (0) and (1) do not match rank}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<3x3xi32>
  return
}

// -----

func.func @concatenate_c2_dynamic(%arg0: tensor<?x2xf32>, %arg1: tensor<4x2xf32>, %arg2: tensor<5x2xf32>) {
  // expected-error@+2 {{Mismatched dimension sizes 4 and 5 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1, %arg2) {dimension = 1 : i64} : (tensor<?x2xf32>, tensor<4x2xf32>, tensor<5x2xf32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @concatenate_c3() {
  // expected-error@+1 {{expected 1 or more operands, but found 0}}
  %0 = "stablehlo.concatenate"() {dimension = 0 : i64} : () -> tensor<3xi32>
  return
}

// -----

func.func @concatenate_c4(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) {
  // expected-error@+2 {{dimension 2 is out-of-bounds for input rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 2 : i64} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x6xi32>
  return
}

// -----

func.func @concatenate_c4_negative(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) {
  // expected-error@+1 {{attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = -1 : i64} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x6xi32>
  return
}

// -----

func.func @concatenate_c4_scalar(%arg0: tensor<i32>, %arg1: tensor<i32>) {
  // expected-error@+2 {{rank-0 values cannot be concatenated}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  return
}

// -----

func.func @concatenate_c5(%arg0: tensor<3xi32>, %arg1: tensor<2xi32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<3xi32>, tensor<2xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @concatenate_c6(%arg0: tensor<3xi32>, %arg1: tensor<2xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5xi32>' are incompatible with return type(s) of operation 'tensor<6xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<3xi32>, tensor<2xi32>) -> tensor<6xi32>
  return
}

// -----

func.func @concatenate_c6_other_dimension(%arg0: tensor<3x2xi32>, %arg1: tensor<2x2xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<5x2xi32>' are incompatible with return type(s) of operation 'tensor<5x3xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<3x2xi32>, tensor<2x2xi32>) -> tensor<5x3xi32>
  return
}

// -----

func.func @slice_c1(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 3>, strides = array<i64: 1>} : (tensor<5xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @slice_c2(%arg0: tensor<5xi32>) {
  // expected-error@+2 {{the number of elements in start_indices (2) does not match the rank of the operand (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 1>, strides = array<i64: 1, 1>} : (tensor<5xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @slice_c2_limits(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{failed to verify that all of {start_indices, limit_indices, strides} have same size}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 3, 1>, strides = array<i64: 1>} : (tensor<5xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @slice_c2_strides(%arg0: tensor<5xi32>) {
  // expected-error@+1 {{failed to verify that all of {start_indices, limit_indices, strides} have same size}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 3>, strides = array<i64: 1, 2>} : (tensor<5xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @slice_c3(%arg0: tensor<5xi32>) {
  // expected-error@+2 {{start index 4 is larger than limit index 3 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 4>, limit_indices = array<i64: 3>, strides = array<i64: 1>} : (tensor<5xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @slice_c3_negative(%arg0: tensor<5xi32>) {
  // expected-error@+2 {{negative start index -1 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: -1>, limit_indices = array<i64: 3>, strides = array<i64: 1>} : (tensor<5xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @slice_c3_limit(%arg0: tensor<5xi32>) {
  // expected-error@+2 {{limit index 6 is larger than dimension size 5 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 6>, strides = array<i64: 1>} : (tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @slice_c3_bounded(%arg0: tensor<?xi32, #stablehlo.bounds<5>>) {
  // expected-error@+2 {{limit index 6 is larger than dimension bound 5 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 6>, strides = array<i64: 1>} : (tensor<?xi32, #stablehlo.bounds<5>>) -> tensor<5xi32>
  return
}

// -----

func.func @slice_c4(%arg0: tensor<5xi32>) {
  // expected-error@+2 {{stride must be positive but got 0 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 3>, strides = array<i64: 0>} : (tensor<5xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @slice_c4_negative(%arg0: tensor<5xi32>) {
  // expected-error@+2 {{stride must be positive but got -2 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 3>, strides = array<i64: -2>} : (tensor<5xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @slice_c5(%arg0: tensor<5xi32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<2xi32>' are incompatible with return type(s) of operation 'tensor<3xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 1>, limit_indices = array<i64: 5>, strides = array<i64: 3>} : (tensor<5xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @pad_c1(%arg0: tensor<3xi32>, %arg1: tensor<i64>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<3xi32>, tensor<i64>) -> tensor<4xi32>
  return
}

// -----

func.func @pad_c1_result(%arg0: tensor<3xi32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{requires the same element type for all operands and results}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<4xi64>
  return
}

// -----

func.func @pad_c2(%arg0: tensor<3xi32>, %arg1: tensor<i32>) {
  // expected-error@+2 {{edge_padding_low length (2) must match operand rank (1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1, 1>, edge_padding_high = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  return
}

// -----

func.func @pad_c2_high(%arg0: tensor<3xi32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same size}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  return
}

// -----

func.func @pad_c2_interior(%arg0: tensor<3xi32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{failed to verify that all of {edge_padding_low, edge_padding_high, interior_padding} have same size}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0, 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  return
}

// -----

func.func @pad_c3(%arg0: tensor<3xi32>, %arg1: tensor<i32>) {
  // expected-error@+2 {{Interior padding cannot be negative: -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: -1>} : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>
  return
}

// -----

func.func @pad_c4(%arg0: tensor<3xi32>, %arg1: tensor<i32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<8xi32>' are incompatible with return type(s) of operation 'tensor<9xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 1>} : (tensor<3xi32>, tensor<i32>) -> tensor<9xi32>
  return
}

// -----

func.func @pad_c4_negative_size(%arg0: tensor<3xi32>, %arg1: tensor<i32>) {
  // expected-error@+2 {{Padding result in negative size for dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: -2>, interior_padding = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<0xi32>
  return
}

// -----

func.func @pad_c4_negative_bound(%arg0: tensor<?xi32, #stablehlo.bounds<3>>, %arg1: tensor<i32>) {
  // expected-error@+2 {{Padding result in negative bound for dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: -2>, interior_padding = array<i64: 0>} : (tensor<?xi32, #stablehlo.bounds<3>>, tensor<i32>) -> tensor<?xi32>
  return
}

// -----

func.func @bitcast_convert_c1(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{operand and result shapes must match except for the innermost dimension of the shape with the smaller element type. Got: 'tensor<3xi32>' and 'tensor<4xf32>'.}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @bitcast_convert_c1_narrower(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{requires compatible bit widths. Got: 'tensor<3xi32>' and 'tensor<3x4xi16>', but 16 * 4 != 32.}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xi32>) -> tensor<3x4xi16>
  return
}

// -----

func.func @bitcast_convert_c1_narrower_rank(%arg0: tensor<3xi32>) {
  // expected-error@+1 {{rank of smaller element type (1) should be 1 more than rank of larger element type (1), but 1 != 1 + 1.}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xi32>) -> tensor<3xi16>
  return
}

// -----

func.func @bitcast_convert_c1_wider(%arg0: tensor<3x2xi32>) {
  // expected-error@+1 {{operand and result shapes must match except for the innermost dimension of the shape with the smaller element type. Got: 'tensor<3x2xi32>' and 'tensor<2xi64>'.}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3x2xi32>) -> tensor<2xi64>
  return
}

// -----

func.func @bitcast_convert_c1_wider_width(%arg0: tensor<3x3xi16>) {
  // expected-error@+1 {{requires compatible bit widths. Got: 'tensor<3x3xi16>' and 'tensor<3xi32>', but 16 * 3 != 32.}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3x3xi16>) -> tensor<3xi32>
  return
}

// -----

func.func @bitcast_convert_c2(%arg0: tensor<3xcomplex<f32>>) {
  // expected-error@+1 {{cannot convert between real and complex types, but got: 'tensor<3xcomplex<f32>>' and 'tensor<3xi64>'}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xcomplex<f32>>) -> tensor<3xi64>
  return
}

// -----

func.func @bitcast_convert_c2_result(%arg0: tensor<3x2xf64>) {
  // expected-error@+1 {{cannot convert between real and complex types, but got: 'tensor<3x2xf64>' and 'tensor<3xcomplex<f64>>'}}
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3x2xf64>) -> tensor<3xcomplex<f64>>
  return
}

// -----

func.func @get_dimension_size_c1(%arg0: tensor<3x2xf32>) {
  // expected-error@+2 {{requires dimension attribute in range [0, 2); found (2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 2 : i64} : (tensor<3x2xf32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_c1_negative(%arg0: tensor<3x2xf32>) {
  // expected-error@+1 {{attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = -1 : i64} : (tensor<3x2xf32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_result(%arg0: tensor<3x2xf32>) {
  // expected-error@+1 {{result #0 must be}}
  %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 1 : i64} : (tensor<3x2xf32>) -> tensor<i64>
  return
}

// -----

func.func @set_dimension_size_dimension(%arg0: tensor<3x2xf32>, %arg1: tensor<i32>) {
  // expected-error@+2 {{requires dimension attribute in range [0, 2); found (2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 2 : i64} : (tensor<3x2xf32>, tensor<i32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @set_dimension_size_dimension_negative(%arg0: tensor<3x2xf32>, %arg1: tensor<i32>) {
  // expected-error@+1 {{attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = -1 : i64} : (tensor<3x2xf32>, tensor<i32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @set_dimension_size_rank(%arg0: tensor<3x2xf32>, %arg1: tensor<1xi32>) {
  // expected-error@+2 {{size operand should be of rank-0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<3x2xf32>, tensor<1xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @set_dimension_size_result(%arg0: tensor<3x2xf32>, %arg1: tensor<i32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<3x?xf32, #stablehlo.bounds<?, 2>>' are incompatible with return type(s) of operation 'tensor<3x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<3x2xf32>, tensor<i32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @get_tuple_element_c1(%arg0: tuple<tensor<i32>, tensor<f32>>) {
  // expected-error@+2 {{index 2 is out of bounds of operand with size 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 2 : i32} : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @get_tuple_element_c1_negative(%arg0: tuple<tensor<i32>, tensor<f32>>) {
  // expected-error@+1 {{attribute 'index' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = -1 : i32} : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @get_tuple_element_c2(%arg0: tuple<tensor<i32>, tensor<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<f32>' are incompatible with return type(s) of operation 'tensor<i32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.get_tuple_element"(%arg0) {index = 1 : i32} : (tuple<tensor<i32>, tensor<f32>>) -> tensor<i32>
  return
}

// -----

func.func @tuple_c1(%arg0: tensor<i32>, %arg1: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tuple<tensor<i32>, tensor<f32>>' are incompatible with return type(s) of operation 'tuple<tensor<i32>, tensor<i32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<i32>, tensor<f32>) -> tuple<tensor<i32>, tensor<i32>>
  return
}

// -----

func.func @tuple_c1_size(%arg0: tensor<i32>, %arg1: tensor<f32>) {
  // expected-error@+2 {{inferred type(s) 'tuple<tensor<i32>, tensor<f32>>' are incompatible with return type(s) of operation 'tuple<tensor<i32>>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<i32>, tensor<f32>) -> tuple<tensor<i32>>
  return
}

// -----

func.func @tuple_custom_type(%arg0: tensor<i32>) {
  // expected-error@+1 {{custom op 'stablehlo.tuple' expected tuple type}}
  %0 = stablehlo.tuple %arg0 : tensor<i32>
  return
}

// -----

func.func @optimization_barrier_c1(%arg0: tensor<3xi32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{requires the same type for operand and result at index 1}}
  %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<3xi32>, tensor<2xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  return
}

// -----

func.func @optimization_barrier_c1_count(%arg0: tensor<3xi32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{requires the same number of operands and results}}
  %0 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<3xi32>, tensor<2xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @optimization_barrier_custom_types(%arg0: tensor<i32>) {
  // expected-error@+2 {{expected non-function type}}
  // expected-error@+1 {{custom op 'stablehlo.optimization_barrier' expected type list}}
  %0 = stablehlo.optimization_barrier %arg0 : i
  return
}

// -----

// expected-error@+1 {{Bounds length is 1, expected to be equal to rank(2) of the tensor 'tensor<?x?xi32>'}}
func.func @bounds_length(%arg0: tensor<?x?xi32, #stablehlo.bounds<3>>) {
  return
}

// -----

// expected-error@+1 {{Static dimension 0 cannot have a bound, use ShapedType::kDynamic to indicate a missing bound in tensor 'tensor<4x?xi32>'}}
func.func @bounds_static(%arg0: tensor<4x?xi32, #stablehlo.bounds<4, 5>>) {
  return
}

// -----

func.func @concatenate_c2_bound(%arg0: tensor<2x5xi32>, %arg1: tensor<2x?xi32, #stablehlo.bounds<?, 4>>) {
  // expected-error@+2 {{Mismatched dimension size 5 and bound 4 in dimension 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<2x5xi32>, tensor<2x?xi32, #stablehlo.bounds<?, 4>>) -> tensor<4x5xi32>
  return
}

// -----

// expected-error@+1 {{unknown stablehlo type: tokens}}
func.func @types_unknown(%arg0: !stablehlo.tokens) {
  return
}

// -----

// expected-error@+1 {{unknown StableHLO attribute}}
func.func @attributes_unknown() attributes {a = #stablehlo.bound<3>} {
  return
}

// -----

func.func @add_c1_bound(%arg0: tensor<?xf32, #stablehlo.bounds<4>>, %arg1: tensor<6xf32>) {
  // expected-error@+2 {{Mismatched dimension size 6 and bound 4 in dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<6xf32>) -> tensor<6xf32>
  return
}
