// RUN: stablehlo-opt --hlo-test-infer --allow-unregistered-dialect %s | FileCheck %s

// What is inferred for results of operations that work element by element: their types, the components of
// these, and operations that compute their shapes. Functions are named after the operation and the constraint of
// the specification that gives the type. Declared types say less than what is inferred.
// A name that ends in `loses_bounds` says where the bindings infer no bounds, though the result has them.

// CHECK-LABEL: func.func @cbrt_c1(
func.func @cbrt_c1(%operand: tensor<3x?xf16>) -> tensor<2xindex> {
  %0 = "stablehlo.cbrt"(%operand) : (tensor<3x?xf16>) -> tensor<?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<3x?xf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @ceil_c1(
func.func @ceil_c1(%operand: tensor<4x?xbf16>) -> tensor<2xindex> {
  %0 = "stablehlo.ceil"(%operand) : (tensor<4x?xbf16>) -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xbf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xbf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?xbf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xbf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @cosine_c1(
func.func @cosine_c1(%operand: tensor<5x?xf64>) -> tensor<2xindex> {
  %0 = "stablehlo.cosine"(%operand) : (tensor<5x?xf64>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x?xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<5x?xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @exponential_c1(
func.func @exponential_c1(%operand: tensor<6x?xf32>) -> tensor<2xindex> {
  %0 = "stablehlo.exponential"(%operand) : (tensor<6x?xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<6x?xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<6x?xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @exponential_minus_one_c1(
func.func @exponential_minus_one_c1(%operand: tensor<7x?xcomplex<f32>>) -> tensor<2xindex> {
  %0 = "stablehlo.exponential_minus_one"(%operand) : (tensor<7x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<7x?xcomplex<f32>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<7x?xcomplex<f32>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<7x?xcomplex<f32>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f32>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @floor_c1(
func.func @floor_c1(%operand: tensor<3x?xf8E4M3FN>) -> tensor<2xindex> {
  %0 = "stablehlo.floor"(%operand) : (tensor<3x?xf8E4M3FN>) -> tensor<?x?xf8E4M3FN>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xf8E4M3FN>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf8E4M3FN>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xf8E4M3FN>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf8E4M3FN>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<3x?xf8E4M3FN> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf8E4M3FN>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @log_c1(
func.func @log_c1(%operand: tensor<4x?xcomplex<f64>>) -> tensor<2xindex> {
  %0 = "stablehlo.log"(%operand) : (tensor<4x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xcomplex<f64>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xcomplex<f64>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?xcomplex<f64>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f64>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @log_plus_one_c1(
func.func @log_plus_one_c1(%operand: tensor<5x?xf16>) -> tensor<2xindex> {
  %0 = "stablehlo.log_plus_one"(%operand) : (tensor<5x?xf16>) -> tensor<?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?xf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x?xf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<5x?xf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @logistic_c1(
func.func @logistic_c1(%operand: tensor<6x?xbf16>) -> tensor<2xindex> {
  %0 = "stablehlo.logistic"(%operand) : (tensor<6x?xbf16>) -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x?xbf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<6x?xbf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<6x?xbf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xbf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @negate_c1(
func.func @negate_c1(%operand: tensor<7x?xi8>) -> tensor<2xindex> {
  %0 = "stablehlo.negate"(%operand) : (tensor<7x?xi8>) -> tensor<?x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<7x?xi8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<7x?xi8>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi8>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<7x?xi8> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi8>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @round_nearest_afz_c1(
func.func @round_nearest_afz_c1(%operand: tensor<3x?xf64>) -> tensor<2xindex> {
  %0 = "stablehlo.round_nearest_afz"(%operand) : (tensor<3x?xf64>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<3x?xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @round_nearest_even_c1(
func.func @round_nearest_even_c1(%operand: tensor<4x?xf32>) -> tensor<2xindex> {
  %0 = "stablehlo.round_nearest_even"(%operand) : (tensor<4x?xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @rsqrt_c1(
func.func @rsqrt_c1(%operand: tensor<5x?xcomplex<f32>>) -> tensor<2xindex> {
  %0 = "stablehlo.rsqrt"(%operand) : (tensor<5x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?xcomplex<f32>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x?xcomplex<f32>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<5x?xcomplex<f32>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f32>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @sign_c1(
func.func @sign_c1(%operand: tensor<6x?xi32>) -> tensor<2xindex> {
  %0 = "stablehlo.sign"(%operand) : (tensor<6x?xi32>) -> tensor<?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x?xi32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<6x?xi32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<6x?xi32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @sine_c1(
func.func @sine_c1(%operand: tensor<7x?xf32>) -> tensor<2xindex> {
  %0 = "stablehlo.sine"(%operand) : (tensor<7x?xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<7x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<7x?xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<7x?xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @sqrt_c1(
func.func @sqrt_c1(%operand: tensor<3x?xf16>) -> tensor<2xindex> {
  %0 = "stablehlo.sqrt"(%operand) : (tensor<3x?xf16>) -> tensor<?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<3x?xf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @tan_c1(
func.func @tan_c1(%operand: tensor<4x?xbf16>) -> tensor<2xindex> {
  %0 = "stablehlo.tan"(%operand) : (tensor<4x?xbf16>) -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xbf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xbf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?xbf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xbf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @tanh_c1(
func.func @tanh_c1(%operand: tensor<5x?xcomplex<f64>>) -> tensor<2xindex> {
  %0 = "stablehlo.tanh"(%operand) : (tensor<5x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?xcomplex<f64>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x?xcomplex<f64>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<5x?xcomplex<f64>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f64>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @count_leading_zeros_c1(
func.func @count_leading_zeros_c1(%operand: tensor<6x?xui16>) -> tensor<2xindex> {
  %0 = "stablehlo.count_leading_zeros"(%operand) : (tensor<6x?xui16>) -> tensor<?x?xui16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x?xui16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<6x?xui16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xui16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<6x?xui16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xui16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @not_c1(
func.func @not_c1(%operand: tensor<7x?xi1>) -> tensor<2xindex> {
  %0 = "stablehlo.not"(%operand) : (tensor<7x?xi1>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<7x?xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<7x?xi1>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<7x?xi1> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi1>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @popcnt_c1(
func.func @popcnt_c1(%operand: tensor<3x?xi64>) -> tensor<2xindex> {
  %0 = "stablehlo.popcnt"(%operand) : (tensor<3x?xi64>) -> tensor<?x?xi64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xi64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xi64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<3x?xi64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @cbrt_c1_bounded_quantized(
func.func @cbrt_c1_bounded_quantized(%operand: tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) {
  %0 = "stablehlo.cbrt"(%operand) : (tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @ceil_c1_bounded_quantized(
func.func @ceil_c1_bounded_quantized(%operand: tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) {
  %0 = "stablehlo.ceil"(%operand) : (tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @cosine_c1_bounded_quantized(
func.func @cosine_c1_bounded_quantized(%operand: tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) {
  %0 = "stablehlo.cosine"(%operand) : (tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @exponential_c1_bounded_quantized(
func.func @exponential_c1_bounded_quantized(%operand: tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) {
  %0 = "stablehlo.exponential"(%operand) : (tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @exponential_minus_one_c1_bounded_quantized(
func.func @exponential_minus_one_c1_bounded_quantized(%operand: tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) {
  %0 = "stablehlo.exponential_minus_one"(%operand) : (tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @floor_c1_bounded_quantized(
func.func @floor_c1_bounded_quantized(%operand: tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) {
  %0 = "stablehlo.floor"(%operand) : (tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @log_c1_bounded_quantized(
func.func @log_c1_bounded_quantized(%operand: tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) {
  %0 = "stablehlo.log"(%operand) : (tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @log_plus_one_c1_bounded_quantized(
func.func @log_plus_one_c1_bounded_quantized(%operand: tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) {
  %0 = "stablehlo.log_plus_one"(%operand) : (tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @logistic_c1_bounded_quantized(
func.func @logistic_c1_bounded_quantized(%operand: tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) {
  %0 = "stablehlo.logistic"(%operand) : (tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @negate_c1_bounded_quantized(
func.func @negate_c1_bounded_quantized(%operand: tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) {
  %0 = "stablehlo.negate"(%operand) : (tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @round_nearest_afz_c1_bounded_quantized(
func.func @round_nearest_afz_c1_bounded_quantized(%operand: tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) {
  %0 = "stablehlo.round_nearest_afz"(%operand) : (tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @round_nearest_even_c1_bounded_quantized(
func.func @round_nearest_even_c1_bounded_quantized(%operand: tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) {
  %0 = "stablehlo.round_nearest_even"(%operand) : (tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @rsqrt_c1_bounded_quantized(
func.func @rsqrt_c1_bounded_quantized(%operand: tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) {
  %0 = "stablehlo.rsqrt"(%operand) : (tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @sign_c1_bounded_quantized(
func.func @sign_c1_bounded_quantized(%operand: tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) {
  %0 = "stablehlo.sign"(%operand) : (tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @sine_c1_bounded_quantized(
func.func @sine_c1_bounded_quantized(%operand: tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) {
  %0 = "stablehlo.sine"(%operand) : (tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @sqrt_c1_bounded_quantized(
func.func @sqrt_c1_bounded_quantized(%operand: tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) {
  %0 = "stablehlo.sqrt"(%operand) : (tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @tan_c1_bounded_quantized(
func.func @tan_c1_bounded_quantized(%operand: tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) {
  %0 = "stablehlo.tan"(%operand) : (tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @tanh_c1_bounded_quantized(
func.func @tanh_c1_bounded_quantized(%operand: tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) {
  %0 = "stablehlo.tanh"(%operand) : (tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @count_leading_zeros_c1_bounded(
func.func @count_leading_zeros_c1_bounded(%operand: tensor<2x?xui16, #stablehlo.bounds<?, 5>>) {
  %0 = "stablehlo.count_leading_zeros"(%operand) : (tensor<2x?xui16, #stablehlo.bounds<?, 5>>) -> tensor<?x?xui16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xui16, #stablehlo.bounds<?, 5>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?xui16, #stablehlo.bounds<?, 5>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xui16>) -> ()
  return
}

// CHECK-LABEL: func.func @not_c1_bounded(
func.func @not_c1_bounded(%operand: tensor<3x?xi1, #stablehlo.bounds<?, 6>>) {
  %0 = "stablehlo.not"(%operand) : (tensor<3x?xi1, #stablehlo.bounds<?, 6>>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xi1, #stablehlo.bounds<?, 6>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xi1, #stablehlo.bounds<?, 6>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @popcnt_c1_bounded(
func.func @popcnt_c1_bounded(%operand: tensor<4x?xi64, #stablehlo.bounds<?, 7>>) {
  %0 = "stablehlo.popcnt"(%operand) : (tensor<4x?xi64, #stablehlo.bounds<?, 7>>) -> tensor<?x?xi64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xi64, #stablehlo.bounds<?, 7>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xi64, #stablehlo.bounds<?, 7>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi64>) -> ()
  return
}

// CHECK-LABEL: func.func @abs_c1_c2_complex(
func.func @abs_c1_c2_complex(%operand: tensor<5x?xcomplex<f64>>) -> tensor<2xindex> {
  %0 = "stablehlo.abs"(%operand) : (tensor<5x?xcomplex<f64>>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<5x?xcomplex<f64>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @abs_c1_c2_integer(
func.func @abs_c1_c2_integer(%operand: tensor<?x6xi16>) -> tensor<2xindex> {
  %0 = "stablehlo.abs"(%operand) : (tensor<?x6xi16>) -> tensor<?x?xi16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xi16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x6xi16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @abs_c1_c2_bounded_quantized(
func.func @abs_c1_c2_bounded_quantized(%operand: tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8>>) {
  %0 = "stablehlo.abs"(%operand) : (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8>>) -> tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @imag_c1_c2_complex(
func.func @imag_c1_c2_complex(%operand: tensor<?x2x?xcomplex<f32>>) -> tensor<3xindex> {
  %0 = "stablehlo.imag"(%operand) : (tensor<?x2x?xcomplex<f32>>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x2x?xcomplex<f32>> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @imag_c1_c2_float(
func.func @imag_c1_c2_float(%operand: tensor<4x?xf64>) -> tensor<2xindex> {
  %0 = "stablehlo.imag"(%operand) : (tensor<4x?xf64>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @imag_c1_c2_bounded(
func.func @imag_c1_c2_bounded(%operand: tensor<?x3xcomplex<f64>, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.imag"(%operand) : (tensor<?x3xcomplex<f64>, #stablehlo.bounds<6, ?>>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf64, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @real_c1_c2_complex(
func.func @real_c1_c2_complex(%operand: tensor<?x2x?xcomplex<f32>>) -> tensor<3xindex> {
  %0 = "stablehlo.real"(%operand) : (tensor<?x2x?xcomplex<f32>>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x2x?xcomplex<f32>> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @real_c1_c2_float(
func.func @real_c1_c2_float(%operand: tensor<4x?xf64>) -> tensor<2xindex> {
  %0 = "stablehlo.real"(%operand) : (tensor<4x?xf64>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @real_c1_c2_bounded(
func.func @real_c1_c2_bounded(%operand: tensor<?x3xcomplex<f64>, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.real"(%operand) : (tensor<?x3xcomplex<f64>, #stablehlo.bounds<6, ?>>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf64, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @is_finite_c1(
func.func @is_finite_c1(%operand: tensor<?x9xbf16>) -> tensor<2xindex> {
  %0 = "stablehlo.is_finite"(%operand) : (tensor<?x9xbf16>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x9xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x9xbf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi1>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @is_finite_c1_bounded(
func.func @is_finite_c1_bounded(%operand: tensor<?x9xf32, #stablehlo.bounds<11, ?>>) {
  %0 = "stablehlo.is_finite"(%operand) : (tensor<?x9xf32, #stablehlo.bounds<11, ?>>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x9xi1, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @uniform_dequantize_c1_c2(
func.func @uniform_dequantize_c1_c2(%operand: tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> tensor<2xindex> {
  %0 = "stablehlo.uniform_dequantize"(%operand) : (tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @uniform_dequantize_c1_c2_per_axis_loses_bounds(
func.func @uniform_dequantize_c1_c2_per_axis_loses_bounds(%operand: tensor<?x3x!quant.uniform<i8:f32:1, {2.000000e-01:5,5.000000e-01,1.000000e+00:-7}>, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.uniform_dequantize"(%operand) : (tensor<?x3x!quant.uniform<i8:f32:1, {2.000000e-01:5,5.000000e-01,1.000000e+00:-7}>, #stablehlo.bounds<4, ?>>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @convert_c1(
func.func @convert_c1(%operand: tensor<?x3xi8>) -> tensor<2xindex> {
  %0 = "stablehlo.convert"(%operand) : (tensor<?x3xi8>) -> tensor<?x3xf64>
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xi8> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x3xf64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @uniform_quantize_c1(
func.func @uniform_quantize_c1(%operand: tensor<?x7xf32>) -> tensor<2xindex> {
  %0 = "stablehlo.uniform_quantize"(%operand) : (tensor<?x7xf32>) -> tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x7xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @bitcast_convert_c1(
func.func @bitcast_convert_c1(%operand: tensor<?x4xf32>) -> tensor<2xindex> {
  %0 = "stablehlo.bitcast_convert"(%operand) : (tensor<?x4xf32>) -> tensor<?x4xui32>
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x4xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x4xui32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @reduce_precision_c1(
func.func @reduce_precision_c1(%operand: tensor<?x6xf64>) {
  %0 = "stablehlo.reduce_precision"(%operand) {exponent_bits = 6 : i32, mantissa_bits = 9 : i32} : (tensor<?x6xf64>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @reduce_precision_c1_bounded(
func.func @reduce_precision_c1_bounded(%operand: tensor<?x6xf32, #stablehlo.bounds<3, ?>>) {
  %0 = "stablehlo.reduce_precision"(%operand) {exponent_bits = 4 : i32, mantissa_bits = 3 : i32} : (tensor<?x6xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xf32, #stablehlo.bounds<3, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6xf32, #stablehlo.bounds<3, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @add(
func.func @add(%lhs: tensor<2x?x?xi16>, %rhs: tensor<?x3x?xi16>) -> tensor<3xindex> {
  %0 = "stablehlo.add"(%lhs, %rhs) : (tensor<2x?x?xi16>, tensor<?x3x?xi16>) -> tensor<?x?x?xi16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x?xi16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x3x?xi16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<2x?x?xi16> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi16>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @add_bounded_quantized(
func.func @add_bounded_quantized(%lhs: tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>, %rhs: tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.add"(%lhs, %rhs) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>, tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @atan2_c1(
func.func @atan2_c1(%lhs: tensor<3x?x?xf64>, %rhs: tensor<?x4x?xf64>) -> tensor<3xindex> {
  %0 = "stablehlo.atan2"(%lhs, %rhs) : (tensor<3x?x?xf64>, tensor<?x4x?xf64>) -> tensor<?x?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x4x?xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x4x?xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<3x?x?xf64> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf64>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @atan2_c1_bounded_quantized(
func.func @atan2_c1_bounded_quantized(%lhs: tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>, %rhs: tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>) {
  %0 = "stablehlo.atan2"(%lhs, %rhs) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>, tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @divide_c1(
func.func @divide_c1(%lhs: tensor<4x?x?xcomplex<f32>>, %rhs: tensor<?x5x?xcomplex<f32>>) -> tensor<3xindex> {
  %0 = "stablehlo.divide"(%lhs, %rhs) : (tensor<4x?x?xcomplex<f32>>, tensor<?x5x?xcomplex<f32>>) -> tensor<?x?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x5x?xcomplex<f32>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x5x?xcomplex<f32>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xcomplex<f32>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?x?xcomplex<f32>> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xcomplex<f32>>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @divide_c1_bounded_quantized(
func.func @divide_c1_bounded_quantized(%lhs: tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>, %rhs: tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.divide"(%lhs, %rhs) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>, tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<6, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @maximum_c1(
func.func @maximum_c1(%lhs: tensor<5x?x?xbf16>, %rhs: tensor<?x6x?xbf16>) -> tensor<3xindex> {
  %0 = "stablehlo.maximum"(%lhs, %rhs) : (tensor<5x?x?xbf16>, tensor<?x6x?xbf16>) -> tensor<?x?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x6x?xbf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x6x?xbf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xbf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<5x?x?xbf16> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xbf16>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @maximum_c1_bounded_quantized(
func.func @maximum_c1_bounded_quantized(%lhs: tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>, %rhs: tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>) {
  %0 = "stablehlo.maximum"(%lhs, %rhs) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>, tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @minimum_c1(
func.func @minimum_c1(%lhs: tensor<2x?x?xi1>, %rhs: tensor<?x7x?xi1>) -> tensor<3xindex> {
  %0 = "stablehlo.minimum"(%lhs, %rhs) : (tensor<2x?x?xi1>, tensor<?x7x?xi1>) -> tensor<?x?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x7x?xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x7x?xi1>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi1>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<2x?x?xi1> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi1>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @minimum_c1_bounded_quantized(
func.func @minimum_c1_bounded_quantized(%lhs: tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>, %rhs: tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>) {
  %0 = "stablehlo.minimum"(%lhs, %rhs) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>, tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @multiply_c1(
func.func @multiply_c1(%lhs: tensor<3x?x?xui32>, %rhs: tensor<?x8x?xui32>) -> tensor<3xindex> {
  %0 = "stablehlo.multiply"(%lhs, %rhs) : (tensor<3x?x?xui32>, tensor<?x8x?xui32>) -> tensor<?x?x?xui32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x8x?xui32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xui32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x8x?xui32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xui32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<3x?x?xui32> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xui32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @multiply_c1_bounded_quantized(
func.func @multiply_c1_bounded_quantized(%lhs: tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>, %rhs: tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) {
  %0 = "stablehlo.multiply"(%lhs, %rhs) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>, tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x8x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @power_c1(
func.func @power_c1(%lhs: tensor<4x?x?xf16>, %rhs: tensor<?x3x?xf16>) -> tensor<3xindex> {
  %0 = "stablehlo.power"(%lhs, %rhs) : (tensor<4x?x?xf16>, tensor<?x3x?xf16>) -> tensor<?x?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x3x?xf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x3x?xf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?x?xf16> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf16>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @power_c1_bounded_quantized(
func.func @power_c1_bounded_quantized(%lhs: tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>, %rhs: tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) {
  %0 = "stablehlo.power"(%lhs, %rhs) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>, tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @remainder_c1(
func.func @remainder_c1(%lhs: tensor<5x?x?xi8>, %rhs: tensor<?x4x?xi8>) -> tensor<3xindex> {
  %0 = "stablehlo.remainder"(%lhs, %rhs) : (tensor<5x?x?xi8>, tensor<?x4x?xi8>) -> tensor<?x?x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x4x?xi8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x4x?xi8>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi8>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<5x?x?xi8> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi8>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @remainder_c1_bounded_quantized(
func.func @remainder_c1_bounded_quantized(%lhs: tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>, %rhs: tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) {
  %0 = "stablehlo.remainder"(%lhs, %rhs) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>, tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<11, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @subtract_c1(
func.func @subtract_c1(%lhs: tensor<2x?x?xf8E5M2>, %rhs: tensor<?x5x?xf8E5M2>) -> tensor<3xindex> {
  %0 = "stablehlo.subtract"(%lhs, %rhs) : (tensor<2x?x?xf8E5M2>, tensor<?x5x?xf8E5M2>) -> tensor<?x?x?xf8E5M2>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x5x?xf8E5M2>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf8E5M2>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x5x?xf8E5M2>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf8E5M2>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<2x?x?xf8E5M2> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf8E5M2>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @subtract_c1_bounded_quantized(
func.func @subtract_c1_bounded_quantized(%lhs: tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>, %rhs: tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) {
  %0 = "stablehlo.subtract"(%lhs, %rhs) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>, tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<12, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @shift_left_c1(
func.func @shift_left_c1(%lhs: tensor<3x?x?xi4>, %rhs: tensor<?x6x?xi4>) -> tensor<3xindex> {
  %0 = "stablehlo.shift_left"(%lhs, %rhs) : (tensor<3x?x?xi4>, tensor<?x6x?xi4>) -> tensor<?x?x?xi4>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x6x?xi4>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi4>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x6x?xi4>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi4>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<3x?x?xi4> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi4>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @shift_left_c1_bounded(
func.func @shift_left_c1_bounded(%lhs: tensor<?x?xi4, #stablehlo.bounds<11, ?>>, %rhs: tensor<?x6xi4, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.shift_left"(%lhs, %rhs) : (tensor<?x?xi4, #stablehlo.bounds<11, ?>>, tensor<?x6xi4, #stablehlo.bounds<4, ?>>) -> tensor<?x?xi4>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xi4, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi4>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6xi4, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi4>) -> ()
  return
}

// CHECK-LABEL: func.func @shift_right_arithmetic_c1(
func.func @shift_right_arithmetic_c1(%lhs: tensor<4x?x?xi64>, %rhs: tensor<?x7x?xi64>) -> tensor<3xindex> {
  %0 = "stablehlo.shift_right_arithmetic"(%lhs, %rhs) : (tensor<4x?x?xi64>, tensor<?x7x?xi64>) -> tensor<?x?x?xi64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x7x?xi64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x7x?xi64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?x?xi64> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi64>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @shift_right_arithmetic_c1_bounded(
func.func @shift_right_arithmetic_c1_bounded(%lhs: tensor<?x?xi64, #stablehlo.bounds<7, ?>>, %rhs: tensor<?x7xi64, #stablehlo.bounds<5, ?>>) {
  %0 = "stablehlo.shift_right_arithmetic"(%lhs, %rhs) : (tensor<?x?xi64, #stablehlo.bounds<7, ?>>, tensor<?x7xi64, #stablehlo.bounds<5, ?>>) -> tensor<?x?xi64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7xi64, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x7xi64, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi64>) -> ()
  return
}

// CHECK-LABEL: func.func @shift_right_logical_c1(
func.func @shift_right_logical_c1(%lhs: tensor<5x?x?xui8>, %rhs: tensor<?x8x?xui8>) -> tensor<3xindex> {
  %0 = "stablehlo.shift_right_logical"(%lhs, %rhs) : (tensor<5x?x?xui8>, tensor<?x8x?xui8>) -> tensor<?x?x?xui8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x8x?xui8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xui8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x8x?xui8>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xui8>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<5x?x?xui8> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xui8>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @shift_right_logical_c1_bounded(
func.func @shift_right_logical_c1_bounded(%lhs: tensor<?x?xui8, #stablehlo.bounds<8, ?>>, %rhs: tensor<?x8xui8, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.shift_right_logical"(%lhs, %rhs) : (tensor<?x?xui8, #stablehlo.bounds<8, ?>>, tensor<?x8xui8, #stablehlo.bounds<6, ?>>) -> tensor<?x?xui8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x8xui8, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x8xui8, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xui8>) -> ()
  return
}

// CHECK-LABEL: func.func @and_c1(
func.func @and_c1(%lhs: tensor<2x?x?xi1>, %rhs: tensor<?x3x?xi1>) -> tensor<3xindex> {
  %0 = "stablehlo.and"(%lhs, %rhs) : (tensor<2x?x?xi1>, tensor<?x3x?xi1>) -> tensor<?x?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x?xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x3x?xi1>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi1>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<2x?x?xi1> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi1>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @and_c1_bounded(
func.func @and_c1_bounded(%lhs: tensor<?x?xi1, #stablehlo.bounds<9, ?>>, %rhs: tensor<?x3xi1, #stablehlo.bounds<7, ?>>) {
  %0 = "stablehlo.and"(%lhs, %rhs) : (tensor<?x?xi1, #stablehlo.bounds<9, ?>>, tensor<?x3xi1, #stablehlo.bounds<7, ?>>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xi1, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xi1, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @or_c1(
func.func @or_c1(%lhs: tensor<3x?x?xi32>, %rhs: tensor<?x4x?xi32>) -> tensor<3xindex> {
  %0 = "stablehlo.or"(%lhs, %rhs) : (tensor<3x?x?xi32>, tensor<?x4x?xi32>) -> tensor<?x?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x4x?xi32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x4x?xi32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<3x?x?xi32> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @or_c1_bounded(
func.func @or_c1_bounded(%lhs: tensor<?x?xi32, #stablehlo.bounds<10, ?>>, %rhs: tensor<?x4xi32, #stablehlo.bounds<8, ?>>) {
  %0 = "stablehlo.or"(%lhs, %rhs) : (tensor<?x?xi32, #stablehlo.bounds<10, ?>>, tensor<?x4xi32, #stablehlo.bounds<8, ?>>) -> tensor<?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xi32, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xi32, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @xor_c1(
func.func @xor_c1(%lhs: tensor<4x?x?xui64>, %rhs: tensor<?x5x?xui64>) -> tensor<3xindex> {
  %0 = "stablehlo.xor"(%lhs, %rhs) : (tensor<4x?x?xui64>, tensor<?x5x?xui64>) -> tensor<?x?x?xui64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x5x?xui64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xui64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x5x?xui64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xui64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?x?xui64> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xui64>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @xor_c1_bounded(
func.func @xor_c1_bounded(%lhs: tensor<?x?xui64, #stablehlo.bounds<11, ?>>, %rhs: tensor<?x5xui64, #stablehlo.bounds<9, ?>>) {
  %0 = "stablehlo.xor"(%lhs, %rhs) : (tensor<?x?xui64, #stablehlo.bounds<11, ?>>, tensor<?x5xui64, #stablehlo.bounds<9, ?>>) -> tensor<?x?xui64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xui64, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xui64, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xui64>) -> ()
  return
}

// CHECK-LABEL: func.func @complex_c2_c3(
func.func @complex_c2_c3(%lhs: tensor<4x?xf64>, %rhs: tensor<4x?xf64>) -> tensor<2xindex> {
  %0 = "stablehlo.complex"(%lhs, %rhs) : (tensor<4x?xf64>, tensor<4x?xf64>) -> tensor<?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xcomplex<f64>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<4x?xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f64>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @complex_c2_c3_bounded(
func.func @complex_c2_c3_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<5>>, %rhs: tensor<?xf32, #stablehlo.bounds<5>>) {
  %0 = "stablehlo.complex"(%lhs, %rhs) : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xcomplex<f32>, #stablehlo.bounds<5>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xcomplex<f32>>) -> ()
  return
}

// CHECK-LABEL: func.func @compare_c2(
func.func @compare_c2(%lhs: tensor<?x3xf32>, %rhs: tensor<?x3xf32>) -> tensor<2xindex> {
  %0 = "stablehlo.compare"(%lhs, %rhs) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xi1>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi1>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @compare_c2_bounded(
func.func @compare_c2_bounded(%lhs: tensor<?x3xi32, #stablehlo.bounds<6, ?>>, %rhs: tensor<?x3xi32, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.compare"(%lhs, %rhs) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<?x3xi32, #stablehlo.bounds<6, ?>>, tensor<?x3xi32, #stablehlo.bounds<6, ?>>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xi1, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xi1, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @clamp_c4(
func.func @clamp_c4(%min: tensor<f32>, %operand: tensor<?x8xf32>, %max: tensor<f32>) -> tensor<2xindex> {
  %0 = "stablehlo.clamp"(%min, %operand, %max) : (tensor<f32>, tensor<?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x8xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x8xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg1 : tensor<?x8xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @clamp_c4_quantized_loses_bounds(
func.func @clamp_c4_quantized_loses_bounds(%min: tensor<!quant.uniform<i8:f32, 2.500000e-01:-3>>, %operand: tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>, %max: tensor<!quant.uniform<i8:f32, 2.500000e-01:-3>>) {
  %0 = "stablehlo.clamp"(%min, %operand, %max) : (tensor<!quant.uniform<i8:f32, 2.500000e-01:-3>>, tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>, tensor<!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @select_c2(
func.func @select_c2(%pred: tensor<i1>, %on_true: tensor<5x?x?xi8>, %on_false: tensor<?x?x4xi8>) -> tensor<3xindex> {
  %0 = "stablehlo.select"(%pred, %on_true, %on_false) : (tensor<i1>, tensor<5x?x?xi8>, tensor<?x?x4xi8>) -> tensor<?x?x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?x4xi8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x?x4xi8>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi8>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg1 : tensor<5x?x?xi8> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi8>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @select_c2_bounded_quantized(
func.func @select_c2_bounded_quantized(%pred: tensor<i1>, %on_true: tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>, %on_false: tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) {
  %0 = "stablehlo.select"(%pred, %on_true, %on_false) : (tensor<i1>, tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>, tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<9, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @map_c1_c4(
func.func @map_c1_c4(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<2xindex> {
  %0 = "stablehlo.map"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xi1>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi1>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @map_c1_c4_loses_bounds(
func.func @map_c1_c4_loses_bounds(%a: tensor<?xi16, #stablehlo.bounds<12>>) {
  %0 = "stablehlo.map"(%a) ({
  ^bb0(%x: tensor<i16>):
    %1 = stablehlo.negate %x : tensor<i16>
    stablehlo.return %1 : tensor<i16>
  }) {dimensions = array<i64: 0>} : (tensor<?xi16, #stablehlo.bounds<12>>) -> tensor<?xi16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?xi16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?xi16>) -> ()
  return
}
